import type { ScheduleState } from "../../../platform/jobs/describe-schedules.ts";
import type { ShownJob } from "../../../platform/jobs/job-overview.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";

/** A schedule on the wire; a last run that still runs has not ended. */
export const presentSchedule = ({ name, cron, last, nextAt }: ScheduleState) => ({
	name,
	cron,
	last_run_at: timestampOrNull(last?.at),
	last_status: last === undefined ? null : last.state === "failed" ? ("failed" as const) : ("done" as const),
	next_run_at: timestampOrNull(nextAt),
});

/** Why a mail could not leave. */
export function presentFailure(job: ShownJob | undefined) {
	if (job === undefined || job.state === "done" || job.last_error === null) return null;
	return { job_id: job.id, message: job.last_error, status: job.state };
}

/** How long a process has run, by its start. */
export const presentUptime = (startedMs: number, nowMs: number) => ({
	started_at: timestamp(startedMs),
	uptime_seconds: Math.max(0, Math.floor((nowMs - startedMs) / 1000)),
});
