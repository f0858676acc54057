import assert from "node:assert/strict";
import { createServer } from "node:https";
import { after, before, test } from "node:test";
import { signInAgain } from "../support/accounts.ts";
import { listenLocally } from "../support/local-server.ts";
import {
	approved,
	authorize,
	exchange,
	locationOf,
	type OAuthScene,
	oauthScene,
	redirectUri,
	tokensIn,
} from "../support/oauth-flow.ts";
import { testCertificate } from "../support/test-certificate.ts";
import { words } from "../support/words.ts";

let close: () => Promise<void>;
let origin: string;
const asked: string[] = [];
/** Answers of the app's own server, with the address of the document. */
const documents: Record<string, (url: string) => { status?: number; headers?: Record<string, string>; body: unknown }> =
	{};
/** The service as it is run, with names that lead where the test says. */
let guarded: OAuthScene;
/** The service as it is run for development: private addresses are open. */
let open: OAuthScene;
const names = new Map<string, string[]>();

const described = (url: string, more: object = {}) => ({
	client_id: url,
	client_name: "A described app",
	redirect_uris: [redirectUri],
	token_endpoint_auth_method: "none",
	...more,
});

before(async () => {
	const { cert, key } = await testCertificate();
	const server = createServer({ cert, key }, (request, response) => {
		const path = request.url ?? "";
		asked.push(path);
		const document = documents[path]?.(`${origin}${path}`);
		response.writeHead(document?.status ?? (document === undefined ? 404 : 200), {
			"content-type": "application/json",
			...document?.headers,
		});
		const body = document?.body ?? "";
		response.end(typeof body === "string" ? body : JSON.stringify(body));
	});
	const listening = await listenLocally(server);
	({ close } = listening);
	origin = `https://localhost:${listening.port}`;
	const extraCertificates = [cert];
	guarded = await oauthScene({
		outbound: {
			extraCertificates,
			resolveName: (hostname, _options, done) => {
				const addresses = names.get(hostname) ?? [];
				if (addresses.length === 0) return done(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }), []);
				const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
				done(null, found);
			},
		},
	});
	open = await oauthScene({ outbound: { allowPrivate: true, extraCertificates } });
});
after(async () => {
	await guarded.app.close();
	await open.app.close();
	await close();
});

test("an app may be described by a document at its own address", async () => {
	documents["/app.json"] = (url) => ({ body: described(url) });
	const clientId = `${origin}/app.json`;
	const scene = { ...open, clientId };
	const code = (await approved(scene)).searchParams.get("code") ?? "";
	const tokens = tokensIn(await exchange(scene, code));
	assert.equal(tokens.scope, "analytics:read offline_access");
	const { data } = (await scene.app.inject({ url: "/api/v1/oauth/connections", headers: scene.owner.headers })).json();
	assert.deepEqual([data[0].client_id, data[0].client_name], [clientId, "A described app"]);
});

test("the name in a document loses what nobody sees", async () => {
	documents["/hidden.json"] = (url) => ({ body: described(url, { client_name: "A de\u200bscribed\u2060 app" }) });
	const page = locationOf(await authorize(open, { client_id: `${origin}/hidden.json` }));
	const { body } = await open.app.inject({ url: page.pathname + page.search });
	assert.match(body, /<bdi>A described app<\/bdi>/);
});

/** This client is refused without a redirect; answers the body. */
async function noAppAt(scene: OAuthScene, clientId: string): Promise<string> {
	const response = await authorize(scene, { client_id: clientId });
	assert.ok([400, 401].includes(response.statusCode), `${clientId}: ${response.statusCode}`);
	assert.equal(response.headers.location, undefined);
	return response.body;
}

test("a document with a fault, or something else in place of a document, describes no app", async () => {
	const faulty: readonly object[] = [
		{ client_id: "https://app.example/app.json" },
		{ client_id: undefined },
		{ redirect_uris: undefined },
		{ redirect_uris: ["https://other.example/callback"] },
		{ redirect_uris: [redirectUri, "javascript:alert(1)"] },
		{ redirect_uris: Array.from({ length: 11 }, (_, i) => `${redirectUri}${i}`) },
		{ client_name: "A described\u2028app" },
		{ client_name: "A described \u202eapp" },
		{ client_secret: "x" },
		{ token_endpoint_auth_method: "client_secret_basic" },
		{ padding: "x".repeat(5 * 1024) },
	];
	const others = [
		{ status: 302, headers: { location: "/app.json" }, body: "" },
		{ status: 500, body: "{}" },
		{ body: [] },
		{ body: "<html>" },
		{ body: "" },
	];
	const answers = [
		...faulty.map((changes) => (url: string) => ({ body: described(url, changes) })),
		...others.map((answer) => () => answer),
	];
	for (const [index, answer] of answers.entries()) {
		documents[`/faulty-${index}.json`] = answer;
		await noAppAt(open, `${origin}/faulty-${index}.json`);
	}
});

test("no address inside the network is asked, however it is written, and all are refused in the same words", async () => {
	const port = new URL(origin).port;
	asked.length = 0;
	const hosts = words("127.0.0.1 127.1 2130706433 0x7f000001 [::1] [::ffff:127.0.0.1] localhost a.localhost");
	const more = ["10.0.0.1", "192.168.0.1", "172.16.0.1", "169.254.169.254", "metadata.google.internal", "0.0.0.0"];
	for (const host of [...hosts, ...more]) {
		for (const url of [`https://${host}:${port}/app.json`, `https://${host}/app.json`]) {
			const body = await noAppAt(guarded, url);
			assert.doesNotMatch(body, /ECONN|refused by|timeout|certificate/i);
		}
	}
	assert.deepEqual(asked, []);
});

test("no name that leads inside the network is asked, and the answer does not tell whether one listens there", async () => {
	const port = new URL(origin).port;
	asked.length = 0;
	const bodies = new Set<string>();
	const bodyOf = async (host: string, addresses: string[], at = port) => {
		names.set(host, addresses);
		bodies.add((await noAppAt(guarded, `https://${host}:${at}/app.json`)).replace(/"request_id":"[^"]+"/, ""));
	};
	await bodyOf("open.example", ["127.0.0.1"]);
	await bodyOf("closed.example", ["127.0.0.1"], "1");
	await bodyOf("six.example", ["::1"]);
	await bodyOf("mapped.example", ["::ffff:10.0.0.1"]);
	await bodyOf("both.example", ["93.184.215.14", "127.0.0.1"]);
	await bodyOf("metadata.example", ["169.254.169.254"]);
	await bodyOf("unknown.example", []);
	assert.deepEqual(asked, []);
	assert.equal(bodies.size, 1, [...bodies].join("\n"));
});

test("a document is asked for by https only, without a user name, a fragment or a bare host", async () => {
	asked.length = 0;
	const { host } = new URL(origin);
	for (const url of words(`
		http://${host}/app.json https://user:password@${host}/app.json https://${host}/app.json#x https://${host}/
		https://${host} https://${host}/x/../app.json HTTPS://${host}/app.json file:///app.json ftp://${host}/app.json
	`)) {
		await noAppAt(open, url);
	}
	assert.deepEqual(asked, []);
});

test("a document is kept as long as its server allows, a day at most", async () => {
	const count = (path: string) => asked.filter((one) => one === path).length;
	documents["/kept.json"] = (url) => ({ headers: { "cache-control": "max-age=9999999" }, body: described(url) });
	documents["/unkept.json"] = (url) => ({ headers: { "cache-control": "no-store" }, body: described(url) });
	const ask = async (path: string) =>
		assert.equal((await authorize(open, { client_id: `${origin}${path}` })).statusCode, 302);
	for (let time = 0; time < 3; time++) {
		await ask("/kept.json");
		await ask("/unkept.json");
	}
	assert.equal(count("/kept.json"), 1);
	assert.ok(count("/unkept.json") >= 3);
	open.app.clock.advance(24 * 3600 * 1000);
	await ask("/kept.json");
	assert.equal(count("/kept.json"), 2);
});

test("an address of a document that changed is no longer one of the app's", async () => {
	const path = "/moved.json";
	documents[path] = (url) => ({ headers: { "cache-control": "no-store" }, body: described(url) });
	locationOf(await authorize(open, { client_id: `${origin}${path}` }));
	documents[path] = (url) => ({
		headers: { "cache-control": "no-store" },
		body: described(url, { redirect_uris: ["https://app.example/new"] }),
	});
	await noAppAt(open, `${origin}${path}`);
});

test("an app that is described without a port comes back to the one that was free on loopback, and nothing else differs", async () => {
	const path = "/native.json";
	const listed = ["http://localhost/callback", "http://127.0.0.1/callback", "http://127.0.0.1:7/fixed"];
	documents[path] = (url) => ({ body: described(url, { redirect_uris: [...listed, redirectUri] }) });
	const clientId = `${origin}${path}`;
	const status = async (uri: string) => (await authorize(open, { client_id: clientId, redirect_uri: uri })).statusCode;
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
	const scene = { ...open, clientId, owner: await signInAgain(open.app, open.owner) };
	const asked = { redirect_uri: "http://localhost:58135/callback" };
	const code = (await approved(scene, asked)).searchParams.get("code") ?? "";
	const elsewhere = await exchange(scene, code, { redirect_uri: "http://localhost:58136/callback" });
	assert.equal(elsewhere.statusCode, 400);
	tokensIn(await exchange(scene, code, asked));
});
