import { afterEach, beforeEach } from "node:test";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import { createJobs } from "../../src/platform/jobs/job-runner.ts";
import type { Jobs } from "../../src/platform/jobs/jobs.ts";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { newDirectory } from "./new-directory.ts";
import { createTestClock } from "./test-clock.ts";
import { migratedSchema, onEngines, placeMigratedFile } from "./test-schema.ts";

/**
 * A process that runs jobs, and its log. On PostgreSQL it has connections of its own; on SQLite all share one, as a
 * connection that waits for another one's transaction blocks the thread of both.
 */
export type JobProcess = Awaited<ReturnType<JobStore["process"]>>;
/** One store that several processes share. */
export type JobStore = Awaited<ReturnType<typeof openJobStore>>;

/** The store of the running test, and two processes on it. */
export interface TwoProcesses {
	readonly store: JobStore;
	readonly one: JobProcess;
	readonly two: JobProcess;
}

/** Runs a suite on jobs in SQLite, and in PostgreSQL when there is one; each test has a store of its own. */
export function jobsOnBothEngines(title: string, suite: (at: TwoProcesses) => void): void {
	onEngines(title, (engine) => {
		const at = {} as TwoProcesses;
		beforeEach(async () => {
			const store = await openJobStore(engine);
			Object.assign(at, { store, one: await store.process(), two: await store.process() });
		});
		afterEach(() => at.store.close());
		suite(at);
	});
}

/** One store; its clock stands at 2026-11-21T12:00:00Z. */
export async function openJobStore(engine: "sqlite" | "postgres") {
	const dataDir = newDirectory();
	const schema = engine === "postgres" ? await migratedSchema() : undefined;
	if (engine === "sqlite") await placeMigratedFile(dataDir);
	const clock = createTestClock("2026-11-21T12:00:00.000Z");
	const open: Jobs[] = [];
	const stores: Metadata[] = [];
	const connect = async () => {
		const connected = await openMetadata({ databaseUrl: schema?.url, dataDir });
		stores.push(connected);
		return connected;
	};
	const metadata = await connect();
	const process = async () => {
		const own = engine === "postgres" ? await connect() : metadata;
		const logLines: string[] = [];
		/** `logged` resolves with the first line of the log. */
		const { promise: logged, resolve } = Promise.withResolvers<void>();
		const write = (fields: object, message: string) => {
			logLines.push(JSON.stringify({ ...fields, message }));
			resolve();
		};
		const log = { info: write, warn: write, error: write };
		let underWay = 0;
		const waiting: (() => void)[] = [];
		const counted = own.withPlugin({
			transformQuery: ({ node }) => {
				underWay++;
				return node;
			},
			transformResult: async ({ result }) => {
				underWay--;
				if (underWay === 0) for (const tell of waiting.splice(0)) tell();
				return result;
			},
		});
		/** Resolves when none of its statements is under way. */
		const idle = async () => {
			if (underWay > 0) await new Promise<void>((tell) => void waiting.push(tell));
		};
		const jobs = createJobs({ metadata: counted, clock, log, random: () => 0.5, drainMs: 200 });
		open.push(jobs);
		return { metadata: own, jobs, logLines, logged, idle };
	};
	return {
		clock,
		process,
		rows: () => metadata.withTables<Tables>().selectFrom("jobs").selectAll().orderBy("id").execute(),
		async close(): Promise<void> {
			await Promise.all(open.map((jobs) => jobs.close()));
			await Promise.all(stores.map((connected) => connected.destroy()));
			await schema?.drop();
		},
	};
}
