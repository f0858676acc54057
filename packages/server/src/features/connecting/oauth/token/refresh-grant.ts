import type { OAuthDeps } from "../deps.ts";
import { OAuthError } from "../protocol/oauth-error.ts";
import { checkSameResource, type Parameters, parseScopes, required, storedScopes } from "../protocol/parameters.ts";
import { type GrantRow, selectToken, updateTokenUsed } from "../store.ts";
import type { IssuedTokens } from "./issue-tokens.ts";
import { redeem } from "./redeem.ts";

/** An app may send the same token twice at once, to any process of the service; a later replay means that it was stolen. */
const REPLAY_GRACE_MS = 10_000;

const invalid = () => new OAuthError("invalid_grant", "The refresh token is not valid");

/**
 * Exchanges a refresh token for the next one and an access token, once (RFC 6749, 6). One that comes again within ten seconds
 * is only refused, later it ends the grant. Throws `OAuthError`.
 */
export async function refreshGrant(deps: OAuthDeps, parameters: Parameters, ip: string): Promise<IssuedTokens> {
	const text = required(parameters, "refresh_token");
	const clientId = required(parameters, "client_id");
	return redeem(deps, {
		text,
		clientId,
		ip,
		select: async (metadata, hash) => {
			const token = await selectToken(metadata, hash);
			return token?.kind === "refresh" ? token : undefined;
		},
		checks: [
			(_, grant) => {
				if (grant.revoked_at !== null) throw invalid();
			},
			(_, grant) => checkNoMoreScopes(parameters, grant),
			(_, grant) => checkSameResource(parameters, grant.audience, deps.rootUrl),
		],
		useUp: updateTokenUsed,
		reuse: { reason: "a refresh token was used again", graceMs: REPLAY_GRACE_MS },
		invalid,
	});
}

/** RFC 6749, 6: no scope that was not approved. */
function checkNoMoreScopes(parameters: Parameters, grant: GrantRow): void {
	const approved: readonly string[] = storedScopes(grant.scopes);
	const asked = parseScopes(parameters.get("scope"));
	if (asked?.every((scope) => approved.includes(scope))) return;
	throw new OAuthError("invalid_scope", "scope has more than was approved");
}
