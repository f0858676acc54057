import { sha256Hex } from "../../../../platform/lib/crypto.ts";
import { userActor } from "../../../auditing/audit-log/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { endGrantWithin } from "./end-grant.ts";
import { deleteToken, selectGrant, selectToken } from "./grants-store.ts";

/**
 * Revokes what an app shows (RFC 7009): an access token alone, and with a refresh token the whole grant. Says nothing about
 * what it did, and does nothing for a token of another app.
 */
export async function revokeToken(deps: OAuthDeps, parameters: Parameters, ip: string): Promise<void> {
	const given = parameters.get("token");
	const token = given === undefined ? undefined : await selectToken(deps.metadata, sha256Hex(given));
	const grant = token && (await selectGrant(deps.metadata, token.grant_id));
	const clientId = parameters.get("client_id");
	if (token === undefined || grant === undefined) return;
	if (clientId !== undefined && clientId !== grant.client_id) return;
	if (token.kind === "access") return deleteToken(deps.metadata, token.token_hash);
	const ended = { grantId: grant.id, actor: userActor(grant.user_id, ip), reason: "revoked by the app" } as const;
	await deps.metadata.transaction().execute((trx) => endGrantWithin(trx, { ...ended, nowMs: deps.clock.now() }));
}
