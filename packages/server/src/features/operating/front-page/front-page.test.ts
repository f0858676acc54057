import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signIn } from "../../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

let app: TestApp;
before(async () => {
	app = await testApp({ env: { RATE_LIMIT_ENABLED: "true" } });
});
after(() => app.close());

const open = (url: string, headers: Record<string, string> = browser) =>
	app.inject({ method: "GET", url, headers, remoteAddress: "203.0.113.7" });

test("the page at the root says what this is, where to go, and that an account is missing until there is one", async () => {
	const { headers, body } = await open("/");
	assert.equal(headers["content-type"], "text/html; charset=utf-8");
	assert.match(body, /<h1>Footfall is running<\/h1>/);
	assert.match(body, /The dashboard is not built: run <code>node packages\/dashboard\/build\.mjs<\/code>/);
	assert.match(body, /There is no account yet\./);
	assert.doesNotMatch(body, /<script/);
	assert.match(String(headers["content-security-policy"]), /img-src 'self'/);
	const icon = await open("/favicon.ico");
	assert.deepEqual(
		[icon.headers["content-type"], icon.headers["cache-control"], icon.rawPayload.subarray(1, 4).toString()],
		["image/png", "public, max-age=86400", "PNG"],
	);
	await signIn(app, { email: "root@example.com", role: "superadmin" });
	assert.doesNotMatch((await open("/")).body, /There is no account yet/);
});

test("an unknown address is a page for a browser and JSON for programs and below the addresses of programs", async () => {
	const page = await open("/login");
	assert.deepEqual(
		[page.statusCode, page.headers["content-type"], page.headers.vary],
		[404, "text/html; charset=utf-8", "Accept"],
	);
	assert.match(page.body, /<h1>There is nothing at this address<\/h1>/);
	assert.doesNotMatch(page.body, /login/);
	for (const answer of [
		await open("/login", { accept: "*/*" }),
		await open("/login", {}),
		await open("/api/v1/nothing"),
		await open("/.well-known/nothing"),
		await app.inject({ method: "DELETE", url: "/login", headers: browser }),
	]) {
		assert.deepEqual([answer.statusCode, answer.json().error.code], [404, "not_found"]);
	}
});

test("too many requests are told by a page that says when to go on, and links of mails are not called dead", async () => {
	for (let i = 0; i < 70; i++) await open("/nothing", {});
	const headers = { ...browser, "content-type": "application/x-www-form-urlencoded", origin: "http://localhost:80" };
	const send = (url: string) =>
		app.inject({ method: "POST", url, headers, payload: "token=x", remoteAddress: "203.0.113.7" });
	const urls = ["/docs", "/nothing", "/", "/invitation?token=x", "/reset-password?token=x"];
	const pages = await Promise.all([...urls.map((url) => open(url)), send("/invitation"), send("/setup")]);
	for (const page of pages) {
		assert.equal(page.statusCode, 429);
		assert.match(page.body, /<h1>Too many requests<\/h1>/);
		assert.match(page.body, /Wait \d+ seconds?, then load this page again\./);
		assert.doesNotMatch(page.body, /no longer valid/);
		assert.match(String(page.headers["retry-after"]), /^\d+$/);
	}
	assert.equal((await open("/nothing", {})).json().error.code, "rate_limit_exceeded");
	assert.equal((await open("/favicon.ico")).statusCode, 200);
});
