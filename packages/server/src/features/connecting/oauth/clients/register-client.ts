import { uuid } from "../../../../platform/lib/ids.ts";
import type { OAuthDeps } from "../deps.ts";
import { OAuthError } from "../protocol/oauth-error.ts";
import { insertClient } from "../store.ts";
import { clientName, MAX_REDIRECT_URIS, type OAuthClient, redirectUriFault, redirectUriList } from "./client.ts";

/** An app that is registered by now. */
export interface RegisteredClient extends OAuthClient {
	readonly issuedAt: number;
}

/**
 * Registers an app that describes itself (RFC 7591); unknown fields are ignored.
 * Throws `invalid_redirect_uri` and `invalid_request`.
 */
export async function registerClient(deps: OAuthDeps, given: unknown): Promise<RegisteredClient> {
	const fields = objectOf(given);
	const redirectUris = redirectUrisOf(fields.redirect_uris);
	const name = clientName(fields.client_name);
	if (name === undefined) {
		throw new OAuthError("invalid_request", "client_name must be a text of up to 255 characters, on one line");
	}
	checkAuthMethod(fields.token_endpoint_auth_method);
	const client = { id: uuid(), name, redirectUris, issuedAt: deps.clock.now() };
	const registered = { created_at: client.issuedAt, last_used_at: null };
	const row = { id: client.id, name, redirect_uris: JSON.stringify(redirectUris), ...registered };
	await insertClient(deps.metadata, row);
	return client;
}

function objectOf(given: unknown): Readonly<Record<string, unknown>> {
	if (typeof given === "object" && given !== null && !Array.isArray(given)) return given as Record<string, unknown>;
	throw new OAuthError("invalid_request", "The body must be a JSON object");
}

function redirectUrisOf(given: unknown): readonly string[] {
	const uris = redirectUriList(given);
	if (uris === undefined) {
		throw new OAuthError("invalid_redirect_uri", `redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} texts`);
	}
	for (const uri of uris) {
		const fault = redirectUriFault(uri);
		if (fault !== undefined) throw new OAuthError("invalid_redirect_uri", `A redirect URI ${fault}`);
	}
	return uris;
}

/** Public clients have no secret (OAuth 2.1, 2.1): PKCE does its work. */
function checkAuthMethod(method: unknown): void {
	if (method === undefined || method === null || method === "none") return;
	throw new OAuthError("invalid_request", "token_endpoint_auth_method must be none");
}
