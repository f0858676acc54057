import { equalConstantTime, s256 } from "../../../../platform/lib/crypto.ts";
import type { OAuthDeps } from "../deps.ts";
import { OAuthError } from "../protocol/oauth-error.ts";
import { checkSameResource, type Parameters, required } from "../protocol/parameters.ts";
import { selectCode, updateCodeUsed } from "../store.ts";
import type { IssuedTokens } from "./issue-tokens.ts";
import { redeem } from "./redeem.ts";

/** 43 to 128 characters (RFC 7636, 4.1). */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

const invalid = () => new OAuthError("invalid_grant", "The code is not valid for this request");

/**
 * Exchanges an authorization code for tokens, once (RFC 6749, 4.1.3). A code that comes again ends the grant (OAuth 2.1,
 * 4.1.3). Throws `OAuthError`.
 */
export async function exchangeCode(deps: OAuthDeps, parameters: Parameters, ip: string): Promise<IssuedTokens> {
	const text = required(parameters, "code");
	const clientId = required(parameters, "client_id");
	const redirectUri = required(parameters, "redirect_uri");
	const verifier = required(parameters, "code_verifier");
	return redeem(deps, {
		text,
		clientId,
		ip,
		select: selectCode,
		checks: [
			(code) => {
				if (redirectUri !== code.redirect_uri) throw invalid();
			},
			// RFC 7636, 4.6: the client is the one that began the request.
			(code) => {
				if (!VERIFIER.test(verifier) || !equalConstantTime(s256(verifier), code.code_challenge)) throw invalid();
			},
			(_, grant) => checkSameResource(parameters, grant.audience, deps.rootUrl),
		],
		useUp: updateCodeUsed,
		reuse: { reason: "an authorization code was used again" },
		invalid,
	});
}
