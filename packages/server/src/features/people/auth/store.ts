import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { endOneTimeTokens } from "../one-time-tokens/index.ts";

export type SessionRow = Row<"sessions">;

export const sessionsTable = tableOf("sessions");

export const findSession = (metadata: Metadata, id: string) => sessionsTable.find(metadata, { id });

/** The user's sessions that can still be used, newest first. */
export const liveSessions = (metadata: Metadata, user_id: number, nowMs: number): Promise<SessionRow[]> =>
	sessionsTable.list(metadata, { user_id, ...live(nowMs) }, "created_at desc", "id");

const live = (nowMs: number) => ({ revoked_at: null, expires_at: { ">": nowMs } });

/** Revokes live sessions of a user: one by id, or all but one; answers how many. */
export async function revokeSessions(
	metadata: Metadata,
	user_id: number,
	{ id, except }: { id?: string; except?: string | undefined },
	nowMs: number,
): Promise<number> {
	const where = { user_id, id: id ?? { "!=": except }, ...live(nowMs) };
	return (await sessionsTable.updateAll(metadata, where, { revoked_at: nowMs })).length;
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
export async function forgetEndedSessions(metadata: Metadata, userId: number | "everybody", nowMs: number) {
	let ended = tables(metadata)
		.deleteFrom("sessions")
		.where((query) => query.or([query("expires_at", "<=", nowMs), query("revoked_at", "<=", nowMs - DAY_MS)]));
	if (userId !== "everybody") ended = ended.where("user_id", "=", userId);
	await ended.execute();
}

/** Makes this the only link that opens the setup page. */
export async function replaceSetupLink(metadata: Metadata, tokenHash: string, nowMs: number): Promise<void> {
	await tables(metadata).deleteFrom("setup_links").execute();
	await setupLinks.insert(metadata, { token_hash: tokenHash, created_at: nowMs });
}

export const setupLinks = tableOf("setup_links");

export type AddressChangeRow = Row<"address_changes">;

/** The change of a user's address that waits; undefined when there is none, or its time is over. */
export const findAddressChange = (metadata: Metadata, user_id: number, nowMs: number) =>
	addressChanges.find(metadata, { user_id, expires_at: { ">": nowMs } });

export const addressChanges = tableOf("address_changes");

/** Ends a change of the address that waits, with its links; false when there was none. Within a transaction of the caller. */
export async function endAddressChange(trx: Metadata, userId: number): Promise<boolean> {
	for (const kind of ["address_change_current", "address_change_new"] as const) {
		await endOneTimeTokens(trx, kind, userId);
	}
	return (await addressChanges.delete(trx, { user_id: userId })) !== undefined;
}
