import { sha256Hex } from "../../../../platform/lib/crypto.ts";
import { userActor } from "../../../accounts/audit-log/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { endGrantWithin, endLostGrant } from "../end-grant.ts";
import { checkClientExists } from "../find-client.ts";
import { type GrantRow, selectGrant, selectToken, type TokenRow, updateTokenUsed } from "../grants-store.ts";
import { OAuthError } from "../oauth-error.ts";
import type { Parameters } from "../parameters.ts";
import { parseScopes, storedScopes } from "../scopes.ts";
import { checkSameResource } from "./check-same-resource.ts";
import { type IssuedTokens, issueTokens } from "./issue-tokens.ts";
import { isStillHeld } from "./live-grant.ts";
import type { RecentRefreshes } from "./recent-refreshes.ts";
import { required } from "./required.ts";

/** What exchanging needs. */
export interface TokenDeps extends OAuthDeps {
	readonly recentRefreshes: RecentRefreshes;
}

/** Whose request it is. */
export interface Caller {
	readonly ip: string;
	/** `performance.now()` when the request came. */
	readonly arrivedAt: number;
	/** Calls back when the answer has gone out, or nobody waits for it any more. */
	readonly onAnswered: (then: () => void) => void;
}

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
 * Exchanges a refresh token for the next one and an access token, once (RFC 6749, 6). One that comes again ends the grant; of
 * several that come at once, which is no theft, all but one are only refused. Throws `OAuthError`.
 */
export async function refreshGrant(deps: TokenDeps, parameters: Parameters, caller: Caller): Promise<IssuedTokens> {
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
	if (found.token.used_at !== null) {
		if (!deps.recentRefreshes.isRace(hash, caller.arrivedAt)) await endReused(deps, found.grant, caller.ip);
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
		deps.recentRefreshes.begin(hash);
		caller.onAnswered(() => deps.recentRefreshes.end(hash));
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
