import { sql } from "kysely";
import type { Metadata } from "../metadata/metadata.ts";

/** A kind with something to do, and since when its longest waiting job could have been done. */
interface DueKind {
	readonly kind: string;
	readonly since: number;
}

/** Kinds with due jobs: the query that an idle service repeats every second. It jumps from one kind to the next. */
export async function dueKinds(metadata: Metadata, nowMs: number): Promise<DueKind[]> {
	const { rows } = await sql<DueKind>`
		with recursive kinds (kind) as (
			select min(kind) from jobs where due_at is not null
			union all
			select (select min(kind) from jobs where due_at is not null and jobs.kind > kinds.kind)
			from kinds where kinds.kind is not null
		)
		select kind, since from (
			select kind, (select min(due_at) from jobs where jobs.kind = kinds.kind and due_at is not null) as since
			from kinds where kind is not null
		) as waiting
		where since <= ${nowMs}
		order by kind
	`.execute(metadata);
	return rows;
}
