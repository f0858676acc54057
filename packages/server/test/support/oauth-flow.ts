import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { createSite, type Session, signIn } from "./accounts.ts";
import {
	appCallback,
	appVerifier,
	askForAccess,
	exchangeCode,
	type Fields,
	registerApp,
	requestIdIn,
	sendForm,
} from "./app-token.ts";
import { requestOf } from "./request-of.ts";
import { type TestApp, testApp } from "./test-app.ts";

/** Address under which the service of an OAuth test believes to be reached. */
export const publicUrl = "https://stats.example";
export const redirectUri = appCallback;
/** Secret of the app; its hash is sent with the authorization request. */
export const verifier = appVerifier;

export const challengeOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** A user with a site, and an app that this user may let in. */
export interface OAuthScene {
	readonly app: TestApp;
	readonly site: string;
	readonly clientId: string;
	readonly owner: Session;
}

/** Opens the service with a user, a site of the user, and a registered app. */
export const oauthScene = async (options: Parameters<typeof testApp>[0] = {}): Promise<OAuthScene> =>
	sceneOn(await testApp({ ...options, env: { PUBLIC_URL: publicUrl, ...options.env } }));

/** The same for the tests of a file, each of which may change it. */
export function sharedScene(options: Parameters<typeof testApp>[0] = {}): {
	-readonly [Part in keyof OAuthScene]: OAuthScene[Part];
} {
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

export const registerClient = (app: TestApp, ...redirectUris: readonly string[]): Promise<string> =>
	registerApp(app, { client_name: "An app", ...(redirectUris.length > 0 && { redirect_uris: redirectUris }) });

export const authorize = (scene: OAuthScene, changes: Fields = {}): Promise<LightMyRequestResponse> =>
	askForAccess(scene.app, scene.clientId, changes);

export function locationOf(response: LightMyRequestResponse): URL {
	assert.equal(response.statusCode, 302, response.body);
	return new URL(String(response.headers.location));
}

/** Begins an authorization; answers the id of the request that waits for the user. */
export const pendingRequest = async (scene: OAuthScene, changes: Fields = {}): Promise<string> =>
	requestIdIn(await authorize(scene, changes));

/** The user's answer to a request; approves with the scene's site unless told otherwise. */
export const decide = (
	scene: OAuthScene,
	requestId: string,
	{ as = scene.owner, body }: { as?: { headers: Readonly<Record<string, string>> }; body?: object } = {},
): Promise<LightMyRequestResponse> =>
	scene.app.inject(
		requestOf(`POST /oauth/consent/${requestId}/decision`, {
			headers: as.headers,
			body: body ?? { decision: "approve", site_id: scene.site },
		}),
	);

/** Where an approved request leads: the app's address with a code. */
export async function approved(scene: OAuthScene, changes: Fields = {}): Promise<URL> {
	const response = await decide(scene, await pendingRequest(scene, changes));
	assert.equal(response.statusCode, 200, response.body);
	return new URL(response.json().data.redirect_to);
}

export async function codeOf(scene: OAuthScene, changes: Fields = {}): Promise<string> {
	const code = (await approved(scene, changes)).searchParams.get("code");
	assert.ok(code);
	return code;
}

export const postForm = (app: TestApp, route: string, fields: Fields): Promise<LightMyRequestResponse> =>
	sendForm(app, `/oauth/${route}`, fields);

export const exchange = (scene: OAuthScene, code: string, changes: Fields = {}): Promise<LightMyRequestResponse> =>
	exchangeCode(scene.app, scene.clientId, code, changes);

export const refresh = (scene: OAuthScene, token: string, changes: Fields = {}): Promise<LightMyRequestResponse> =>
	postForm(scene.app, "token", {
		grant_type: "refresh_token",
		client_id: scene.clientId,
		refresh_token: token,
		...changes,
	});

export interface Tokens {
	readonly access_token: string;
	readonly refresh_token: string;
	readonly token_type: string;
	readonly expires_in: number;
	readonly scope: string;
}

/** The tokens of an answer that must be a success. */
export function tokensIn(response: LightMyRequestResponse): Tokens {
	assert.equal(response.statusCode, 200, response.body);
	return response.json();
}

export const tokensFor = async (scene: OAuthScene, changes: Fields = {}): Promise<Tokens> =>
	tokensIn(await exchange(scene, await codeOf(scene, changes)));

/** Asks the REST API with an access token; for the site of the scene when no path is given. */
export const ask = (scene: OAuthScene, token: string, path = `/sites/${scene.site}`) =>
	scene.app.inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${token}` } });

export const askMcp = (scene: OAuthScene, token: string) =>
	scene.app.inject({
		method: "POST",
		url: "/mcp",
		headers: { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream" },
		payload: { jsonrpc: "2.0", id: 1, method: "tools/list" },
	});

/** Status and error code of a refusal in the shape of OAuth. */
export const refusal = (response: LightMyRequestResponse): readonly [number, string] => [
	response.statusCode,
	response.json().error,
];
