import { Type } from "typebox";
import { Id, Nullable, OneOf, paging, Text, Timestamp } from "../../../platform/http/schemas.ts";

const State = OneOf(["pending", "running", "done", "failed"], {
	description: "`pending` waits, also for another attempt; `failed` was given up",
});

export const ListQuery = Type.Object({
	status: Type.Optional(State),
	kind: Type.Optional(Text(1, 100, { description: "E.g. `mail`" })),
	...paging({ pageSize: 50, max: 100 }),
});

export const JobParams = Type.Object({ id: Id() });

/** A job without its payload, which may hold what a mail says. */
export const Job = Type.Object({
	id: Type.Integer(),
	kind: Type.String({ description: "E.g. `mail`, or the name of a schedule" }),
	status: State,
	attempts: Type.Integer({ description: "So far" }),
	next_run_at: Nullable(Timestamp(), { description: "Of a waiting job" }),
	last_error: Nullable(Type.String(), { description: "Why the last attempt failed; without data of anybody" }),
	created_at: Timestamp(),
	finished_at: Nullable(Timestamp(), { description: "When it was done or given up" }),
});

export const JobPage = Type.Object({
	jobs: Type.Array(Job),
	total: Type.Integer(),
	page: Type.Integer(),
	page_size: Type.Integer(),
	total_pages: Type.Integer(),
});
