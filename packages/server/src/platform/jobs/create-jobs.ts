import type { Clock } from "../lib/clock.ts";
import { DAY_MS } from "../lib/durations.ts";
import { type Trace, untraced } from "../lib/trace.ts";
import type { Log } from "../log/log.ts";
import type { Metadata } from "../metadata/metadata.ts";
import { forgetJobs } from "./job-overview.ts";
import { JobRunner } from "./job-runner.ts";
import type { Jobs } from "./jobs.ts";

interface JobsDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly log: Log;
	/** From 0 to 1, spreads the times of further attempts. */
	readonly random?: () => number;
	/** Milliseconds that `close` waits for running jobs; 10 seconds when absent. */
	readonly drainMs?: number;
	/** Nothing is traced when absent. */
	readonly trace?: Trace;
}

/** The queue on a metadata store; nothing is done before `start` or `runDue`. */
export function createJobs(deps: JobsDeps): Jobs {
	const jobs = new JobRunner({ random: Math.random, drainMs: 10_000, trace: untraced, ...deps });
	jobs.schedule("job-retention", "17 * * * *", async () => {
		const nowMs = deps.clock.now();
		await forgetJobs(deps.metadata, { done: nowMs - DAY_MS, failed: nowMs - 30 * DAY_MS });
	});
	return jobs;
}
