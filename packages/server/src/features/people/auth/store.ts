import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { endOneTimeTokens } from "../one-time-tokens/index.ts";

export type SessionRow = Row<"sessions">;

export async function insertSession(metadata: Metadata, row: NewRow<"sessions">): Promise<void> {
	await tables(metadata).insertInto("sessions").values(row).execute();
}

export const findSession = (metadata: Metadata, sessionId: string): Promise<SessionRow | undefined> =>
	tables(metadata).selectFrom("sessions").selectAll().where("id", "=", sessionId).executeTakeFirst();

/** The user's sessions that can still be used, newest first. */
export const liveSessions = (metadata: Metadata, userId: number, nowMs: number): Promise<SessionRow[]> =>
	tables(metadata)
		.selectFrom("sessions")
		.selectAll()
		.where("user_id", "=", userId)
		.where("revoked_at", "is", null)
		.where("expires_at", ">", nowMs)
		.orderBy("created_at", "desc")
		.orderBy("id")
		.execute();

/** Puts a new refresh token in the place of the one that `session` was read with; false when another request did so first or the session is revoked. */
export async function rotateRefresh(
	metadata: Metadata,
	session: Pick<SessionRow, "id" | "refresh_hash">,
	to: Pick<SessionRow, "refresh_hash" | "rotated_hashes" | "last_used_at" | "expires_at">,
): Promise<boolean> {
	const rotated = await tables(metadata)
		.updateTable("sessions")
		.set(to)
		.where("id", "=", session.id)
		.where("refresh_hash", "=", session.refresh_hash)
		.where("revoked_at", "is", null)
		.returning("id")
		.execute();
	return rotated.length === 1;
}

/** Revokes live sessions of a user: one by id, or all but one; answers how many. */
export async function revokeSessions(
	metadata: Metadata,
	userId: number,
	which: { id?: string; except?: string | undefined },
	nowMs: number,
): Promise<number> {
	let update = tables(metadata)
		.updateTable("sessions")
		.set({ revoked_at: nowMs })
		.where("user_id", "=", userId)
		.where("revoked_at", "is", null)
		.where("expires_at", ">", nowMs);
	if (which.id !== undefined) update = update.where("id", "=", which.id);
	if (which.except !== undefined) update = update.where("id", "!=", which.except);
	return (await update.returning("id").execute()).length;
}

/** Holds a session until the transaction ends, so that nothing ends it meanwhile; false when it is revoked. */
export async function holdSession(metadata: Metadata, sessionId: string): Promise<boolean> {
	const held = await tables(metadata)
		.updateTable("sessions")
		.set((session) => ({ last_used_at: session.ref("last_used_at") }))
		.where("id", "=", sessionId)
		.where("revoked_at", "is", null)
		.returning("id")
		.execute();
	return held.length === 1;
}

/** Forgets a user's sessions that ended, or everybody's; revoked ones stay for a day, until no access token names them any more. */
export async function forgetEndedSessions(
	metadata: Metadata,
	userId: number | "everybody",
	nowMs: number,
): Promise<void> {
	let ended = tables(metadata)
		.deleteFrom("sessions")
		.where((query) => query.or([query("expires_at", "<=", nowMs), query("revoked_at", "<=", nowMs - DAY_MS)]));
	if (userId !== "everybody") ended = ended.where("user_id", "=", userId);
	await ended.execute();
}

/** Makes this the only link that opens the setup page. */
export async function replaceSetupLink(metadata: Metadata, tokenHash: string, nowMs: number): Promise<void> {
	const db = tables(metadata);
	await db.deleteFrom("setup_links").execute();
	await db.insertInto("setup_links").values({ token_hash: tokenHash, created_at: nowMs }).execute();
}

export async function setupLinkExists(metadata: Metadata, tokenHash: string): Promise<boolean> {
	const db = tables(metadata);
	const row = await db
		.selectFrom("setup_links")
		.select("token_hash")
		.where("token_hash", "=", tokenHash)
		.executeTakeFirst();
	return row !== undefined;
}

/** Uses the link up; false when it was used or replaced before. */
export async function takeSetupLink(metadata: Metadata, tokenHash: string): Promise<boolean> {
	const db = tables(metadata);
	const rows = await db.deleteFrom("setup_links").where("token_hash", "=", tokenHash).returning("token_hash").execute();
	return rows.length === 1;
}

export type AddressChangeRow = Row<"address_changes">;

/** The change of a user's address that waits; undefined when there is none, or its time is over. */
export const findAddressChange = (
	metadata: Metadata,
	userId: number,
	nowMs: number,
): Promise<AddressChangeRow | undefined> =>
	tables(metadata)
		.selectFrom("address_changes")
		.selectAll()
		.where("user_id", "=", userId)
		.where("expires_at", ">", nowMs)
		.executeTakeFirst();

/** Notes a change that waits, in the place of an earlier one of the user. */
export async function replaceAddressChange(metadata: Metadata, row: AddressChangeRow): Promise<void> {
	const { user_id: _, ...columns } = row;
	await tables(metadata)
		.insertInto("address_changes")
		.values(row)
		.onConflict((conflict) => conflict.column("user_id").doUpdateSet(columns))
		.execute();
}

export async function noteConfirmation(
	metadata: Metadata,
	userId: number,
	confirmed: Partial<Pick<AddressChangeRow, "current_confirmed_at" | "new_confirmed_at">>,
): Promise<void> {
	await tables(metadata).updateTable("address_changes").set(confirmed).where("user_id", "=", userId).execute();
}

/** Ends a change of the address that waits, with its links; false when there was none. Within a transaction of the caller. */
export async function endAddressChange(trx: Metadata, userId: number): Promise<boolean> {
	for (const kind of ["address_change_current", "address_change_new"] as const) {
		await endOneTimeTokens(trx, kind, userId);
	}
	const ended = await tables(trx)
		.deleteFrom("address_changes")
		.where("user_id", "=", userId)
		.returning("user_id")
		.execute();
	return ended.length === 1;
}
