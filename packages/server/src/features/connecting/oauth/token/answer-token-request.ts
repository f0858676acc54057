import type { OAuthDeps } from "../deps.ts";
import { OAuthError } from "../protocol/oauth-error.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { required } from "../protocol/parameters.ts";
import { exchangeCode } from "./exchange-code.ts";
import type { IssuedTokens } from "./issue-tokens.ts";
import { refreshGrant } from "./refresh-grant.ts";

/** Grant types of token requests. */
const grantTypes: Readonly<Record<string, typeof refreshGrant>> = {
	authorization_code: exchangeCode,
	refresh_token: refreshGrant,
};

/** A request for tokens: its form, the header by which an app would show a secret, and where it comes from. */
export interface TokenRequest {
	readonly parameters: Parameters;
	readonly authorization: string | undefined;
	readonly ip: string;
}

/** Gives out tokens for a code or a refresh token. Throws `OAuthError`. */
export async function answerTokenRequest(
	deps: OAuthDeps,
	{ parameters, authorization, ip }: TokenRequest,
): Promise<IssuedTokens> {
	// RFC 6749, 2.3.1: apps have no secret here, so there is none that this header could prove.
	if (authorization !== undefined) throw new OAuthError("invalid_client", "Clients do not authenticate with a header");
	if (parameters.repeated.length > 0) throw new OAuthError("invalid_request", "A parameter was sent more than once");
	const type = required(parameters, "grant_type");
	const answer = Object.hasOwn(grantTypes, type) ? grantTypes[type] : undefined;
	if (answer === undefined) throw new OAuthError("unsupported_grant_type", "grant_type is not supported");
	return answer(deps, parameters, ip);
}
