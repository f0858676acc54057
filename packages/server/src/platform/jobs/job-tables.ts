import type { Generated, Selectable } from "kysely";
import type { Metadata } from "../metadata/metadata.ts";

/** Waiting, being done, done, or given up. */
export type JobState = "pending" | "running" | "done" | "failed";

export type JobTables = {
	jobs: {
		id: Generated<number>;
		kind: string;
		unique_key: string | null;
		/** Whom or what it is for: a kind may limit how many of a lane are done at a time. */
		lane: string | null;
		/** JSON; emptied once the job is done. */
		payload: string;
		state: JobState;
		/** When it may be taken: the time of a waiting job, the end of a running one's lease; null once it is over. */
		due_at: number | null;
		/** Names who has the job; another one's writes do not find it any more. */
		lease: string | null;
		attempts: number;
		last_error: string | null;
		created_at: number;
		finished_at: number | null;
	};
	job_schedules: {
		name: string;
		/** Ticks up to this moment have become jobs. */
		counted_until: number;
	};
};

/** A job as it is stored. */
export type JobRow = Selectable<JobTables["jobs"]>;

/** The tables of the queue in a metadata store. */
export const tables = (metadata: Metadata) => metadata.withTables<JobTables>();
