import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before } from "node:test";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { createSite, type Session, signIn } from "./accounts.ts";
import { dataOf, requestOf } from "./request-of.ts";
import { type TestApp, testApp } from "./test-app.ts";

/** Address under which the service of an OAuth test believes to be reached. */
export const publicUrl = "https://stats.example";
/** Address to which the apps of these tests have their users sent back. */
export const redirectUri = "https://app.example/callback";
/** Secret of the app; its hash is sent with the authorization request. */
export const verifier = "an-app-of-a-test-keeps-this-to-itself-0123456789";

export const challengeOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

interface Injectable {
	inject(options: InjectOptions): Promise<LightMyRequestResponse>;
}
type Headers = Readonly<Record<string, string>>;
export type Fields = Readonly<Record<string, string | undefined>>;

/** An app that is registered with a service. */
interface Client {
	readonly app: Injectable;
	readonly clientId: string;
}

/** An app that this user may let read this site. */
interface Wish extends Client {
	readonly site: string;
	readonly owner: { readonly headers: Headers };
}

export interface OAuthScene extends Wish {
	readonly app: TestApp;
	owner: Session;
}

/** Opens the service with a user, a site of the user, and a registered app. */
export const oauthScene = async (options: Parameters<typeof testApp>[0] = {}): Promise<OAuthScene> =>
	sceneOn(await testApp({ ...options, env: { PUBLIC_URL: publicUrl, ...options.env } }));

/** The same for the tests of a file, each of which may change it. */
export function sharedScene(options: Parameters<typeof testApp>[0] = {}): OAuthScene {
	const scene = {} as OAuthScene;
	before(async () => void Object.assign(scene, await oauthScene(options)));
	after(() => scene.app.close());
	return scene;
}

/** The same on a service that is open. */
export async function sceneOn(app: TestApp): Promise<OAuthScene> {
	const owner = await signIn(app, { email: "ann@example.com" });
	const site = await createSite(app, owner, { name: "Shop" });
	return { app, site, owner, clientId: await registerClient(app) };
}

export async function registerApp(app: Injectable, fields: object = {}): Promise<string> {
	const body = { redirect_uris: [redirectUri], client_name: "Reader", ...fields };
	return (await dataOf(app, "POST /oauth/register", { body })).client_id;
}

export const registerClient = (app: Injectable, ...redirectUris: readonly string[]): Promise<string> =>
	registerApp(app, { client_name: "An app", ...(redirectUris.length > 0 && { redirect_uris: redirectUris }) });

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
	redirect_uri: redirectUri,
	scope: "analytics:read offline_access",
	state: "af0ifjsldkj",
	code_challenge: challengeOf(verifier),
	code_challenge_method: "S256",
	...changes,
});

export const authorize = ({ app, clientId }: Client, changes: Fields = {}): Promise<LightMyRequestResponse> =>
	app.inject({ url: `/api/v1/oauth/authorize?${encoded(authorizationOf(clientId, changes))}` });

export function locationOf(response: LightMyRequestResponse): URL {
	assert.equal(response.statusCode, 302, response.body);
	return new URL(String(response.headers.location));
}

/** Begins an authorization; answers the id of the request that waits for the user. */
export const pendingRequest = async (client: Client, changes: Fields = {}): Promise<string> =>
	locationOf(await authorize(client, changes)).searchParams.get("request_id") ?? assert.fail("No request waits");

/** An app of this name, from an address of its own, asks; `page` is the one to which its user is led, without the host. */
export async function askForAccess(
	app: Injectable,
	wish: { name?: string; redirectUri?: string; scope?: string; resource?: string } = {},
) {
	const { name = "Notebook", redirectUri: uri = "https://notebook.example/callback", scope, resource } = wish;
	const elsewhere: Injectable = {
		inject: (request) =>
			app.inject({ ...request, headers: { ...request.headers, "x-forwarded-for": "198.51.100.20" } }),
	};
	const clientId = await registerApp(elsewhere, { client_name: name, redirect_uris: [uri] });
	const changes = { redirect_uri: uri, state: "state of the app", scope, resource };
	const { pathname, search, searchParams } = locationOf(await authorize({ app: elsewhere, clientId }, changes));
	return { clientId, requestId: searchParams.get("request_id") ?? "", page: pathname + search };
}
export type AskedAccess = Awaited<ReturnType<typeof askForAccess>>;

/** The user's answer to a request; approves with the scene's site unless told otherwise. */
export function decide(
	{ app, site, owner }: Omit<Wish, "clientId">,
	requestId: string,
	{ as: { headers } = owner, body }: { as?: { headers: Headers }; body?: object } = {},
): Promise<LightMyRequestResponse> {
	const answer = body ?? { decision: "approve", site_id: site };
	return app.inject(requestOf(`POST /oauth/consent/${requestId}/decision`, { headers, body: answer }));
}

/** The code of a request that the user approves. */
export async function approvedCode(user: Omit<Wish, "clientId">, requestId: string): Promise<string> {
	const response = await decide(user, requestId);
	assert.equal(response.statusCode, 200, response.body);
	return new URL(response.json().data.redirect_to).searchParams.get("code") ?? "";
}

/** That of a new request. */
export const codeOf = async (wish: Wish, changes: Fields = {}): Promise<string> =>
	approvedCode(wish, await pendingRequest(wish, changes));

export const postForm = (app: Injectable, route: string, fields: Fields): Promise<LightMyRequestResponse> =>
	app.inject({
		method: "POST",
		url: `/api/v1/oauth/${route}`,
		headers: { "content-type": "application/x-www-form-urlencoded" },
		payload: encoded(fields),
	});

export const exchangeCode = (app: Injectable, clientId: string, code: string, changes: Fields = {}) =>
	postForm(app, "token", {
		grant_type: "authorization_code",
		client_id: clientId,
		redirect_uri: redirectUri,
		code,
		code_verifier: verifier,
		...changes,
	});

export const exchange = ({ app, clientId }: Client, code: string, changes: Fields = {}) =>
	exchangeCode(app, clientId, code, changes);

export function refresh({ app, clientId }: Client, token: string, changes: Fields = {}) {
	const fields = { grant_type: "refresh_token", client_id: clientId, refresh_token: token };
	return postForm(app, "token", { ...fields, ...changes });
}

export type Tokens = Readonly<Record<"access_token" | "refresh_token" | "token_type" | "scope", string>>;

/** The tokens of an answer that must be a success. */
export function tokensIn(response: LightMyRequestResponse): Tokens {
	assert.equal(response.statusCode, 200, response.body);
	return response.json();
}

export const tokensFor = async (wish: Wish, changes: Fields = {}): Promise<Tokens> =>
	tokensIn(await exchange(wish, await codeOf(wish, changes)));

/** Goes the whole way of a new app that a user lets read a site. */
export async function appTokens(
	app: Injectable,
	{ headers, site, ...changes }: { headers: Headers; site: string; scope?: string; resource?: string },
) {
	const clientId = await registerApp(app);
	const tokens = await tokensFor({ app, clientId, site, owner: { headers } }, changes);
	return { clientId, accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
}

/** Asks the REST API with an access token; for the site of the scene when no path is given. */
export const ask = ({ app, site }: Omit<Wish, "clientId">, token: string, path = `/sites/${site}`) =>
	app.inject(requestOf(`GET ${path}`, { headers: { authorization: `Bearer ${token}` } }));

export const askMcp = ({ app }: Pick<Client, "app">, token: string) =>
	app.inject({
		method: "POST",
		url: "/mcp",
		headers: { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream" },
		payload: { jsonrpc: "2.0", id: 1, method: "tools/list" },
	});

/** Status and error code of a refusal in the shape of OAuth. */
export const refusal = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json<{ error: string }>().error];
