import { createHash } from "node:crypto";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { requestOf } from "./request-of.ts";

interface Injectable {
	inject(options: InjectOptions): Promise<LightMyRequestResponse>;
}

type Headers = Readonly<Record<string, string>>;

/** Address to which the apps of these tests have their users sent back. */
export const appCallback = "https://app.example/callback";
export const appVerifier = "an-app-of-a-test-keeps-this-to-itself-0123456789";
/** Sent with the authorization request in its place. */
const appChallenge = createHash("sha256").update(appVerifier).digest("base64url");

interface Wish {
	/** The session of whoever lets the app in. */
	readonly headers: Headers;
	readonly site: string;
	readonly scope?: string;
	readonly resource?: string;
	readonly clientId?: string;
}

export async function registerApp(app: Injectable, fields: object = {}): Promise<string> {
	const payload = { redirect_uris: [appCallback], client_name: "Reader", ...fields };
	const response = await app.inject(requestOf("POST /oauth/register", { body: payload }));
	if (response.statusCode !== 201) throw new Error(response.body);
	return response.json().client_id;
}

export type Fields = Readonly<Record<string, string | undefined>>;

/** Fields as they travel in a query or in a form; undefined ones are left out. */
export const encoded = (fields: Fields): string => {
	const params = new URLSearchParams();
	for (const [name, value] of Object.entries(fields)) if (value !== undefined) params.append(name, value);
	return params.toString();
};

/** Parameters of a faultless authorization request, with changes; undefined leaves one out. */
export const authorizationOf = (clientId: string, changes: Fields = {}): Fields => ({
	response_type: "code",
	client_id: clientId,
	redirect_uri: appCallback,
	scope: "analytics:read offline_access",
	state: "af0ifjsldkj",
	code_challenge: appChallenge,
	code_challenge_method: "S256",
	...changes,
});

export const askForAccess = (app: Injectable, clientId: string, changes: Fields = {}) =>
	app.inject({ url: `/api/v1/oauth/authorize?${encoded(authorizationOf(clientId, changes))}` });

/** The id of the request that an authorization request leaves waiting. */
export function requestIdIn(response: LightMyRequestResponse): string {
	const id = new URL(String(response.headers.location)).searchParams.get("request_id");
	if (id === null) throw new Error(String(response.headers.location));
	return id;
}

export const sendForm = (app: Injectable, url: string, fields: Fields) =>
	app.inject({
		method: "POST",
		url: `/api/v1${url}`,
		headers: { "content-type": "application/x-www-form-urlencoded" },
		payload: encoded(fields),
	});

export async function approvedCode(app: Injectable, requestId: string, { headers, site }: Wish): Promise<string> {
	const body = { decision: "approve", site_id: site };
	const response = await app.inject(requestOf(`POST /oauth/consent/${requestId}/decision`, { headers, body }));
	if (response.statusCode !== 200) throw new Error(response.body);
	return new URL(response.json().data.redirect_to).searchParams.get("code") ?? "";
}

export const exchangeCode = (app: Injectable, clientId: string, code: string, changes: Fields = {}) =>
	sendForm(app, "/oauth/token", {
		grant_type: "authorization_code",
		client_id: clientId,
		redirect_uri: appCallback,
		code,
		code_verifier: appVerifier,
		...changes,
	});

/** Goes the whole way of an app that a user lets read a site; there is no refresh token without `offline_access`. */
export async function appTokens(app: Injectable, wish: Wish) {
	const clientId = wish.clientId ?? (await registerApp(app));
	const { scope, resource } = wish;
	const changes = { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) };
	const code = await approvedCode(app, requestIdIn(await askForAccess(app, clientId, changes)), wish);
	const response = await exchangeCode(app, clientId, code);
	if (response.statusCode !== 200) throw new Error(response.body);
	const { access_token: accessToken, refresh_token: refreshToken = "" }: Record<string, string> = response.json();
	return { clientId, accessToken: String(accessToken), refreshToken };
}
