import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { askPlainly } from "../../../test/support/ask-plainly.ts";
import { type TestApp, testApp } from "../../../test/support/test-app.ts";

const PUBLIC_URL = "https://stats.example.com";
const host = "stats.example.com";
const secure = { host, "x-forwarded-for": "203.0.113.5", "x-forwarded-proto": "https" };
const plain = { host, "x-forwarded-for": "203.0.113.5", "x-forwarded-proto": "http" };

let behindProxy: TestApp;
let untrusting: TestApp;
let address = "";
let untrustingAddress = "";
before(async () => {
	behindProxy = await testApp({ env: { PUBLIC_URL, TRUST_PROXY: "127.0.0.1" } });
	untrusting = await testApp({ env: { PUBLIC_URL, TRUST_PROXY: "false" } });
	[address, untrustingAddress] = await Promise.all([behindProxy.address(), untrusting.address()]);
});
after(async () => {
	await behindProxy?.close();
	await untrusting?.close();
});

test("behind a trusted proxy that speaks HTTPS everything is answered as ever", async () => {
	for (const path of ["/", "/t.js?id=x", "/docs", "/api/v1/config"]) {
		const { status } = await askPlainly(address + path, { headers: secure });
		assert.ok(status !== 308 && status !== 403, `${path} ${status}`);
	}
	const chained = { ...secure, "x-forwarded-proto": "https, https" };
	assert.equal((await askPlainly(`${address}/api/v1/config`, { headers: chained })).status, 200);
});

test("a page that came by plain HTTP is led to PUBLIC_URL, whatever host it names", async () => {
	for (const [root, headers] of [
		[address, plain],
		[address, { ...plain, host: "evil.example" }],
		[untrustingAddress, { host }],
	] as const) {
		const answer = await askPlainly(`${root}/login?next=%2Fsites`, { headers });
		assert.deepEqual([answer.status, answer.headers.location], [308, `${PUBLIC_URL}/login?next=%2Fsites`]);
		assert.equal((await askPlainly(`${root}/login`, { method: "HEAD", headers })).status, 308);
	}
	const odd = await askPlainly(`${address}//evil.example/`, { headers: plain });
	assert.equal(odd.headers.location, `${PUBLIC_URL}//evil.example/`);
});

test("forms, the API and whatever carries credentials are refused over plain HTTP, with what to use instead", async () => {
	const asked = [
		["POST", "/login", {}],
		["GET", "/api/v1/config", {}],
		["POST", "/mcp", {}],
		["GET", "/t.js", { "x-api-key": "some" }],
		["GET", "/", { authorization: "Bearer some" }],
	] as const;
	for (const [method, path, more] of asked) {
		const answer = await askPlainly(address + path, { method, headers: { ...plain, ...more } });
		assert.equal(answer.status, 403, path);
		assert.equal(answer.error().code, "forbidden");
		assert.match(answer.error().message, /use https:\/\/stats\.example\.com/);
	}
});

test("a proxy that is not trusted, or does not tell the scheme, leads nobody in a circle but is told how to mend it", async () => {
	const untrusted = await askPlainly(`${untrustingAddress}/`, { headers: secure });
	assert.equal(untrusted.status, 403);
	assert.match(untrusted.error().message, /TRUST_PROXY/);
	const { "x-forwarded-proto": _, ...silent } = secure;
	const mute = await askPlainly(`${address}/`, { headers: silent });
	assert.equal(mute.status, 403);
	assert.match(mute.error().message, /X-Forwarded-Proto/);
	const strange = await askPlainly(`${untrustingAddress}/`, { headers: silent });
	assert.equal(strange.status, 403);
});

test("health, hits, figures of the own network and commands of this machine need no TLS", async () => {
	for (const path of ["/livez", "/readyz", "/health"]) {
		assert.equal((await askPlainly(address + path, { headers: { host } })).status, 200, path);
	}
	assert.equal((await askPlainly(`${untrustingAddress}/metrics`, { headers: { host } })).status, 200);
	assert.equal((await askPlainly(`${address}/metrics`, { headers: plain })).status, 308);
	assert.equal((await askPlainly(`${untrustingAddress}/api/v1/config`)).status, 200);
	const hit = await askPlainly(`${address}/event`, { method: "POST", headers: plain, body: "{}" });
	assert.equal(hit.status, 204);
});

test("REQUIRE_HTTPS=false and a PUBLIC_URL of http take what comes", async (t) => {
	for (const env of [{ PUBLIC_URL, REQUIRE_HTTPS: "false" }, { PUBLIC_URL: "http://stats.example.com" }]) {
		const app = await testApp({ env });
		t.after(() => app.close());
		assert.equal((await askPlainly(`${await app.address()}/api/v1/config`, { headers: plain })).status, 200);
	}
});
