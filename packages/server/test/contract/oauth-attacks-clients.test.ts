import assert from "node:assert/strict";
import { createServer } from "node:https";
import { isIP } from "node:net";
import { after, test } from "node:test";
import { createClientDocuments } from "../../src/features/connecting/oauth/clients/find-client.ts";
import { createGuardedFetch, type GuardedFetchOptions } from "../../src/platform/outbound/guarded-fetch.ts";
import { signInAgain } from "../support/accounts.ts";
import { type Reply, serveLocally } from "../support/local-server.ts";
import * as oauth from "../support/oauth-flow.ts";
import { requestOf } from "../support/request-of.ts";
import { testCertificate } from "../support/test-certificate.ts";
import { words } from "../support/words.ts";

/** The app's own server: its answers by path, and what it was asked. */
const documents: Record<string, (url: string) => Exclude<Reply, string>> = {};
const asked: string[] = [];
const { cert, key } = await testCertificate();
const { port, close } = await serveLocally(({ path }) => {
	asked.push(path);
	const { headers, ...reply } = documents[path]?.(origin + path) ?? { status: 404 };
	return { ...reply, headers: { "content-type": "application/json", ...headers } };
}, createServer({ cert, key }));
const origin = `https://localhost:${port}`;
const extraCertificates = [cert];
/** A service as it is run for development: private addresses are open. */
const scene = await oauth.oauthScene({ outbound: { allowPrivate: true, extraCertificates } });
after(async () => {
	await scene.app.close();
	await close();
});

const json = { "content-type": "application/json" };
const register = (body: object | string) =>
	scene.app.inject(requestOf("POST /oauth/register", { headers: json, body }));

const list = "redirect_uris must be a list of 1 to 10 texts";
const name = "client_name must be a text of up to 255 characters, on one line";
const method = "token_endpoint_auth_method must be none";
const wrongUri = "invalid_redirect_uri";
const uris = { redirect_uris: [oauth.redirectUri] };

type Fault = readonly [payload: object, error: string, description: string];

test("a registration with faults answers 400 in the form of RFC 7591", async () => {
	const faults: readonly Fault[] = [
		[[], "invalid_request", "The body must be a JSON object"],
		[{}, wrongUri, list],
		[{ redirect_uris: [] }, wrongUri, list],
		[{ redirect_uris: oauth.redirectUri }, wrongUri, list],
		[{ redirect_uris: [7] }, wrongUri, list],
		[{ redirect_uris: Array(11).fill(oauth.redirectUri) }, wrongUri, list],
		[{ ...uris, token_endpoint_auth_method: "client_secret_basic" }, "invalid_request", method],
		[{ ...uris, token_endpoint_auth_method: "client_secret_post" }, "invalid_request", method],
		// Too long, several lines, another direction of writing, half a character.
		...[
			7,
			"x".repeat(256),
			..."\n\0\u2028\u2029\u202e\u2067\u200f".split("").map((sign) => `Foot${sign}fall`),
			"\ud83d",
		].map((text): Fault => [{ ...uris, client_name: text }, "invalid_request", name]),
		...Object.entries(badAddresses).flatMap(([fault, all]) =>
			all.map((uri): Fault => [{ redirect_uris: [oauth.redirectUri, uri] }, wrongUri, `A redirect URI ${fault}`]),
		),
	];
	for (const [payload, error, description] of faults) {
		const response = await register(payload);
		const answer = [response.statusCode, response.json()];
		assert.deepEqual(answer, [400, { error, error_description: description }], JSON.stringify(payload));
	}
	assert.deepEqual(oauth.refusal(await register("{")), [400, "invalid_request"]);
});

const badAddresses: Readonly<Record<string, readonly string[]>> = {
	"is not a URL": [
		...words("/callback //app.example/callback app.example/callback https://app.example\\@evil.example/"),
		...["", " https://app.example/", "https://app.exam ple/", "https://app.example/\nback", "https://app.example/ä"],
	],
	"has a fragment": words("https://app.example/#token https://app.example/#"),
	"has a user name or password": words(`
		https://ann:secret@app.example/ https://app.example@evil.example/ http://localhost@evil.example/callback
	`),
	"names no host": words(`
		https:app.example/cb https:/app.example/callback https:///app.example/cb https://*.app.example/cb
	`),
	"begins with http:// and is not loopback": words(`
		http://app.example/ http://127.0.0.2/ http://127.0.0.1.evil.example/callback http://localhost.evil.example/
		http://0.0.0.0:3000/callback http://10.0.0.1/callback
	`),
	"has a scheme that is not private to an app": words(`
		javascript:alert(1) JavaScript:alert(1) data:text/html,x vbscript:x blob:https://app.example/1
		file:///etc/passwd about:blank filesystem:https://app.example/x view-source:https://app.example/
		ftp://app.example/callback ws://app.example/callback wss://app.example/callback mailto:ann@example.com
		ms-msdt:/id zoommtg://x urn:ietf:wg:oauth:2.0:oob
	`),
	"has more than 1000 characters": [`https://app.example/${"x".repeat(1000)}`],
};

test("a registered name loses invisible characters", async () => {
	for (const [given, shown] of [
		["Foot\u200bfa\u200dll", "Footfall"],
		["\ufeffFoot\u00adfall\u2060", "Footfall"],
		["Foot\u{e0041}\u{e007f}fall\ufe0f", "Footfall"],
		["Foot \u3000 \u00a0fall", "Foot fall"],
		["\u3164\u2800\u200b", "MCP client"],
		["Größe 测试 ✨", "Größe 测试 ✨"],
	] as const) {
		const response = await register({ ...uris, client_name: given });
		assert.equal(response.json().client_name, shown, response.body);
	}
});

test("a registration answers what is kept, and ignores fields that an app cannot choose", async () => {
	const kept = [oauth.redirectUri, "com.example.app:/cb"];
	const chosen = { client_id: "chosen-by-the-app", client_secret: "x", scope: "admin", grant_types: ["password"] };
	const more = { is_trusted: true, logo_uri: "https://x", software_id: 7 };
	const response = await register({ redirect_uris: kept, ...chosen, ...more });
	assert.equal(response.statusCode, 201);
	assert.equal(response.headers["cache-control"], "no-store");
	const { client_id: id, ...rest } = response.json();
	assert.match(id, /^[0-9a-f-]{36}$/);
	assert.deepEqual(rest, {
		client_id_issued_at: Date.parse("2026-11-21T12:00:00Z") / 1000,
		client_name: "MCP client",
		redirect_uris: kept,
		token_endpoint_auth_method: "none",
		grant_types: ["authorization_code", "refresh_token"],
		response_types: ["code"],
	});
});

test("the discovery documents are the promised ones, and may be cached for an hour", async () => {
	const api = `${oauth.publicUrl}/api/v1/oauth`;
	const resource = {
		resource: `${oauth.publicUrl}/mcp`,
		authorization_servers: [oauth.publicUrl],
		scopes_supported: ["analytics:read"],
		bearer_methods_supported: ["header"],
		resource_name: "Footfall",
	};
	for (const [path, expected] of Object.entries({
		"oauth-authorization-server": {
			issuer: oauth.publicUrl,
			authorization_endpoint: `${api}/authorize`,
			token_endpoint: `${api}/token`,
			registration_endpoint: `${api}/register`,
			revocation_endpoint: `${api}/revoke`,
			response_types_supported: ["code"],
			response_modes_supported: ["query"],
			grant_types_supported: ["authorization_code", "refresh_token"],
			code_challenge_methods_supported: ["S256"],
			token_endpoint_auth_methods_supported: ["none"],
			revocation_endpoint_auth_methods_supported: ["none"],
			scopes_supported: ["analytics:read", "offline_access"],
			authorization_response_iss_parameter_supported: true,
			client_id_metadata_document_supported: true,
			protected_resources: [`${oauth.publicUrl}/mcp`],
		},
		"oauth-protected-resource": resource,
		"oauth-protected-resource/mcp": resource,
	})) {
		const response = await scene.app.inject({ url: `/.well-known/${path}` });
		assert.equal(response.headers["cache-control"], "public, max-age=3600");
		assert.deepEqual(response.json(), expected);
	}
});

const app = { client_name: "A described app", token_endpoint_auth_method: "none", ...uris };
const described = (url: string, more: object = {}) => ({ ...app, client_id: url, ...more });

test("an app may be described by a document at its own address; its name loses what nobody sees", async () => {
	documents["/app.json"] = (url) => ({ body: described(url, { client_name: "A de\u200bscribed\u2060 app" }) });
	const clientId = `${origin}/app.json`;
	await oauth.tokensFor({ ...scene, clientId });
	const { data } = (await scene.app.inject({ url: "/api/v1/oauth/connections", headers: scene.owner.headers })).json();
	assert.deepEqual([data[0].client_id, data[0].client_name], [clientId, "A described app"]);
});

/** This client is refused without a redirect. */
async function noAppAt(clientId: string): Promise<void> {
	const { statusCode, headers } = await oauth.authorize(scene, { client_id: clientId });
	assert.deepEqual([statusCode, headers.location], [400, undefined], clientId);
}

test("a document with a fault, or something else in place of a document, describes no app", async () => {
	const faulty: readonly object[] = [
		{ client_id: "https://app.example/app.json" },
		{ client_id: undefined },
		{ redirect_uris: undefined },
		{ redirect_uris: ["https://other.example/callback"] },
		{ redirect_uris: [oauth.redirectUri, "javascript:alert(1)"] },
		{ redirect_uris: Array.from({ length: 11 }, (_, i) => `${oauth.redirectUri}${i}`) },
		{ client_name: "A described\u2028app" },
		{ client_name: "A described \u202eapp" },
		{ client_secret: "x" },
		{ token_endpoint_auth_method: "client_secret_basic" },
		{ padding: "x".repeat(5 * 1024) },
	];
	const redirect = { status: 302, headers: { location: "/app.json" }, body: "" };
	const others = [redirect, { status: 500, body: "{}" }, { body: [] }, { body: "<html>" }, { body: "" }];
	const answers = [
		...faulty.map((changes) => (url: string) => ({ body: described(url, changes) })),
		...others.map((answer) => () => answer),
	];
	for (const [index, answer] of answers.entries()) {
		documents[`/faulty-${index}.json`] = answer;
		await noAppAt(`${origin}/faulty-${index}.json`);
	}
});

const inside: Readonly<Record<string, readonly string[]>> = {
	"open.example": ["127.0.0.1"],
	"six.example": ["::1"],
	"mapped.example": ["::ffff:10.0.0.1"],
	"both.example": ["93.184.215.14", "127.0.0.1"],
	"metadata.example": ["169.254.169.254"],
};

test("no name that leads inside the network is asked, and the answer does not tell whether one listens there", async (t) => {
	asked.length = 0;
	const { clock } = scene.app;
	const resolveName: GuardedFetchOptions["resolveName"] = (hostname, _options, done) => {
		const found = inside[hostname]?.map((address) => ({ address, family: isIP(address) }));
		done(found ? null : Object.assign(new Error("unknown"), { code: "ENOTFOUND" }), found ?? []);
	};
	const guardedFetch = createGuardedFetch({ clock, allowPrivate: false, extraCertificates, resolveName });
	t.after(() => guardedFetch.close());
	const find = createClientDocuments({ ...scene.app, rootUrl: oauth.publicUrl, guardedFetch });
	for (const host of [...Object.keys(inside), "unknown.example"]) {
		for (const at of [port, 1]) {
			const message = "The document at client_id could not be fetched";
			await assert.rejects(find(`https://${host}:${at}/app.json`), { message }, host);
		}
	}
	assert.deepEqual(asked, []);
});

test("a document is asked for by https only, without a user name, a fragment or a bare host", async () => {
	asked.length = 0;
	const { host } = new URL(origin);
	for (const url of words(`
		http://${host}/app.json https://user:password@${host}/app.json https://${host}/app.json#x https://${host}/
		https://${host} https://${host}/x/../app.json HTTPS://${host}/app.json file:///app.json ftp://${host}/app.json
	`)) {
		await noAppAt(url);
	}
	assert.deepEqual(asked, []);
});

test("a document is kept as long as its server allows, a day at most; one that is not kept counts as it is now", async () => {
	const count = (path: string) => asked.filter((one) => one === path).length;
	const headers = { "cache-control": "no-store" };
	documents["/kept.json"] = (url) => ({ headers: { "cache-control": "max-age=9999999" }, body: described(url) });
	documents["/unkept.json"] = (url) => ({ headers, body: described(url) });
	const ask = async (path: string) => oauth.locationOf(await oauth.authorize(scene, { client_id: origin + path }));
	for (let time = 0; time < 3; time++) {
		await ask("/kept.json");
		await ask("/unkept.json");
	}
	assert.equal(count("/kept.json"), 1);
	assert.ok(count("/unkept.json") >= 3);
	const moved = { redirect_uris: ["https://app.example/new"] };
	documents["/unkept.json"] = (url) => ({ headers, body: described(url, moved) });
	await noAppAt(`${origin}/unkept.json`);
	scene.app.clock.advance(24 * 3600 * 1000);
	await ask("/kept.json");
	assert.equal(count("/kept.json"), 2);
});

test("an app that is described without a port comes back to the one that was free on loopback, and nothing else differs", async () => {
	const path = "/native.json";
	const listed = ["http://localhost/callback", "http://127.0.0.1/callback", "http://127.0.0.1:7/fixed"];
	documents[path] = (url) => ({ body: described(url, { redirect_uris: [...listed, oauth.redirectUri] }) });
	const clientId = `${origin}${path}`;
	const status = async (redirect_uri: string) =>
		(await oauth.authorize(scene, { client_id: clientId, redirect_uri })).statusCode;
	for (const uri of ["http://localhost:58135/callback", "http://127.0.0.1:1/callback", "http://localhost/callback"]) {
		assert.equal(await status(uri), 302, uri);
	}
	for (const uri of words(`
		http://[::1]:58135/callback https://localhost:58135/callback http://localhost:58135/
		http://localhost:58135/callback/ http://localhost:58135/Callback http://localhost:58135/callback?x=1
		http://localhost:58135/callback#x http://localhost:/callback http://localhost:99999/callback
		http://LOCALHOST:58135/callback http://localhost.evil.example:58135/callback
		http://localhost:58135@evil.example/callback http://user@localhost:58135/callback
		http://127.0.0.2:58135/callback http://127.0.0.1:8/fixed https://app.example:58135/callback
	`)) {
		assert.equal(await status(uri), 400, uri);
	}
	const own = { ...scene, clientId, owner: await signInAgain(scene.app, scene.owner) };
	const wish = { redirect_uri: "http://localhost:58135/callback" };
	const code = await oauth.codeOf(own, wish);
	const elsewhere = await oauth.exchange(own, code, { redirect_uri: "http://localhost:58136/callback" });
	assert.equal(elsewhere.statusCode, 400);
	oauth.tokensIn(await oauth.exchange(own, code, wish));
});
