import type { Metadata } from "../metadata/metadata.ts";
import type { JobState } from "./job-tables.ts";
import type { Jobs } from "./jobs.ts";
import { selectLastEnd, selectSchedule } from "./schedule-store.ts";
import { nextTick } from "./schedules.ts";

/** A schedule, and how it fares. */
export interface ScheduleState {
	readonly name: string;
	/** In UTC. */
	readonly cron: string;
	/** The last run that is known: done ones are for a day, given-up ones for thirty. */
	readonly last: { readonly at: number; readonly state: JobState } | undefined;
	/** Undefined when it has no further tick. */
	readonly nextAt: number | undefined;
}

/** Every schedule of the service, in the order in which they were made known. */
export async function describeSchedules(
	metadata: Metadata,
	{ schedules }: Pick<Jobs, "schedules">,
	nowMs: number,
): Promise<ScheduleState[]> {
	const states: ScheduleState[] = [];
	for (const { name, cron } of schedules) {
		const countedUntil = await selectSchedule(metadata, name);
		const nextAt = nextTick(cron, countedUntil ?? nowMs);
		const last = await selectLastEnd(metadata, name);
		states.push({ name, cron, last, nextAt: Number.isFinite(nextAt) ? nextAt : undefined });
	}
	return states;
}
