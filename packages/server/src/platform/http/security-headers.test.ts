import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createSite, type Session, signIn } from "../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../test/support/test-app.ts";

let app: TestApp;
let ann: Session;
before(async () => {
	app = await testApp();
	ann = await signIn(app);
	await createSite(app, ann);
});
after(() => app.close());

const headersOf = async (url: string, headers: Record<string, string> = {}) =>
	(await app.inject({ method: "GET", url, headers })).headers;

test("every answer tells browsers to load, frame, sniff and keep nothing: successes, refusals, unknown and malformed addresses", async () => {
	const strict =
		"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; sandbox";
	for (const [place, credential] of [
		["/livez", {}],
		["/api/v1/users/me", ann.headers],
		["/api/v1/sites", {}],
		["/nowhere", {}],
		["/%zz", {}],
	] as const) {
		const headers = await headersOf(place, credential);
		assert.equal(headers["content-security-policy"], strict, place);
		assert.equal(headers["cache-control"], "no-store", place);
		assert.equal(headers["cross-origin-opener-policy"], "same-origin", place);
		assert.equal(headers["cross-origin-resource-policy"], "same-origin", place);
		assert.equal(headers["referrer-policy"], "same-origin", place);
		assert.equal(headers["x-content-type-options"], "nosniff", place);
		assert.equal(headers["x-frame-options"], "DENY", place);
		assert.match(String(headers["permissions-policy"]), /geolocation=\(\)/, place);
		assert.deepEqual([headers["server"], headers["x-powered-by"]], [undefined, undefined], "no software is named");
	}
});

test("browsers are bound to HTTPS where the request came by it, and not otherwise", async (t) => {
	assert.equal((await headersOf("/livez"))["strict-transport-security"], undefined);
	const secure = await headersOf("/livez", { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9" });
	assert.equal(secure["strict-transport-security"], "max-age=31536000");
	// A public address of HTTPS binds them whatever the proxy says.
	const service = await testApp({ env: { PUBLIC_URL: "https://stats.example" } });
	t.after(() => service.close());
	const { headers } = await service.inject({ method: "GET", url: "/nowhere" });
	assert.equal(headers["strict-transport-security"], "max-age=31536000");
});

test("the tracker may be kept for an hour and loaded by pages of any origin; the reference page loads its own scripts", async () => {
	const headers = await headersOf("/t.js?id=shop");
	assert.equal(headers["cache-control"], "public,max-age=3600");
	assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
	assert.equal((await headersOf("/t.js?id=unknown"))["cache-control"], "no-store");
	const policy = String((await headersOf("/docs/static/index.html"))["content-security-policy"]);
	assert.match(policy, /^default-src 'none'; script-src 'self';(?!.*sandbox)/);
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
	for (const asked of [{ origin, "access-control-request-method": "POST" }, {}]) {
		const answer = await app.inject({ method: "OPTIONS", url: "/api/v1/sites", headers: asked });
		assert.deepEqual([answer.statusCode, answer.body], [204, ""]);
		assert.equal(
			answer.headers["access-control-allow-headers"],
			"Authorization, Content-Type, MCP-Protocol-Version, X-API-Key, X-CSRF-Token, X-Provision-Key",
		);
	}
});

const ask = (url: string, encoding?: string) =>
	app.inject({
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
