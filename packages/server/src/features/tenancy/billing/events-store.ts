import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** Whether an event was handled. */
export const isEventKnown = async (metadata: Metadata, id: string): Promise<boolean> =>
	(await tables(metadata).selectFrom("billing_events").select("id").where("id", "=", id).executeTakeFirst()) !==
	undefined;

/** Notes that an event was handled. */
export async function insertEvent(metadata: Metadata, row: Row<"billing_events">): Promise<void> {
	await tables(metadata)
		.insertInto("billing_events")
		.values(row)
		.onConflict((conflict) => conflict.column("id").doNothing())
		.execute();
}

/** Forgets events that the provider does not send again. */
export async function dropEvents(metadata: Metadata, beforeMs: number): Promise<void> {
	await tables(metadata).deleteFrom("billing_events").where("received_at", "<", beforeMs).execute();
}
