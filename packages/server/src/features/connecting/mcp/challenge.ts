import type { App } from "../../../platform/http/app.ts";

/** Puts on every 401 of a scope where a client learns how to get a token (RFC 9728, 5.1; RFC 6750, 3). */
export function challengeCallers(scope: App, rootUrl: string): void {
	// Clients ask for just the scopes that are named here, and without `offline_access` for no refresh token.
	const metadata = `Bearer resource_metadata="${rootUrl}/.well-known/oauth-protected-resource/mcp", scope="analytics:read offline_access"`;
	scope.addHook("onSend", async ({ headers }, reply) => {
		if (reply.statusCode !== 401) return;
		const wasShown = headers.authorization !== undefined || headers["x-api-key"] !== undefined;
		reply.header("www-authenticate", wasShown ? `${metadata}, error="invalid_token"` : metadata);
	});
}
