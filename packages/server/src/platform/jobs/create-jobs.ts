import { DAY_MS } from "../lib/durations.ts";
import { untraced } from "../lib/trace.ts";
import { forgetJobs } from "./job-overview.ts";
import { JobRunner, type RunnerDeps } from "./job-runner.ts";
import type { Jobs } from "./jobs.ts";

type JobsDeps = Pick<RunnerDeps, "metadata" | "clock" | "log"> & Partial<RunnerDeps>;

/** The queue on a metadata store, untraced by default and with 10 seconds to close; nothing is done before `start` or `runDue`. */
export function createJobs(deps: JobsDeps): Jobs {
	const jobs = new JobRunner({ random: Math.random, drainMs: 10_000, trace: untraced, ...deps });
	jobs.schedule("job-retention", "17 * * * *", async () => {
		const nowMs = deps.clock.now();
		await forgetJobs(deps.metadata, { done: nowMs - DAY_MS, failed: nowMs - 30 * DAY_MS });
	});
	return jobs;
}
