import { type TestApp, testApp } from "./test-app.ts";
import { onEngines } from "./test-schema.ts";

type Options = Omit<NonNullable<Parameters<typeof testApp>[0]>, "onPostgres">;

/** Runs a suite on the whole service with its accounts in SQLite, and in PostgreSQL when there is one. */
export function appOnBothEngines(title: string, suite: (open: (options?: Options) => Promise<TestApp>) => void): void {
	onEngines(title, (engine) => suite((options) => testApp({ ...options, onPostgres: engine === "postgres" })));
}
