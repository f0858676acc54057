import { type Row, tables } from "../../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";

/** A registered app as stored. */
export type ClientRow = Row<"oauth_clients">;

export async function insertClient(metadata: Metadata, row: ClientRow): Promise<void> {
	await tables(metadata).insertInto("oauth_clients").values(row).execute();
}

export const selectClient = (metadata: Metadata, id: string): Promise<ClientRow | undefined> =>
	tables(metadata).selectFrom("oauth_clients").selectAll().where("id", "=", id).executeTakeFirst();

/** Notes that somebody approved the app; nothing happens for one that is not registered here. */
export async function touchClient(metadata: Metadata, id: string, nowMs: number): Promise<void> {
	await tables(metadata).updateTable("oauth_clients").set({ last_used_at: nowMs }).where("id", "=", id).execute();
}

/** Forgets apps without a grant: those not approved since `unusedSince`, and others not approved since `usedBefore`. */
export async function deleteUnusedClients(
	metadata: Metadata,
	{ unusedSince, usedBefore }: { readonly unusedSince: number; readonly usedBefore: number },
): Promise<number> {
	const deleted = await tables(metadata)
		.deleteFrom("oauth_clients")
		.where((client) =>
			client.or([
				client.and([client("last_used_at", "is", null), client("created_at", "<=", unusedSince)]),
				client("last_used_at", "<=", usedBefore),
			]),
		)
		.where(({ not, exists, selectFrom }) =>
			not(
				exists(
					selectFrom("oauth_grants").select("client_id").whereRef("oauth_grants.client_id", "=", "oauth_clients.id"),
				),
			),
		)
		.returning("id")
		.execute();
	return deleted.length;
}
