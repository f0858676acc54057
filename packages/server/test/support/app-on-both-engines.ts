import { describe } from "node:test";
import { type TestApp, testApp } from "./test-app.ts";
import { postgresSkip } from "./test-schema.ts";

type Options = Omit<NonNullable<Parameters<typeof testApp>[0]>, "onPostgres">;

/** Runs a suite on the whole service with its accounts in SQLite, and in PostgreSQL when there is one. */
export function appOnBothEngines(title: string, suite: (open: (options?: Options) => Promise<TestApp>) => void): void {
	describe(`${title} (SQLite)`, () => suite((options) => testApp(options)));
	describe(`${title} (PostgreSQL)`, { skip: postgresSkip }, () =>
		suite((options) => testApp({ ...options, onPostgres: true })),
	);
}
