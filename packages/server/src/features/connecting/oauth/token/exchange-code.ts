import { equalConstantTime, s256, sha256Hex } from "../../../../platform/lib/crypto.ts";
import { userActor } from "../../../auditing/audit-log/index.ts";
import { checkClientExists } from "../clients/find-client.ts";
import type { OAuthDeps } from "../deps.ts";
import { endGrantWithin, endLostGrant } from "../grants/end-grant.ts";
import { OAuthError } from "../protocol/oauth-error.ts";
import { checkSameResource, type Parameters, required } from "../protocol/parameters.ts";
import { type CodeRow, type GrantRow, selectCode, selectGrant, updateCodeUsed } from "../store.ts";
import { type IssuedTokens, isStillHeld, issueTokens } from "./issue-tokens.ts";

interface Exchange {
	readonly code: string;
	readonly clientId: string;
	readonly redirectUri: string;
	readonly verifier: string;
	readonly parameters: Parameters;
	readonly nowMs: number;
	readonly rootUrl: string;
}

interface Found {
	readonly code: CodeRow;
	readonly grant: GrantRow;
}

/** 43 to 128 characters (RFC 7636, 4.1). */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** One rule each, in the order in which they are checked. A code that fails one of them stays as it was. */
const checks: readonly ((asked: Exchange, found: Found) => void)[] = [
	unexpired,
	sameRedirectUri,
	verifierOfTheChallenge,
	({ parameters, rootUrl }, { grant }) => checkSameResource(parameters, grant.audience, rootUrl),
];

/** One message for every reason, so that guessing codes reveals nothing. */
const invalidCode = () => new OAuthError("invalid_grant", "The code is not valid for this request");

/**
 * Exchanges an authorization code for tokens, once (RFC 6749, 4.1.3). A code that comes again ends the grant.
 * Throws `OAuthError`.
 */
export async function exchangeCode(deps: OAuthDeps, parameters: Parameters, ip: string): Promise<IssuedTokens> {
	const asked: Exchange = {
		code: required(parameters, "code"),
		clientId: required(parameters, "client_id"),
		redirectUri: required(parameters, "redirect_uri"),
		verifier: required(parameters, "code_verifier"),
		parameters,
		nowMs: deps.clock.now(),
		rootUrl: deps.rootUrl,
	};
	await checkClientExists(deps.metadata, asked.clientId);
	const found = await codeOfClient(deps, asked);
	const hash = found.code.code_hash;
	if (found.code.used_at !== null) return refuseReuse(deps, found, ip);
	for (const check of checks) check(asked, found);
	if (!(await isStillHeld(deps.metadata, found.grant))) {
		await endLostGrant(deps, found.grant.id);
		throw invalidCode();
	}
	const issued = await deps.metadata.transaction().execute(async (trx) => {
		// First: of two exchanges at once, the second finds the code used.
		if (!(await updateCodeUsed(trx, hash, asked.nowMs))) return undefined;
		const tokens = await issueTokens(trx, found.grant, asked.nowMs);
		if (tokens === undefined) throw invalidCode();
		return tokens;
	});
	return issued ?? refuseReuse(deps, found, ip);
}

async function codeOfClient(deps: OAuthDeps, asked: Exchange): Promise<Found> {
	const code = await selectCode(deps.metadata, sha256Hex(asked.code));
	const grant = code && (await selectGrant(deps.metadata, code.grant_id));
	if (code === undefined || grant === undefined || grant.client_id !== asked.clientId) throw invalidCode();
	return { code, grant };
}

/** OAuth 2.1, 4.1.3: the code may be stolen, so the tokens of its first use are revoked. */
async function refuseReuse(deps: OAuthDeps, { grant }: Found, ip: string): Promise<never> {
	const reason = "an authorization code was used again";
	const ended = { grantId: grant.id, actor: userActor(grant.user_id, ip), reason, nowMs: deps.clock.now() } as const;
	await deps.metadata.transaction().execute((trx) => endGrantWithin(trx, ended));
	throw invalidCode();
}

function unexpired({ nowMs }: Exchange, { code }: Found): void {
	if (code.expires_at <= nowMs) throw invalidCode();
}

function sameRedirectUri({ redirectUri }: Exchange, { code }: Found): void {
	if (redirectUri !== code.redirect_uri) throw invalidCode();
}

/** RFC 7636, 4.6: the client is the one that began the request. */
function verifierOfTheChallenge({ verifier }: Exchange, { code }: Found): void {
	if (!VERIFIER.test(verifier) || !equalConstantTime(s256(verifier), code.code_challenge)) throw invalidCode();
}
