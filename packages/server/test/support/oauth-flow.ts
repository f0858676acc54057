import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { createSite, type Session, signIn } from "./accounts.ts";
import * as flow from "./app-token.ts";
import { requestOf } from "./request-of.ts";
import { type TestApp, testApp } from "./test-app.ts";

/** Address under which the service of an OAuth test believes to be reached. */
export const publicUrl = "https://stats.example";
export const redirectUri = flow.appCallback;
/** Secret of the app; its hash is sent with the authorization request. */
export const verifier = flow.appVerifier;

export const challengeOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** A user with a site, and an app that this user may let in. */
export interface OAuthScene {
	readonly app: TestApp;
	readonly site: string;
	readonly clientId: string;
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

export const registerClient = (app: TestApp, ...redirectUris: readonly string[]): Promise<string> =>
	flow.registerApp(app, { client_name: "An app", ...(redirectUris.length > 0 && { redirect_uris: redirectUris }) });

export const authorize = (scene: OAuthScene, changes: flow.Fields = {}): Promise<LightMyRequestResponse> =>
	flow.askForAccess(scene.app, scene.clientId, changes);

export function locationOf(response: LightMyRequestResponse): URL {
	assert.equal(response.statusCode, 302, response.body);
	return new URL(String(response.headers.location));
}

/** Begins an authorization; answers the id of the request that waits for the user. */
export const pendingRequest = async (scene: OAuthScene, changes: flow.Fields = {}): Promise<string> =>
	flow.requestIdIn(await authorize(scene, changes));

/** The user's answer to a request; approves with the scene's site unless told otherwise. */
export function decide(
	scene: OAuthScene,
	requestId: string,
	{ as: { headers } = scene.owner, body }: { as?: { headers: Readonly<Record<string, string>> }; body?: object } = {},
): Promise<LightMyRequestResponse> {
	const answer = body ?? { decision: "approve", site_id: scene.site };
	return scene.app.inject(requestOf(`POST /oauth/consent/${requestId}/decision`, { headers, body: answer }));
}

/** The code of a request that the user approves. */
export const codeOf = async (scene: OAuthScene, changes: flow.Fields = {}): Promise<string> =>
	flow.approvedCode(scene.app, await pendingRequest(scene, changes), { ...scene.owner, site: scene.site });

export const postForm = (app: TestApp, route: string, fields: flow.Fields): Promise<LightMyRequestResponse> =>
	flow.sendForm(app, `/oauth/${route}`, fields);

export const exchange = (scene: OAuthScene, code: string, changes: flow.Fields = {}): Promise<LightMyRequestResponse> =>
	flow.exchangeCode(scene.app, scene.clientId, code, changes);

export function refresh({ app, clientId }: OAuthScene, token: string, changes: flow.Fields = {}) {
	const fields = { grant_type: "refresh_token", client_id: clientId, refresh_token: token };
	return postForm(app, "token", { ...fields, ...changes });
}

export type Tokens = Readonly<Record<"access_token" | "refresh_token" | "token_type" | "scope", string>>;

/** The tokens of an answer that must be a success. */
export function tokensIn(response: LightMyRequestResponse): Tokens {
	assert.equal(response.statusCode, 200, response.body);
	return response.json();
}

export const tokensFor = async (scene: OAuthScene, changes: flow.Fields = {}): Promise<Tokens> =>
	tokensIn(await exchange(scene, await codeOf(scene, changes)));

/** Asks the REST API with an access token; for the site of the scene when no path is given. */
export const ask = (scene: OAuthScene, token: string, path = `/sites/${scene.site}`) =>
	scene.app.inject(requestOf(`GET ${path}`, { headers: { authorization: `Bearer ${token}` } }));

export const askMcp = (scene: OAuthScene, token: string) =>
	scene.app.inject({
		method: "POST",
		url: "/mcp",
		headers: { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream" },
		payload: { jsonrpc: "2.0", id: 1, method: "tools/list" },
	});

/** Status and error code of a refusal in the shape of OAuth. */
export const refusal = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json<{ error: string }>().error];
