import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export type GrantRow = Row<"oauth_grants">;
export type RequestRow = Row<"oauth_requests">;

export const clients = tableOf("oauth_clients");
export const requests = tableOf("oauth_requests");
export const grants = tableOf("oauth_grants");
export const codes = tableOf("oauth_codes");
export const tokens = tableOf("oauth_tokens");

/** Grants of a user that something can still be read with, newest first. */
export const selectLiveGrants = (metadata: Metadata, userId: number, nowMs: number): Promise<GrantRow[]> =>
	grants.list(metadata, { user_id: userId, revoked_at: null, expires_at: { ">": nowMs } }, "created_at desc", "id");

/** The conditions on a request that waits for a decision still. */
export const pending = (idHash: string, nowMs: number) => ({
	id_hash: idHash,
	decided_at: null,
	expires_at: { ">": nowMs },
});

/** Forgets tokens that had ended at a moment, and grants that had ended or were revoked then, with their codes. */
export async function deleteOldGrants(metadata: Metadata, endedBefore: number): Promise<void> {
	const db = tables(metadata);
	const over = db
		.selectFrom("oauth_grants")
		.select("id")
		.where((grant) => grant.or([grant("expires_at", "<=", endedBefore), grant("revoked_at", "<=", endedBefore)]));
	await db
		.deleteFrom("oauth_tokens")
		.where((token) => token.or([token("expires_at", "<=", endedBefore), token("grant_id", "in", over)]))
		.execute();
	await db.deleteFrom("oauth_codes").where("grant_id", "in", over).execute();
	// A grant that a refresh has just lengthened keeps what hangs on it.
	await db
		.deleteFrom("oauth_grants")
		.where("id", "in", over)
		.where(({ not, exists, selectFrom }) =>
			not(exists(selectFrom("oauth_tokens").select("grant_id").whereRef("grant_id", "=", "oauth_grants.id"))),
		)
		.execute();
}

/** Forgets apps without a grant: those not approved since `unusedSince`, and others not approved since `usedBefore`. */
export async function deleteUnusedClients(
	metadata: Metadata,
	{ unusedSince, usedBefore }: { readonly unusedSince: number; readonly usedBefore: number },
): Promise<void> {
	await tables(metadata)
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
		.execute();
}
