import assert from "node:assert/strict";
import { askForAccess as ask, registerApp } from "./app-token.ts";
import type { TestApp } from "./test-app.ts";

export interface AskedAccess {
	readonly clientId: string;
	readonly requestId: string;
	/** The page to which the app's user is led, without the host. */
	readonly page: string;
}

interface Wish {
	readonly name?: string;
	readonly redirectUri?: string;
	readonly scope?: string;
	readonly resource?: string;
}

export async function askForAccess(app: Pick<TestApp, "inject">, wish: Wish = {}): Promise<AskedAccess> {
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
	return { clientId, requestId: searchParams.get("request_id") ?? "", page: pathname + search };
}
