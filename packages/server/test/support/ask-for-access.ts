import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { TestApp } from "./test-app.ts";

/** The secret of the app's request (RFC 7636). */
export const codeVerifier = "a-verifier-of-the-tests-that-is-long-enough-for-it";

/** An app's request that waits for an answer. */
export interface AskedAccess {
	readonly clientId: string;
	readonly requestId: string;
	/** The page to which the app's user is led, without the host. */
	readonly page: string;
}

/** Registers an app and asks for access as it does. */
export async function askForAccess(
	app: Pick<TestApp, "inject">,
	options: {
		readonly name?: string;
		readonly redirectUri?: string;
		readonly scope?: string;
		readonly resource?: string;
	} = {},
): Promise<AskedAccess> {
	const { name = "Notebook", redirectUri = "https://notebook.example/callback", scope, resource } = options;
	const headers = { "x-forwarded-for": "198.51.100.20" };
	const payload = { client_name: name, redirect_uris: [redirectUri] };
	const registered = await app.inject({ method: "POST", url: "/api/v1/oauth/register", headers, payload });
	assert.equal(registered.statusCode, 201, registered.body);
	const { client_id: clientId } = registered.json();
	const query = new URLSearchParams({
		client_id: clientId,
		redirect_uri: redirectUri,
		response_type: "code",
		state: "state of the app",
		code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
		code_challenge_method: "S256",
		...(scope === undefined ? {} : { scope }),
		...(resource === undefined ? {} : { resource }),
	});
	const response = await app.inject({ method: "GET", url: `/api/v1/oauth/authorize?${query}`, headers });
	assert.equal(response.statusCode, 302, response.body);
	const { pathname, search, searchParams } = new URL(String(response.headers.location));
	return { clientId, requestId: searchParams.get("request_id") ?? "", page: pathname + search };
}
