import { sha256Hex } from "../../../../platform/lib/crypto.ts";
import { userActor } from "../../../auditing/audit-log/index.ts";
import { checkClientExists } from "../clients/find-client.ts";
import type { OAuthDeps } from "../deps.ts";
import { endGrantWithin, endLostGrant } from "../grants/end-grant.ts";
import { OAuthError } from "../protocol/oauth-error.ts";
import { checkSameResource, type Parameters, parseScopes, required, storedScopes } from "../protocol/parameters.ts";
import { type GrantRow, selectGrant, selectToken, type TokenRow, updateTokenUsed } from "../store.ts";
import { type IssuedTokens, isStillHeld, issueTokens } from "./issue-tokens.ts";

/** An app may send the same token twice at once, to any process of the service; a later replay means that it was stolen. */
const REPLAY_GRACE_MS = 10_000;

interface Asked {
	readonly token: string;
	readonly clientId: string;
	readonly parameters: Parameters;
	readonly nowMs: number;
	readonly rootUrl: string;
}

interface Found {
	readonly token: TokenRow;
	readonly grant: GrantRow;
}

/** One rule each, in the order in which they are checked. A token that fails one of them stays as it was. */
const checks: readonly ((asked: Asked, found: Found) => void)[] = [
	unrevoked,
	unexpired,
	noMoreScopes,
	({ parameters, rootUrl }, { grant }) => checkSameResource(parameters, grant.audience, rootUrl),
];

const invalidToken = () => new OAuthError("invalid_grant", "The refresh token is not valid");

/**
 * Exchanges a refresh token for the next one and an access token, once (RFC 6749, 6). One that comes again within ten seconds
 * is only refused, later it ends the grant. Throws `OAuthError`.
 */
export async function refreshGrant(deps: OAuthDeps, parameters: Parameters, ip: string): Promise<IssuedTokens> {
	const asked: Asked = {
		token: required(parameters, "refresh_token"),
		clientId: required(parameters, "client_id"),
		parameters,
		nowMs: deps.clock.now(),
		rootUrl: deps.rootUrl,
	};
	await checkClientExists(deps.metadata, asked.clientId);
	const found = await tokenOfClient(deps, asked);
	const hash = found.token.token_hash;
	const { used_at: usedAt } = found.token;
	if (usedAt !== null) {
		if (asked.nowMs - usedAt > REPLAY_GRACE_MS) await endReused(deps, found.grant, ip);
		throw invalidToken();
	}
	for (const check of checks) check(asked, found);
	if (!(await isStillHeld(deps.metadata, found.grant))) {
		await endLostGrant(deps, found.grant.id);
		throw invalidToken();
	}
	return deps.metadata.transaction().execute(async (trx) => {
		// First: of two refreshes at once, one wins, and the other gets nothing.
		if (!(await updateTokenUsed(trx, hash, asked.nowMs))) throw invalidToken();
		const tokens = await issueTokens(trx, found.grant, asked.nowMs);
		if (tokens === undefined) throw invalidToken();
		return tokens;
	});
}

async function tokenOfClient(deps: OAuthDeps, asked: Asked): Promise<Found> {
	const token = await selectToken(deps.metadata, sha256Hex(asked.token));
	const grant = token?.kind === "refresh" ? await selectGrant(deps.metadata, token.grant_id) : undefined;
	if (token === undefined || grant === undefined || grant.client_id !== asked.clientId) throw invalidToken();
	return { token, grant };
}

async function endReused(deps: OAuthDeps, grant: GrantRow, ip: string): Promise<void> {
	const reason = "a refresh token was used again";
	const ended = { grantId: grant.id, actor: userActor(grant.user_id, ip), reason, nowMs: deps.clock.now() } as const;
	await deps.metadata.transaction().execute((trx) => endGrantWithin(trx, ended));
}

function unrevoked(_asked: Asked, { grant }: Found): void {
	if (grant.revoked_at !== null) throw invalidToken();
}

function unexpired({ nowMs }: Asked, { token }: Found): void {
	if (token.expires_at <= nowMs) throw invalidToken();
}

/** RFC 6749, 6: no scope that was not approved. */
function noMoreScopes({ parameters }: Asked, { grant }: Found): void {
	const approved: readonly string[] = storedScopes(grant.scopes);
	const asked = parseScopes(parameters.get("scope"));
	if (asked?.every((scope) => approved.includes(scope))) return;
	throw new OAuthError("invalid_scope", "scope has more than was approved");
}
