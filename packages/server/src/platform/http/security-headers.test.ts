import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, signIn } from "../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../test/support/test-app.ts";

let app: TestApp;
before(async () => {
	app = await testApp();
});
after(() => app.close());

const headersOf = async (url: string, headers: Record<string, string> = {}) =>
	(await app.inject({ method: "GET", url, headers })).headers;

const strict =
	"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; sandbox";

test("every answer tells browsers to load, frame, sniff and keep nothing: successes, refusals, unknown and malformed addresses", async () => {
	const session = await signIn(app);
	const answers = {
		"/livez": await headersOf("/livez"),
		"/api/v1/users/me": await headersOf("/api/v1/users/me", session.headers),
		"/api/v1/sites without a credential": await headersOf("/api/v1/sites"),
		"/nowhere": await headersOf("/nowhere"),
		"/%zz": await headersOf("/%zz"),
	};
	for (const [place, headers] of Object.entries(answers)) {
		assert.equal(headers["content-security-policy"], strict, place);
		assert.equal(headers["cache-control"], "no-store", place);
		assert.equal(headers["cross-origin-opener-policy"], "same-origin", place);
		assert.equal(headers["cross-origin-resource-policy"], "same-origin", place);
		assert.equal(headers["referrer-policy"], "same-origin", place);
		assert.equal(headers["x-content-type-options"], "nosniff", place);
		assert.equal(headers["x-frame-options"], "DENY", place);
		assert.match(String(headers["permissions-policy"]), /geolocation=\(\)/, place);
	}
});

test("no answer names the software behind it", async () => {
	const headers = await headersOf("/livez");
	assert.deepEqual([headers["server"], headers["x-powered-by"]], [undefined, undefined]);
});

test("browsers are bound to HTTPS where the request came by it, and not otherwise", async () => {
	assert.equal((await headersOf("/livez"))["strict-transport-security"], undefined);
	const secure = await headersOf("/livez", { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9" });
	assert.equal(secure["strict-transport-security"], "max-age=31536000");
});

test("a public address of HTTPS binds them whatever the proxy says", async (t) => {
	const service = await testApp({ env: { PUBLIC_URL: "https://stats.example" } });
	t.after(() => service.close());
	const { headers } = await service.inject({ method: "GET", url: "/nowhere" });
	assert.equal(headers["strict-transport-security"], "max-age=31536000");
});

test("the tracker may be kept for an hour and loaded by pages of any origin", async () => {
	const session = await signIn(app, { email: "tracker@example.com" });
	const site = await createSite(app, session);
	const headers = await headersOf(`/t.js?id=${site}`);
	assert.equal(headers["cache-control"], "public,max-age=3600");
	assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
	assert.equal((await headersOf("/t.js?id=unknown"))["cache-control"], "no-store");
});

test("the reference page loads its own scripts and nothing else", async () => {
	const headers = await headersOf("/docs/static/index.html");
	assert.match(String(headers["content-security-policy"]), /^default-src 'none'; script-src 'self';/);
	assert.doesNotMatch(String(headers["content-security-policy"]), /sandbox/);
});

test("scripts of other origins get no answer to a cookie", async () => {
	const response = await app.inject({
		method: "GET",
		url: "/api/v1/users/me",
		headers: { origin: "https://evil.example" },
	});
	assert.equal(response.headers["access-control-allow-origin"], "*");
	assert.equal(response.headers["access-control-allow-credentials"], undefined);
});
