import { MINUTE_MS } from "../../../../platform/lib/durations.ts";
import { randomToken } from "../../../../platform/lib/ids.ts";
import type { OAuthClient } from "../clients/client.ts";
import { type ClientDocuments, isDocumentAddress } from "../clients/client-documents.ts";
import { findClient } from "../clients/find-client.ts";
import { isFreePortOf, withAnswer } from "../clients/redirect-uri.ts";
import { requestHash } from "../consent/pending-request.ts";
import type { OAuthDeps } from "../deps.ts";
import { OAuthError } from "../protocol/oauth-error.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { scopeText } from "../protocol/scopes.ts";
import { readAuthorizationRequest } from "./authorization-request.ts";
import { insertRequest } from "./requests-store.ts";

const REQUEST_LIFE_MS = 30 * MINUTE_MS;

/** Where the page is that asks the user. */
const CONSENT_PATH = "/oauth/consent";

/**
 * Takes an authorization request; answers where the browser goes: to the question for the user, or back to the app with an
 * error. Throws `OAuthError` while it is not sure that the address to go back to belongs to the app.
 */
export async function startAuthorization(
	deps: OAuthDeps & { readonly documents: ClientDocuments },
	parameters: Parameters,
): Promise<string> {
	const client = await requestingClient(deps, parameters);
	const redirectUri = registeredRedirectUri(client, parameters);
	const state = parameters.get("state");
	try {
		const { scopes, codeChallenge, audience } = readAuthorizationRequest(parameters, deps.rootUrl);
		const requestId = randomToken();
		const now = deps.clock.now();
		await insertRequest(deps.metadata, {
			id_hash: requestHash(requestId),
			client_id: client.id,
			client_name: client.name,
			redirect_uri: redirectUri,
			scopes: scopeText(scopes),
			state: state ?? null,
			code_challenge: codeChallenge,
			audience,
			created_at: now,
			expires_at: now + REQUEST_LIFE_MS,
			decided_at: null,
		});
		return `${deps.rootUrl}${CONSENT_PATH}?request_id=${requestId}`;
	} catch (error) {
		if (!(error instanceof OAuthError)) throw error;
		const fault = { error: error.code, error_description: error.message };
		return withAnswer(redirectUri, { ...fault, state, iss: deps.rootUrl });
	}
}

/** A browser is answered with a page, so an unknown client is 400 here and not 401. */
async function requestingClient(
	deps: OAuthDeps & { readonly documents: ClientDocuments },
	parameters: Parameters,
): Promise<OAuthClient> {
	const clientId = parameters.get("client_id");
	if (clientId === undefined) throw new OAuthError("invalid_request", "client_id must be given once");
	return findClient(deps, clientId).catch((error: unknown) => {
		throw error instanceof OAuthError ? new OAuthError(error.code, error.message, 400) : error;
	});
}

/**
 * The same text as one that the app registered (OAuth 2.1, 2.3): no prefix, no other port, no other case. Only a document, which
 * is one for all users of an app, cannot know which port will be free on loopback: there one without a port stands for any.
 */
function registeredRedirectUri(client: OAuthClient, parameters: Parameters): string {
	const redirectUri = parameters.get("redirect_uri");
	if (redirectUri === undefined) throw new OAuthError("invalid_request", "redirect_uri must be given once");
	if (client.redirectUris.includes(redirectUri)) return redirectUri;
	const isDescribed = isDocumentAddress(client.id);
	if (isDescribed && client.redirectUris.some((uri) => isFreePortOf(uri, redirectUri))) return redirectUri;
	throw new OAuthError("invalid_redirect_uri", "redirect_uri is not one that the client registered");
}
