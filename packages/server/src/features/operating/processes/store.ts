import { sql } from "kysely";
import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** Notes that a process runs, in place of what it noted before. */
export const upsertProcess = (metadata: Metadata, { id, ...process }: Row<"processes">) =>
	tableOf("processes").upsert(metadata, { id, ...process }, ["id"], process);

export const deleteProcess = (metadata: Metadata, id: string) => tableOf("processes").delete(metadata, { id });

export const deleteUnseen = (metadata: Metadata, before: number): Promise<void> =>
	tableOf("processes").drop(metadata, { seen_at: { "<=": before } });

/** The processes that started before one, and were seen since a moment. */
export const selectEarlier = (
	metadata: Metadata,
	{ id, started_at }: Pick<Row<"processes">, "id" | "started_at">,
	since: number,
): Promise<Pick<Row<"processes">, "host" | "settings">[]> =>
	tables(metadata)
		.selectFrom("processes")
		.select(["host", "settings"])
		.where("seen_at", ">", since)
		.where("id", "!=", id)
		.where((row) =>
			row.or([row("started_at", "<", started_at), row.and([row("started_at", "=", started_at), row("id", "<", id)])]),
		)
		.orderBy("started_at")
		.orderBy("id")
		.execute();

/** The moment by PostgreSQL's clock, in milliseconds. */
export async function databaseNow(metadata: Metadata): Promise<number> {
	const { rows } = await sql<{ now: number }>`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now`.execute(
		metadata,
	);
	return Number(rows[0]?.now);
}

/** Tells event stores apart, by the moment at which one got its first table. */
export async function eventStoreName(store: EventStore): Promise<string> {
	const [made] = await store.query<{ name: string }>({
		sql: "SELECT toString(min(applied_at)) AS name FROM event_migrations",
	});
	return made?.name ?? "";
}
