import { sha256Hex } from "../../../../platform/lib/crypto.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { type Actor, type ChangeDeps, recordAudit, systemActor, userActor } from "../../../auditing/audit-log/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { deleteOldGrants, deleteUnusedClients, grants, requests, selectLiveGrants, tokens } from "../store.ts";

/** Why a grant ended, for the audit log. */
export type EndReason =
	| "revoked by the user"
	| "revoked by the app"
	| "an authorization code was used again"
	| "a refresh token was used again"
	| "the user no longer reaches the site"
	| "the password was reset"
	| "the address was confirmed by another"
	| "the address was not confirmed"
	| "the account was deleted";

/** Ends a grant and everything given out for it, within a transaction of the caller; false when it had ended before. */
export async function endGrantWithin(
	trx: Metadata,
	{ grantId, actor, reason, nowMs }: { grantId: string; actor: Actor; reason: EndReason; nowMs: number },
): Promise<boolean> {
	const grant = await grants.update(trx, { id: grantId, revoked_at: null }, { revoked_at: nowMs });
	if (grant === undefined) return false;
	const details = { client_id: grant.client_id, client_name: grant.client_name, reason };
	const entry = { resourceId: grant.id, siteId: grant.site_id, details };
	await recordAudit(trx, actor, { action: "oauth_grant.revoked", ...entry }, nowMs);
	return true;
}

/** Ends a grant whose user was deactivated or lost the site, when that is seen. */
export async function endLostGrant(deps: ChangeDeps, grantId: string): Promise<void> {
	const nowMs = deps.clock.now();
	const reason = "the user no longer reaches the site";
	await deps.metadata
		.transaction()
		.execute((trx) => endGrantWithin(trx, { grantId, actor: systemActor, reason, nowMs }));
}

/** Ends every grant of a user, within a transaction of the caller; because the password was reset, if no reason is given. */
export async function endGrantsOf(
	trx: Metadata,
	ended: { readonly userId: number; readonly actor: Actor; readonly reason?: EndReason; readonly nowMs: number },
): Promise<void> {
	const { userId, actor, reason = "the password was reset", nowMs } = ended;
	for (const { id } of await selectLiveGrants(trx, userId, nowMs)) {
		await endGrantWithin(trx, { grantId: id, actor, reason, nowMs });
	}
}

/**
 * Revokes what an app shows (RFC 7009): an access token alone, and with a refresh token the whole grant. An unknown
 * token is no error there (section 2.2), and one of another app is left alone.
 */
export async function revokeToken(deps: OAuthDeps, parameters: Parameters, ip: string): Promise<void> {
	const given = parameters.get("token");
	const token = given === undefined ? undefined : await tokens.find(deps.metadata, { token_hash: sha256Hex(given) });
	const grant = token && (await grants.find(deps.metadata, { id: token.grant_id }));
	const clientId = parameters.get("client_id");
	if (token === undefined || grant === undefined) return;
	if (clientId !== undefined && clientId !== grant.client_id) return;
	if (token.kind === "access") return tokens.drop(deps.metadata, { token_hash: token.token_hash });
	const ended = { grantId: grant.id, actor: userActor(grant.user_id, ip), reason: "revoked by the app" } as const;
	await deps.metadata.transaction().execute((trx) => endGrantWithin(trx, { ...ended, nowMs: deps.clock.now() }));
}

/** Lifetime of a registered app without an approval. */
const UNUSED_DAYS = 7;
/** An app that was approved once, and not again in this time. */
const FORGOTTEN_DAYS = 365;

/** Deletes ended requests, tokens that ended more than a day ago, and unused apps. */
export async function dropEndedAccess({ metadata, clock }: ChangeDeps): Promise<void> {
	const now = clock.now();
	await requests.drop(metadata, { expires_at: { "<=": now } });
	await deleteOldGrants(metadata, now - DAY_MS);
	const unusedSince = now - UNUSED_DAYS * DAY_MS;
	await deleteUnusedClients(metadata, { unusedSince, usedBefore: now - FORGOTTEN_DAYS * DAY_MS });
}
