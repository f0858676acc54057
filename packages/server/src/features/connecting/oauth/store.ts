import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export type GrantRow = Row<"oauth_grants">;
type CodeRow = Row<"oauth_codes">;
type TokenRow = Row<"oauth_tokens">;

export async function insertGrant(metadata: Metadata, row: GrantRow): Promise<void> {
	await tables(metadata).insertInto("oauth_grants").values(row).execute();
}

export const selectGrant = (metadata: Metadata, id: string): Promise<GrantRow | undefined> =>
	tables(metadata).selectFrom("oauth_grants").selectAll().where("id", "=", id).executeTakeFirst();

/** Grants of a user that something can still be read with, newest first. */
export const selectLiveGrants = (metadata: Metadata, userId: number, nowMs: number): Promise<GrantRow[]> =>
	tables(metadata)
		.selectFrom("oauth_grants")
		.selectAll()
		.where("user_id", "=", userId)
		.where("revoked_at", "is", null)
		.where("expires_at", ">", nowMs)
		.orderBy("created_at", "desc")
		.orderBy("id")
		.execute();

/** Lengthens a grant and holds its row until the transaction ends; false when it is revoked. */
export async function updateGrantEnd(metadata: Metadata, id: string, expiresAt: number): Promise<boolean> {
	const held = await tables(metadata)
		.updateTable("oauth_grants")
		.set({ expires_at: expiresAt })
		.where("id", "=", id)
		.where("revoked_at", "is", null)
		.returning("id")
		.execute();
	return held.length === 1;
}

/** Revokes a grant, and all that was given out for it; undefined when that was done before. */
export const updateGrantRevoked = (metadata: Metadata, id: string, nowMs: number): Promise<GrantRow | undefined> =>
	tables(metadata)
		.updateTable("oauth_grants")
		.set({ revoked_at: nowMs })
		.where("id", "=", id)
		.where("revoked_at", "is", null)
		.returningAll()
		.executeTakeFirst();

export async function insertCode(metadata: Metadata, row: CodeRow): Promise<void> {
	await tables(metadata).insertInto("oauth_codes").values(row).execute();
}

export const selectCode = (metadata: Metadata, hash: string): Promise<CodeRow | undefined> =>
	tables(metadata).selectFrom("oauth_codes").selectAll().where("code_hash", "=", hash).executeTakeFirst();

/** Uses a code up; false when it was used before. */
export async function updateCodeUsed(metadata: Metadata, hash: string, nowMs: number): Promise<boolean> {
	const used = await tables(metadata)
		.updateTable("oauth_codes")
		.set({ used_at: nowMs })
		.where("code_hash", "=", hash)
		.where("used_at", "is", null)
		.returning("code_hash")
		.execute();
	return used.length === 1;
}

export async function insertToken(metadata: Metadata, row: TokenRow): Promise<void> {
	await tables(metadata).insertInto("oauth_tokens").values(row).execute();
}

export const selectToken = (metadata: Metadata, hash: string): Promise<TokenRow | undefined> =>
	tables(metadata).selectFrom("oauth_tokens").selectAll().where("token_hash", "=", hash).executeTakeFirst();

/** Uses a refresh token up; false when it was used before. */
export async function updateTokenUsed(metadata: Metadata, hash: string, nowMs: number): Promise<boolean> {
	const used = await tables(metadata)
		.updateTable("oauth_tokens")
		.set({ used_at: nowMs })
		.where("token_hash", "=", hash)
		.where("used_at", "is", null)
		.returning("token_hash")
		.execute();
	return used.length === 1;
}

export async function deleteToken(metadata: Metadata, hash: string): Promise<void> {
	await tables(metadata).deleteFrom("oauth_tokens").where("token_hash", "=", hash).execute();
}

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

type ClientRow = Row<"oauth_clients">;

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

export type RequestRow = Row<"oauth_requests">;

export async function insertRequest(metadata: Metadata, row: RequestRow): Promise<void> {
	await tables(metadata).insertInto("oauth_requests").values(row).execute();
}

/** A request that waits for a decision still. */
export const selectPendingRequest = (
	metadata: Metadata,
	idHash: string,
	nowMs: number,
): Promise<RequestRow | undefined> =>
	tables(metadata)
		.selectFrom("oauth_requests")
		.selectAll()
		.where("id_hash", "=", idHash)
		.where("decided_at", "is", null)
		.where("expires_at", ">", nowMs)
		.executeTakeFirst();

/** Decides on a request; false when somebody did so before, or its time is over. */
export async function updateDecided(metadata: Metadata, idHash: string, nowMs: number): Promise<boolean> {
	const decided = await tables(metadata)
		.updateTable("oauth_requests")
		.set({ decided_at: nowMs })
		.where("id_hash", "=", idHash)
		.where("decided_at", "is", null)
		.where("expires_at", ">", nowMs)
		.returning("id_hash")
		.execute();
	return decided.length === 1;
}

/** Forgets requests whose time was over at a moment. */
export async function deleteOldRequests(metadata: Metadata, endedBefore: number): Promise<void> {
	await tables(metadata).deleteFrom("oauth_requests").where("expires_at", "<=", endedBefore).execute();
}
