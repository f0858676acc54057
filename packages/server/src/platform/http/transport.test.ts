import assert from "node:assert/strict";
import { after, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createSite, signIn } from "../../../test/support/accounts.ts";
import { askPlainly } from "../../../test/support/ask-plainly.ts";
import { type TestApp, testApp } from "../../../test/support/test-app.ts";
import { password } from "../../../test/support/test-users.ts";

const PUBLIC_URL = "https://stats.example.com";
const host = "stats.example.com";
const secure = { host, "x-forwarded-for": "203.0.113.5", "x-forwarded-proto": "https" };
const plain = { ...secure, "x-forwarded-proto": "http" };
const { "x-forwarded-proto": _, ...silent } = secure;
const long = "x".repeat(9000);

let address = "";
let untrustingAddress = "";
const trusting = await testApp({ env: { TRUST_PROXY: "true" } });
const ann = await signIn(trusting);
await createSite(trusting, ann);
const behindProxy = await testApp({ env: { PUBLIC_URL, TRUST_PROXY: "127.0.0.1" } });
const untrusting = await testApp({ env: { PUBLIC_URL, TRUST_PROXY: "false" } });
[address, untrustingAddress] = await Promise.all([behindProxy.address(), untrusting.address()]);
after(async () => {
	for (const app of [trusting, behindProxy, untrusting]) await app.close();
});

/** The address that a signed-in caller is shown, over a real connection. */
async function addressSeen(app: TestApp, headers: Record<string, string>): Promise<unknown> {
	const answer = await fetch(`${await app.address()}/api/v1/utils/my-ip`, { headers });
	return ((await answer.json()) as { data: { ip: string } }).data.ip;
}

test("text in X-Forwarded-For that is no address is nobody's address, and is stored with no session", async () => {
	for (const [forwarded, seen] of [
		["203.0.113.9", "203.0.113.9"],
		["::ffff:203.0.113.9", "203.0.113.9"],
		["[::FFFF:cb00:7109]:4711", "203.0.113.9"],
		["198.51.100.1, 203.0.113.9", "198.51.100.1"],
		["anything", "127.0.0.1"],
		[long, "127.0.0.1"],
		["", "127.0.0.1"],
		["203.0.113.9:4711", "203.0.113.9"],
		["203.0.113.9, unknown", "127.0.0.1"],
		["unknown, 203.0.113.9", "203.0.113.9"],
		["198.51.100.1, <b>, 203.0.113.9", "203.0.113.9"],
	] as const) {
		const given = { ...ann.headers, "x-forwarded-for": forwarded };
		assert.equal(await addressSeen(trusting, given), seen, forwarded.slice(0, 40));
	}
	const body = JSON.stringify({ email: ann.email, password });
	const headers = { "content-type": "application/json", "x-forwarded-for": "<script>" };
	await askPlainly(`${await trusting.address()}/api/v1/auth/token`, { method: "POST", headers, body });
	const { data } = (await trusting.inject({ url: "/api/v1/auth/sessions", headers: ann.headers })).json();
	const places = data.sessions.map(({ ip_address: ip }: { ip_address: string }) => ip);
	assert.deepEqual(places, ["127.0.0.1", "127.0.0.1"]);
});

test("a client's text before the address that a named proxy adds changes nothing", async () => {
	const { headers } = await signIn(behindProxy);
	for (const forwarded of ["203.0.113.9", "198.51.100.1, 203.0.113.9", `${long}, 203.0.113.9`, ", 203.0.113.9"]) {
		const given = { ...headers, "x-forwarded-for": forwarded, "x-forwarded-proto": "https, https" };
		assert.equal(await addressSeen(behindProxy, given), "203.0.113.9");
	}
});

test("a page that came by plain HTTP is led to PUBLIC_URL, whatever host it names", async () => {
	for (const [root, path, headers] of [
		[address, "/login?next=%2Fsites", plain],
		[address, "/login?next=%2Fsites", { ...plain, host: "evil.example" }],
		[address, "//evil.example/", plain],
		[untrustingAddress, "/login?next=%2Fsites", { host }],
	] as const) {
		const answer = await askPlainly(root + path, { headers });
		assert.deepEqual([answer.status, answer.headers.location], [308, PUBLIC_URL + path]);
		assert.equal((await askPlainly(root + path, { method: "HEAD", headers })).status, 308);
	}
});

test("over plain HTTP and by proxies that are not trusted nothing is answered that carries secrets, with what to use instead", async () => {
	const forged = { ...plain, "x-forwarded-proto": "https, http" };
	for (const [root, method, path, headers, told] of [
		[address, "POST", "/login", plain, /use https:\/\/stats\.example\.com/],
		[address, "GET", "/api/v1/config", plain, /use https:\/\/stats\.example\.com/],
		[address, "GET", "/api/v1/config", forged, /use https:\/\/stats\.example\.com/],
		[address, "POST", "/mcp", plain, /use https:\/\/stats\.example\.com/],
		[address, "GET", "/t.js", { ...plain, "x-api-key": "some" }, /use https:\/\/stats\.example\.com/],
		[address, "GET", "/", { ...plain, authorization: "Bearer some" }, /use https:\/\/stats\.example\.com/],
		// To lead on what came by HTTPS would lead in a circle.
		[untrustingAddress, "GET", "/", secure, /TRUST_PROXY/],
		[address, "GET", "/", silent, /X-Forwarded-Proto/],
		[untrustingAddress, "GET", "/", silent, /./],
	] as const) {
		const answer = await askPlainly(root + path, { method, headers });
		assert.deepEqual([answer.status, answer.error().code], [403, "forbidden"], path);
		assert.match(answer.error().message, told);
	}
});

test("health, hits, figures of the own network and commands of this machine need no TLS, and what came by it is answered", async () => {
	for (const path of ["/livez", "/readyz", "/health"]) {
		assert.equal((await askPlainly(address + path, { headers: { host } })).status, 200, path);
	}
	for (const path of ["/", "/docs"]) {
		const { status } = await askPlainly(address + path, { headers: secure });
		assert.ok(status !== 308 && status !== 403, `${path} by HTTPS ${status}`);
	}
	assert.equal((await askPlainly(`${untrustingAddress}/metrics`, { headers: { host } })).status, 200);
	assert.equal((await askPlainly(`${address}/metrics`, { headers: plain })).status, 308);
	assert.equal((await askPlainly(`${untrustingAddress}/api/v1/config`)).status, 200);
	const hit = await askPlainly(`${address}/event`, { method: "POST", headers: plain, body: "{}" });
	assert.equal(hit.status, 204);
});

test("REQUIRE_HTTPS=false and a PUBLIC_URL of http take what comes", async () => {
	for (const env of [{ PUBLIC_URL, REQUIRE_HTTPS: "false" }, { PUBLIC_URL: "http://stats.example.com" }]) {
		await using app = await testApp({ env });
		assert.equal((await askPlainly(`${await app.address()}/api/v1/config`, { headers: plain })).status, 200);
	}
});

const warningsOf = (app: TestApp) =>
	app.logLines.filter((line) => /Requests come through a proxy that is not trusted/.test(line));

test("a proxy that passes pages or hits on and is not trusted is warned of once, without an address", async () => {
	for (const [path, method] of Object.entries({ "/livez": "GET", "/event": "POST" })) {
		await using app = await testApp({ env: { TRUST_PROXY: "false" } });
		const url = (await app.address()) + path;
		await fetch(url, { method });
		assert.deepEqual(warningsOf(app), []);
		const { host: _host, ...headers } = secure;
		for (let times = 0; times < 3; times++) {
			const answer = await fetch(url, { method, headers });
			// It cannot say that the request came by HTTPS.
			assert.equal(answer.headers.get("strict-transport-security"), null);
		}
		const [line = "", ...more] = warningsOf(app);
		const { level, setting } = JSON.parse(line);
		assert.deepEqual([level, setting, more], [40, "TRUST_PROXY", []]);
		assert.doesNotMatch(line, /203\.0\.113\.5|127\.0\.0\.1/);
	}
});

test("with a list of proxies a forgotten one is warned of, a trusted one and a stranger are not", async () => {
	for (const [remoteAddress, warnings] of Object.entries({ "127.0.0.1": 0, "198.51.100.9": 0, "10.0.0.2": 1 })) {
		const headers = { "x-forwarded-for": "203.0.113.5" };
		await behindProxy.inject({ method: "GET", url: "/livez", headers, remoteAddress });
		assert.equal(warningsOf(behindProxy).length, warnings, remoteAddress);
	}
});

const headersOf = async (url: string, headers: Record<string, string> = {}, app = trusting) =>
	(await app.inject({ method: "GET", url, headers })).headers;

test("every answer tells browsers to load, frame, sniff and keep nothing: successes, refusals, unknown and malformed addresses", async () => {
	const strict = {
		"content-security-policy":
			"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; sandbox",
		"cache-control": "no-store",
		"cross-origin-opener-policy": "same-origin",
		"cross-origin-resource-policy": "same-origin",
		"referrer-policy": "same-origin",
		"x-content-type-options": "nosniff",
		"x-frame-options": "DENY",
	};
	for (const [place, credential] of [
		["/livez", {}],
		["/api/v1/users/me", ann.headers],
		["/api/v1/sites", {}],
		["/nowhere", {}],
		["/%zz", {}],
	] as const) {
		const headers = await headersOf(place, credential);
		for (const [name, value] of Object.entries(strict)) assert.equal(headers[name], value, `${place} ${name}`);
		assert.match(String(headers["permissions-policy"]), /geolocation=\(\)/, place);
		assert.deepEqual([headers["server"], headers["x-powered-by"]], [undefined, undefined], "no software is named");
	}
	assert.equal((await headersOf("/t.js?id=unknown"))["cache-control"], "no-store");
});

test("browsers are bound to HTTPS where the request came by it, and not otherwise", async () => {
	const { "strict-transport-security": unbound } = await headersOf("/livez");
	const secure = await headersOf("/livez", { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9" });
	// A public address of HTTPS binds them whatever the proxy says.
	const { "strict-transport-security": bound } = await headersOf("/nowhere", {}, behindProxy);
	const year = "max-age=31536000";
	assert.deepEqual([unbound, secure["strict-transport-security"], bound], [undefined, year, year]);
});

test("scripts of other origins get no answer to a cookie", async () => {
	const origin = "https://evil.example";
	const headers = await headersOf("/api/v1/users/me", { origin });
	assert.equal(headers["access-control-allow-origin"], "*");
	assert.equal(headers["access-control-allow-credentials"], undefined);
	assert.equal(
		headers["access-control-expose-headers"],
		"X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, WWW-Authenticate, X-Request-ID",
	);
	const preflight = { origin, "access-control-request-method": "POST" };
	for (const [path, asked] of [
		["sites", preflight],
		["provision", preflight],
		["sites", {}],
	] as const) {
		const answer = await trusting.inject({ method: "OPTIONS", url: `/api/v1/${path}`, headers: asked });
		assert.deepEqual([answer.statusCode, answer.body], [204, ""]);
		const { "access-control-allow-origin": from, "access-control-allow-credentials": cookies } = answer.headers;
		assert.deepEqual([from, cookies], ["*", undefined]);
		const found = answer.headers["access-control-allow-headers"];
		assert.equal(found, "Authorization, Content-Type, MCP-Protocol-Version, X-API-Key, X-CSRF-Token, X-Provision-Key");
	}
});

const ask = (url: string, encoding?: string) =>
	trusting.inject({
		url: `/api/v1${url}`,
		headers: { ...ann.headers, ...(encoding !== undefined && { "accept-encoding": encoding }) },
	});

test("a large report is compressed as the client takes it, Brotli before gzip, and says the same", async () => {
	const series = "/stats/overview?site_id=shop&period=30d&granularity=daily";
	const plain = await ask(series);
	assert.equal(plain.headers["content-encoding"], undefined);
	assert.match(String(plain.headers.vary), /Accept-Encoding/);
	const { data } = plain.json();
	const brotli = await ask(series, "gzip, deflate, br");
	assert.equal(brotli.headers["content-encoding"], "br");
	assert.deepEqual(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString()).data, data);
	assert.ok(brotli.rawPayload.length * 10 < plain.rawPayload.length, `${brotli.rawPayload.length} bytes`);
	assert.equal(Number(brotli.headers["content-length"]), brotli.rawPayload.length);
	const gzip = await ask(series, "br;q=0, gzip");
	assert.equal(gzip.headers["content-encoding"], "gzip");
	assert.deepEqual(JSON.parse(gunzipSync(gzip.rawPayload).toString()).data, data);
});

test("short answers, errors of a kilobyte at most and answers that may hold a secret go as they are", async () => {
	for (const [path, status] of [
		["/stats/overview?site_id=shop&period=today", 200],
		["/stats/overview?site_id=shop&period=8d", 422],
		["/sites", 200],
		["/api-tokens", 200],
		["/sites/config/timezones", 200],
	] as const) {
		const { statusCode, headers } = await ask(path, "br");
		assert.deepEqual([statusCode, headers["content-encoding"]], [status, undefined], path);
	}
});
