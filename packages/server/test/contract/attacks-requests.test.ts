import assert from "node:assert/strict";
import { connect } from "node:net";
import { finished } from "node:stream/promises";
import { after, test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { newKey } from "../support/mcp-client.ts";
import { appTokens } from "../support/oauth-flow.ts";
import { testApp } from "../support/test-app.ts";
import { password } from "../support/test-users.ts";
import { words } from "../support/words.ts";

const app = await testApp();
after(() => app.close());
const ann = await signIn(app);
const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
await createSite(app, ann);

const cookiesOf = async (email: string): Promise<Readonly<Record<string, string>>> => {
	const response = await app.inject({ method: "POST", url: "/api/v1/auth/token", payload: { email, password } });
	return Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]));
};
const cookies = await cookiesOf(ann.email);
const others = await cookiesOf(bob.email);

test("a browser is made to do nothing by another page, whatever form the request has", async () => {
	const payload = JSON.stringify({ name: "Stolen" });
	const { svc_csrf_token: own = "", svc_access_token = "" } = cookies;
	const { svc_csrf_token: theirs = "" } = others;
	const token = (text: string) => ({ "x-csrf-token": text });
	const attempts: Readonly<Record<string, readonly [headers: object, more?: object]>> = {
		"no token": [{}],
		"an empty token": [token("")],
		"a made-up token": [token("a".repeat(43))],
		"a token twice made up": [token("a"), { svc_csrf_token: "a" }],
		"the token of somebody else": [token(theirs)],
		"header and cookie of somebody else": [token(theirs), { svc_csrf_token: theirs }],
		"a form": [{ "content-type": "application/x-www-form-urlencoded" }],
		"plain text": [{ "content-type": "text/plain" }],
	};
	const rename = (headers: object, sent: object) => {
		const json = { "content-type": "application/json", ...headers };
		return app.inject({ method: "PATCH", url: "/api/v1/sites/shop", payload, headers: json, cookies: { ...sent } });
	};
	for (const [what, [headers, more]] of Object.entries(attempts)) {
		assert.equal((await rename(headers, { ...cookies, ...more })).statusCode, 403, what);
	}
	assert.equal((await rename(token(own), { svc_access_token })).statusCode, 403, "the header without its cookie");
	const site = await app.inject({ url: "/api/v1/sites/shop", headers: ann.headers });
	assert.equal(site.json().data.name, "Shop");
});

test("no header or parameter makes another method of a request", async () => {
	const csrf = { "x-csrf-token": cookies.svc_csrf_token ?? "" };
	for (const name of ["x-http-method-override", "x-http-method", "x-method-override"]) {
		const request = { method: "GET", url: "/api/v1/sites/shop?_method=DELETE" } as const;
		const answer = await app.inject({ ...request, headers: { ...csrf, [name]: "DELETE" }, cookies: { ...cookies } });
		assert.equal(answer.statusCode, 200);
	}
	assert.equal(app.sites.get("shop")?.isActive, true);
});

test("a credential in an address, a body or another header is none", async () => {
	const token = ann.headers.authorization.slice("Bearer ".length);
	const { "x-api-key": key } = await newKey(app, ann);
	const { accessToken: ofApp } = await appTokens(app, { headers: ann.headers, site: "shop" });
	const url = "/api/v1/sites";
	const given = [
		{ url: `${url}?access_token=${token}` },
		{ url: `${url}?api_key=${key}` },
		{ url: `${url}?x-api-key=${key}&key=${key}&token=${token}` },
		{ url, headers: { "x-auth-token": token, "x-access-token": token, token: key } },
		{ url, headers: { authorization: `Basic ${Buffer.from(`ann:${key}`).toString("base64")}` } },
		{ url, headers: { authorization: key } },
		{ url, headers: { authorization: token } },
		{ url, cookies: { svc_access_token: key } },
		{ url, cookies: { access_token: token, session: token } },
		{ url: `${url}?access_token=${ofApp}` },
		{ url, cookies: { svc_access_token: ofApp } },
		{ url, headers: { "x-api-key": ofApp } },
	];
	for (const request of given)
		assert.equal((await app.inject(request)).statusCode, 401, JSON.stringify(request).slice(0, 60));
});

test("no spelling of a path leads past the guard of what it names", async () => {
	for (const path of [
		...words(`
		//api/v1/sites/shop /api/v1//sites/shop /api/v1/sites/shop/ /API/V1/sites/shop /api/v1/%73ites/shop
		/api/v1/sites/%73hop /api/v1/sites%2fshop /api/v1/sites/shop%2f /api/v1/sites/shop%00 /api/v1/sites/shop;x=1
		/api/v1/sites/shop%3f /api/v1/openapi.json/../sites/shop /livez/..;/api/v1/sites/shop
		/t.js/%2e%2e/api/v1/sites/shop /api/v1/sites/shop?site_id=other /api/v1/sites/./shop /api/v1/sites/x/../shop
	`),
		"\\api\\v1\\sites\\shop",
	]) {
		for (const headers of [{}, bob.headers]) {
			const { statusCode, body } = await app.inject({ url: path, headers });
			assert.ok([400, 401, 403, 404].includes(statusCode), `${path}: ${statusCode}`);
			assert.doesNotMatch(body, /Shop|shop\.example/, path);
		}
	}
});

test("a body changes no object of the program, and no field that a route does not name", async () => {
	const { headers } = bob;
	for (const payload of [
		'{"name":"Bob","__proto__":{"role":"superadmin"}}',
		'{"name":"Bob","constructor":{"prototype":{"role":"superadmin"}}}',
		'{"name":"Bob","role":"superadmin","id":1,"email":"ann@example.com","is_active":false}',
	]) {
		const request = { method: "PATCH", url: "/api/v1/users/me", payload } as const;
		await app.inject({ ...request, headers: { ...headers, "content-type": "application/json" } });
	}
	assert.equal(({} as { role?: string }).role, undefined);
	const me = (await app.inject({ url: "/api/v1/users/me", headers })).json().data;
	assert.deepEqual([me.role, me.email], ["user", "bob@example.com"]);
});

/** The answer to bytes that no client library would send. */
async function answerTo(bytes: string): Promise<string> {
	const { port, hostname } = new URL(await app.address());
	const socket = connect(Number(port), hostname).end(bytes);
	let text = "";
	socket.on("data", (data) => {
		text += data;
	});
	// A server that refuses may reset the connection.
	await finished(socket).catch(() => undefined);
	return text;
}

test("requests that two servers might read differently are refused, and none is hidden in another", async () => {
	const lines = (...given: string[]) => `${given.join("\r\n")}\r\n\r\n`;
	const post = (...given: string[]) => lines("POST /api/v1/auth/token HTTP/1.1", "Host: x", ...given);
	const hidden = lines("0", "", "GET /livez HTTP/1.1", "Host: x");
	for (const [what, bytes] of [
		["two lengths", post("Content-Length: 0", "Content-Length: 6")],
		["length and chunks", post("Content-Length: 4", "Transfer-Encoding: chunked") + hidden],
		["a disguised encoding", post("Transfer-Encoding: xchunked") + hidden],
		["a space before the colon", lines("GET /livez HTTP/1.1", "Host : x")],
		["a folded header", lines("GET /livez HTTP/1.1", "Host: x", "X-A: 1", " X-B: 2")],
		["a bare line end in a header", "GET /livez HTTP/1.1\r\nHost: x\r\nX-A: 1\nX-B: 2\r\n\r\n"],
		["no host", lines("GET /livez HTTP/1.1")],
		["a NUL", lines("GET /livez HTTP/1.1", "Host: x", "X-A: \0")],
		["another protocol", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
	] as const) {
		const answer = await answerTo(bytes);
		assert.match(answer, /^HTTP\/1\.1 4\d\d /, what);
		assert.equal(answer.split("HTTP/1.1 ").length, 2, `${what}: one answer`);
		assert.doesNotMatch(answer, /"status":"ok"|\bat .*\.ts/, what);
	}
});

/** Addresses that lead into a network or are no web pages; `guarded-fetch.test.ts` tries all spellings and schemes. */
const inside = words(`
	https://2130706433/ https://[::ffff:127.0.0.1]/ https://169.254.169.254/latest/meta-data/ https://localhost./
	https://user:password@hooks.example/ ftp://hooks.example/ //hooks.example/
`);

const send = (method: "POST" | "PATCH", url: string, payload: object) =>
	app.inject({ method, url: `/api/v1${url}?account_id=shop`, headers: ann.headers, payload });

test("no webhook, made or moved, look at a page or alert leads into a network or speaks something else", async () => {
	const webhook = (url: string) => ({ name: "Hook", url, event_types: ["goal.reached"] });
	const alert = { name: "Inside", alert_type: "traffic_drop" };
	const made = await send("POST", "/webhooks", webhook("https://hooks.example/late"));
	assert.equal(made.statusCode, 201);
	const routes = [
		["POST", "/webhooks", "url", webhook],
		["PATCH", `/webhooks/${made.json().id}`, "url", (url: string) => ({ url })],
		["POST", "/sites/shop/pixel/check", "url", (url: string) => ({ url })],
		["POST", "/alerts/rules", "slack_webhook_url", (url: string) => ({ ...alert, slack_webhook_url: url })],
		["POST", "/alerts/rules", "custom_webhook_url", (url: string) => ({ ...alert, custom_webhook_url: url })],
	] as const;
	for (const [method, route, field, body] of routes) {
		for (const url of inside) {
			const answer = await send(method, route, body(url));
			const wrong = answer.json().error?.detail?.[0].field;
			assert.deepEqual([answer.statusCode, wrong], [422, `body.${field}`], `${route} ${url}`);
		}
	}
});
