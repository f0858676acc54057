import assert from "node:assert/strict";
import { appVerifier, askForAccess as ask, registerApp } from "./app-token.ts";
import type { TestApp } from "./test-app.ts";

/** The secret of the app's request (RFC 7636). */
export const codeVerifier = appVerifier;

export type AskedAccess = Awaited<ReturnType<typeof askForAccess>>;

interface Wish {
	readonly name?: string;
	readonly redirectUri?: string;
	readonly scope?: string;
	readonly resource?: string;
}

export async function askForAccess(app: Pick<TestApp, "inject">, wish: Wish = {}) {
	const { name = "Notebook", redirectUri = "https://notebook.example/callback", scope, resource } = wish;
	const elsewhere: typeof app = {
		inject: (request) =>
			app.inject({ ...request, headers: { ...request.headers, "x-forwarded-for": "198.51.100.20" } }),
	};
	const clientId = await registerApp(elsewhere, { client_name: name, redirect_uris: [redirectUri] });
	const asked = { redirect_uri: redirectUri, state: "state of the app", scope, resource };
	const response = await ask(elsewhere, clientId, asked);
	assert.equal(response.statusCode, 302, response.body);
	const { pathname, search, searchParams } = new URL(String(response.headers.location));
	// `page` is the one to which the app's user is led, without the host.
	return { clientId, requestId: searchParams.get("request_id") ?? "", page: pathname + search };
}
