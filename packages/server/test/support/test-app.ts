import { splitApp } from "./split-app.ts";
import { type TestApp, type TestAppOptions, wholeApp } from "./whole-app.ts";

export type { TestApp } from "./whole-app.ts";

/** True when the tests run against a collector, an API and a worker on PostgreSQL and Redis: `npm test -- --split`. */
export const isSplit = process.env.TEST_FORM === "split";

/** Builds and starts the service; close it by `await using` or `close()`. Every answer is checked against its schema. */
export const testApp = (options: TestAppOptions = {}): Promise<TestApp> =>
	isSplit ? splitApp(options) : wholeApp(options);
