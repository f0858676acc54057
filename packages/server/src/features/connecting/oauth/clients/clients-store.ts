import type { Selectable } from "kysely";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";

type ClientTables = {
	/** Apps that registered themselves; those with a document are not stored. Times in milliseconds. */
	oauth_clients: {
		id: string;
		name: string;
		/** JSON list. */
		redirect_uris: string;
		created_at: number;
		/** When somebody last approved the app. */
		last_used_at: number | null;
	};
	oauth_grants: { client_id: string };
};

/** A registered app as stored. */
export type ClientRow = Selectable<ClientTables["oauth_clients"]>;

const tables = (metadata: Metadata) => metadata.withTables<ClientTables>();

export async function insertClient(metadata: Metadata, row: ClientRow): Promise<void> {
	await tables(metadata).insertInto("oauth_clients").values(row).execute();
}

export const selectClient = (metadata: Metadata, id: string): Promise<ClientRow | undefined> =>
	tables(metadata).selectFrom("oauth_clients").selectAll().where("id", "=", id).executeTakeFirst();

/** Notes that somebody approved the app; nothing happens for one that is not registered here. */
export async function touchClient(metadata: Metadata, id: string, nowMs: number): Promise<void> {
	await tables(metadata).updateTable("oauth_clients").set({ last_used_at: nowMs }).where("id", "=", id).execute();
}

/** Forgets apps without a grant: those that nobody approved since `unusedSince`, and others not approved since `usedBefore`. */
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
