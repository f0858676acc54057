import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import * as oauth from "../support/oauth-flow.ts";
import { requestOf } from "../support/request-of.ts";
import { words } from "../support/words.ts";

const mcp = `${oauth.publicUrl}/mcp`;

const scene = oauth.sharedScene();

const requests = async () =>
	(await scene.app.metadata.withTables<Tables>().selectFrom("oauth_requests").select("id_hash").execute()).length;
/** Asks with the usual parameters and further ones before or behind them. */
const askWith = (query: string, headers: Readonly<Record<string, string>> = {}) =>
	scene.app.inject({ url: `/api/v1/oauth/authorize?${query}`, headers });
const usual = (changes: oauth.Fields = {}) => oauth.encoded(oauth.authorizationOf(scene.clientId, changes));

type Refusal = readonly [error: string, description: string];

const notRegistered = ["invalid_redirect_uri", "redirect_uri is not one that the client registered"] as const;
const unknownClient = ["invalid_client", "The client is not known"] as const;
const once = (name: string) => ["invalid_request", `${name} must be given once`] as const;

test("a request with a wrong client or redirect address is refused with 400 and sends the browser nowhere", async () => {
	const faults: readonly (readonly [oauth.Fields, Refusal])[] = [
		[{ client_id: undefined }, once("client_id")],
		[{ client_id: "nobody" }, unknownClient],
		[{ client_id: scene.clientId.toUpperCase() }, unknownClient],
		[{ client_id: "11111111-2222-4333-8444-555555555555" }, unknownClient],
		[{ client_id: "<script>alert(1)</script>" }, unknownClient],
		[{ client_id: "a".repeat(9000) }, unknownClient],
		[{ redirect_uri: undefined }, once("redirect_uri")],
		[{ redirect_uri: "" }, once("redirect_uri")],
		...variations.map((uri) => [{ redirect_uri: uri }, notRegistered] as const),
	];
	const again = [{ redirect_uri: "https://evil.example/" }, { redirect_uri: oauth.redirectUri }];
	const twice: readonly oauth.Fields[] = [...again, { client_id: "x" }, { client_id: scene.clientId }];
	const queries = [
		...faults.map(([changes, answer]) => [usual({ response_type: "token", ...changes }), answer] as const),
		...twice.flatMap((more) =>
			[`${usual()}&${oauth.encoded(more)}`, `${oauth.encoded(more)}&${usual()}`].map(
				(query) => [query, once(Object.keys(more).join())] as const,
			),
		),
	];
	for (const [query, [error, description]] of queries) {
		const response = await askWith(query);
		const { location, "cache-control": cache, "set-cookie": cookie } = response.headers;
		assert.deepEqual(
			[response.statusCode, response.json(), location, cache, cookie],
			[400, { error, error_description: description }, undefined, "no-store", undefined],
			query.slice(0, 300),
		);
	}
	assert.equal(await requests(), 0);
});

/** Texts that a careless comparison takes for the registered address. */
const variations: readonly string[] = [
	...words(`
	https://app.example/Callback https://APP.example/callback HTTPS://app.example/callback
	https://app.example:443/callback https://app.example:8443/callback http://app.example/callback
	https://app.example/callback/ https://app.example/callback/next
	https://app.example/callback?next=https://evil.example https://app.example/callback?
	https://app.example/callback#token https://app.example/callback# https://app.example/x/../callback
	https://app.example/callback/../evil https://app.example/./callback https://app.example//callback
	https://app.example/%63allback https://app.example/callback;next https://user@app.example/callback
	https://app.example@evil.example/callback https://app.example:x@evil.example/callback
	https://app.example.evil.example/callback https://evilapp.example/callback https://app.example./callback
	https:/callback //app.example/callback /callback https://evil.example/?u=https://app.example/callback
	javascript:alert(1)//https://app.example/callback data:text/html,<script>alert(1)</script>
	https://evil.example\\@app.example/callback https://app.example\\.evil.example/callback
	https://\u0430pp.example/callback
`),
	"https://app.example/callback\r\nSet-Cookie: a=b",
	"https://app.example/callback\0",
	"https://app.example/callback ",
	"https://app.exa\tmple/callback",
	"https://app.example/callback https://evil.example/",
];

test("in a browser such a fault is a page without markup of the request and without a link elsewhere", async () => {
	for (const changes of [{ client_id: "<script>" }, ...variations.map((uri) => ({ redirect_uri: uri }))]) {
		const { statusCode, headers, body } = await askWith(usual(changes), { accept: "text/html,*/*" });
		assert.equal(statusCode, 400);
		assert.match(String(headers["content-type"]), /^text\/html/);
		assert.match(String(headers["content-security-policy"]), /frame-ancestors 'none'/);
		assert.match(body, "client_id" in changes ? /The client is not known/ : /redirect_uri/);
		assert.doesNotMatch(body, /<script|href="(?!\/)/i);
	}
});

test("an address of another app is no address of this one", async () => {
	const other = await oauth.registerClient(scene.app, "https://other.example/callback");
	assert.equal((await oauth.authorize(scene, { redirect_uri: "https://other.example/callback" })).statusCode, 400);
	assert.equal((await oauth.authorize(scene, { client_id: other })).statusCode, 400);
});

test("a registered loopback address is compared with its port, host and path", async () => {
	const clientId = await oauth.registerClient(scene.app, "http://127.0.0.1:33418/callback");
	const status = async (redirect_uri: string) =>
		(await oauth.authorize(scene, { client_id: clientId, redirect_uri })).statusCode;
	assert.equal(await status("http://127.0.0.1:33418/callback"), 302);
	for (const uri of words(`
		http://127.0.0.1:33419/callback http://127.0.0.1/callback http://localhost:33418/callback
		http://[::1]:33418/callback http://127.0.0.2:33418/callback http://2130706433:33418/callback
		https://127.0.0.1:33418/callback http://127.0.0.1:33418/callback/
	`)) {
		assert.equal(await status(uri), 400, uri);
	}
});

const challenge = "code_challenge must have 43 characters of base64url";
const method = "code_challenge_method must be S256";
const state = "state must have up to 2000 characters, and no control characters";
const own = oauth.challengeOf(oauth.verifier);
const challenges = [own.slice(1), `${own}=`, `${own.slice(1)}+`, `${"x".repeat(42)}=`];
const single = words("analytics:write stats:read * openid");
const scopes = [...single, "analytics:read admin", "analytics:read openid", "read write"];
const resources = words(`
	https://evil.example/mcp ${mcp}/ ${mcp}?x=1 ${mcp}#x https://STATS.example/mcp http://stats.example/mcp
	https://stats.example:443/mcp ${oauth.publicUrl} mcp
`);

const each = (field: string, values: readonly (string | undefined)[]): readonly oauth.Fields[] =>
	values.map((value) => ({ [field]: value }));
const withoutProof = { code_challenge: undefined, code_challenge_method: undefined };
const plain = { code_challenge: oauth.verifier.slice(0, 43), code_challenge_method: "plain" };

const faults: readonly (readonly [error: string, description: string, requests: readonly oauth.Fields[]])[] = [
	["invalid_request", "response_type is missing", [{ response_type: undefined }]],
	[
		"unsupported_response_type",
		"response_type must be code",
		each("response_type", ["token", "id_token", "code token", "code id_token"]),
	],
	["invalid_request", "response_mode must be query", [{ response_mode: "fragment" }]],
	["invalid_request", "code_challenge is missing", [...each("code_challenge", [undefined, ""]), withoutProof]],
	["invalid_request", challenge, each("code_challenge", challenges)],
	["invalid_request", method, [...each("code_challenge_method", [undefined, "plain", "s256", "S512"]), plain]],
	["invalid_scope", "scope may have analytics:read and offline_access", each("scope", scopes)],
	["invalid_request", "resource is not served here", each("resource", resources)],
	["invalid_request", state, each("state", ["a\0b", "x".repeat(2001), "x\r\nSet-Cookie: a=b"])],
];

test("every other fault goes back to the app with error, description, state and issuer, and leaves no request", async () => {
	const before = await requests();
	for (const [error, description, wrong] of faults) {
		for (const changes of wrong) {
			const response = await oauth.authorize(scene, changes);
			const url = oauth.locationOf(response);
			assert.equal(url.origin + url.pathname + url.hash, oauth.redirectUri);
			assert.deepEqual(
				Object.fromEntries(url.searchParams),
				{ error, error_description: description, state: changes.state ?? "af0ifjsldkj", iss: oauth.publicUrl },
				JSON.stringify(changes),
			);
			assert.equal(response.headers["set-cookie"], undefined);
			assert.doesNotMatch(String(response.headers.location), /[\r\n]/);
		}
	}
	for (const [more, sent] of [
		["scope=analytics%3Aread", "af0ifjsldkj"],
		[`resource=${mcp}&resource=${oauth.publicUrl}`, "af0ifjsldkj"],
		["state=t", undefined],
	] as const) {
		assert.deepEqual(Object.fromEntries(oauth.locationOf(await askWith(`${usual()}&${more}`)).searchParams), {
			error: "invalid_request",
			error_description: "A parameter was sent more than once",
			...(sent && { state: sent }),
			iss: oauth.publicUrl,
		});
	}
	assert.equal(await requests(), before);
});

test("a faultless request for the MCP server, the REST API or both waits for the user at the consent page", async () => {
	for (const resource of [mcp, `${oauth.publicUrl}/api/v1`, undefined]) {
		const before = await requests();
		const response = await oauth.authorize(scene, { resource });
		const { href } = oauth.locationOf(response);
		assert.match(href, /^https:\/\/stats\.example\/oauth\/consent\?request_id=[A-Za-z0-9_-]{43}$/);
		assert.equal(response.headers["cache-control"], "no-store");
		assert.equal(await requests(), before + 1);
	}
});

/** Addresses that an app may register; in front of the code stands this, and the consent names that. */
const good: readonly (readonly [uri: string, separator: string, host: string])[] = [
	["https://app.example", "?", "app.example"],
	["https://APP.example/cb?x=%2F", "&", "app.example"],
	["https://app.example/cb?", "", "app.example"],
	["https://app.example/cb?x=1&", "", "app.example"],
	["https://app.example:8443/cb?tenant=1", "&", "app.example:8443"],
	["https://app.example/callback?code=mine&state=mine&iss=mine", "&", "app.example"],
	["https://[2001:db8::1]:8443/callback", "?", "[2001:db8::1]:8443"],
	["http://localhost:33418/", "?", "localhost:33418"],
	["http://127.0.0.1/callback", "?", "127.0.0.1"],
	["http://[::1]:9/callback", "?", "[::1]:9"],
	["com.example.app:/callback", "?", "com.example.app:"],
	["com.example.app://oauth/callback", "?", "com.example.app:"],
	["cursor://anysphere.cursor-retrieval/oauth/callback", "?", "cursor:"],
];

test("a code comes back behind the registered address, which stays as the app wrote it", async () => {
	for (const [uri, separator, host] of good) {
		const clientId = await oauth.registerClient(scene.app, uri);
		const id = await oauth.pendingRequest(scene, { client_id: clientId, redirect_uri: uri, state: undefined });
		const { data } = (await scene.app.inject({ url: `/api/v1/oauth/consent/${id}` })).json();
		assert.equal(data.client.redirect_host, host);
		const { redirect_to: back } = (await oauth.decide(scene, id)).json().data;
		assert.ok(back.startsWith(`${uri}${separator}code=`), back);
		assert.match(
			back.slice(uri.length + separator.length),
			/^code=oac_[A-Za-z0-9_-]{43}&iss=https%3A%2F%2Fstats\.example$/,
		);
	}
});

test("the state comes back as it was sent, and is never markup, a fragment or a further parameter", async () => {
	const text = `"><script>alert(1)</script>&code=x#é`;
	const decided = await oauth.decide(scene, await oauth.pendingRequest(scene, { state: text }));
	const url = new URL(decided.json().data.redirect_to);
	assert.deepEqual([...url.searchParams.keys()], ["code", "state", "iss"]);
	assert.equal(url.searchParams.get("state"), text);
	assert.equal(url.hash, "");
});

test("an address has sixty requests a minute at each endpoint and ten registrations an hour; an app counts as its user", async (t) => {
	const limited = await oauth.oauthScene({ env: { RATE_LIMIT_ENABLED: "true" } });
	const { app, owner, site } = limited;
	t.after(() => app.close());
	const statuses = async (count: number, send: () => Promise<{ statusCode: number }>) => {
		const seen: number[] = [];
		for (let i = 0; i < count; i++) seen.push((await send()).statusCode);
		return [...Map.groupBy(seen, (status) => status)].flatMap(([status, all]) => [status, all.length]);
	};
	const revoke = () => oauth.postForm(app, "revoke", { token: "x" });
	const registerFrom = (ip: string) => {
		const headers = { "x-forwarded-for": ip };
		return app.inject(requestOf("POST /oauth/register", { headers, body: { redirect_uris: [oauth.redirectUri] } }));
	};
	assert.deepEqual(await statuses(62, revoke), [200, 60, 429, 2]);
	assert.deepEqual(await statuses(61, () => oauth.postForm(app, "token", { grant_type: "x" })), [400, 60, 429, 1]);
	assert.deepEqual(await statuses(61, () => oauth.authorize(limited, { client_id: "nobody" })), [400, 60, 429, 1]);
	assert.deepEqual(await statuses(11, () => registerFrom("203.0.113.7")), [201, 10, 429, 1]);
	assert.equal((await registerFrom("203.0.113.8")).statusCode, 201);
	const discover = () => app.inject({ url: "/.well-known/oauth-authorization-server" });
	assert.deepEqual(await statuses(70, discover), [200, 70]);
	const refused = await revoke();
	const description = "Too many requests. Try again in 60 seconds.";
	assert.deepEqual(refused.json(), { error: "invalid_request", error_description: description });
	assert.equal(refused.headers["retry-after"], "60");
	assert.equal((await registerFrom("203.0.113.7")).headers["retry-after"], "3600");
	app.clock.advance(60_000);
	assert.equal((await revoke()).statusCode, 200);
	const { accessToken } = await oauth.appTokens(app, { headers: owner.headers, site });
	const remaining = async (headers: Readonly<Record<string, string>>) => {
		const response = await app.inject({ url: `/api/v1/sites/${site}`, headers });
		return [response.headers["x-ratelimit-limit"], Number(response.headers["x-ratelimit-remaining"])];
	};
	const [limit, left] = await remaining(owner.headers);
	assert.equal(limit, "10000");
	assert.deepEqual(await remaining({ authorization: `Bearer ${accessToken}` }), ["10000", Number(left) - 1]);
	app.clock.advance(3_540_000);
	assert.equal((await registerFrom("203.0.113.7")).statusCode, 201);
});
