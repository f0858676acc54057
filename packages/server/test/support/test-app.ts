import { splitApp } from "./split-app.ts";
import { type TestApp, type TestAppOptions, wholeApp } from "./whole-app.ts";

export type { TestApp } from "./whole-app.ts";

/** True when the tests run against a collector, an API and a worker on PostgreSQL and Redis: `npm test -- --split`. */
export const isSplit = process.env.TEST_FORM === "split";

interface InsightOptions extends TestAppOptions {
	/** False: the service looks for no insights by itself. Where days go by, it would read two weeks of each site every morning. */
	readonly seeksInsights?: boolean;
}

/** Builds and starts the service; close it by `await using` or `close()`. Every answer is checked against its schema. */
export async function testApp({ seeksInsights = true, ...options }: InsightOptions = {}): Promise<TestApp> {
	const app = await (isSplit ? splitApp(options) : wholeApp(options));
	// A schedule makes no job while one of its own still waits.
	if (!seeksInsights) await app.jobs.enqueue(app.metadata, { kind: "lens-mornings", runAt: Date.parse("2999-01-01") });
	return app;
}
