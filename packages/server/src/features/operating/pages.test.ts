import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import packageInfo from "../../../package.json" with { type: "json" };
import { sharedTestApp, signIn } from "../../../test/support/accounts.ts";
import { newDirectory } from "../../../test/support/new-directory.ts";
import { testApp } from "../../../test/support/test-app.ts";

const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const html = "text/html; charset=utf-8";

describe("without a dashboard and a help", () => {
	const app = sharedTestApp({ env: { RATE_LIMIT_ENABLED: "true" } });
	const open = (url: string, headers: Record<string, string> = browser) =>
		app.inject({ method: "GET", url, headers, remoteAddress: "203.0.113.7" });
	const config = async () => (await open("/api/v1/config")).json().data;

	test("the root says what this is, where to go, and that an account is missing until there is one, as the configuration does", async () => {
		const { headers, body } = await open("/");
		assert.equal(headers["content-type"], html);
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
		assert.equal((await open("/help")).statusCode, 404);
		const before = await config();
		assert.deepEqual(before, {
			version: packageInfo.version,
			setup_required: true,
			registration: "invited",
			mail: "outbox",
			payments: "none",
			features: ["billing", "imports", "bigquery", "lens"],
			languages: ["en", "es"],
			limits: { session_timeout_minutes: 30, max_amount: 1_000_000_000, max_import_bytes: 536_870_912 },
		});
		await signIn(app, { email: "root@example.com", role: "superadmin" });
		assert.doesNotMatch((await open("/")).body, /There is no account yet|\/help/);
		assert.deepEqual(await config(), { ...before, setup_required: false });
	});

	test("an unknown address is a page for a browser and JSON for programs and below the addresses of programs", async () => {
		const page = await open("/login");
		assert.deepEqual([page.statusCode, page.headers["content-type"], page.headers.vary], [404, html, "Accept"]);
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
});

describe("with a help", () => {
	const long = `<!doctype html><title>API</title>${"<p>figures</p>".repeat(20)}`;
	const files: Readonly<Record<string, string | Buffer>> = {
		"pages/index.html": "<!doctype html><title>Help</title>",
		"pages/404.html": "<!doctype html><title>No such page</title>",
		"pages/api.html": long,
		"pages/api.html.br": brotliCompressSync(long),
		"pages/decisions.html": "<!doctype html><title>Decisions</title>",
		"pages/decisions/0001-store.html": "<!doctype html><title>1. The store</title>",
		"assets/help-3f2a.js": "export {}",
	};

	const directory = newDirectory();
	const app = sharedTestApp({ helpDir: directory, env: { RATE_LIMIT_ENABLED: "true" } });
	for (const folder of ["pages/decisions", "assets"]) mkdirSync(join(directory, folder), { recursive: true });
	for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);

	const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
		app.inject({ method: "GET", url, headers });

	test("each page has its address, without an account, with or without a slash, and what is none a page that says so", async () => {
		const missing = ["nothing", "404", "api.html", "index", "..%2fapi", "decisions/x"];
		for (const [url, status, title] of [
			["/help", 200, "Help"],
			["/help/", 200, "Help"],
			["/help/api", 200, "API"],
			["/help/api/", 200, "API"],
			["/help/decisions", 200, "Decisions"],
			["/help/decisions/0001-store", 200, "1. The store"],
			...missing.map((name) => [`/help/${name}`, 404, "No such page"] as const),
		] as const) {
			const answer = await get(url);
			assert.deepEqual([answer.statusCode, answer.headers["content-type"]], [status, html], url);
			assert.ok(answer.body.includes(`<title>${title}</title>`), url);
			assert.equal((await app.inject({ method: "HEAD", url })).body, "");
		}
	});

	test("pages are asked for anew by their tag, what they load is kept for ever, and both come compressed", async () => {
		const { headers } = await get("/help/api", { "accept-encoding": "br" });
		assert.deepEqual([headers["cache-control"], headers["content-encoding"]], ["no-cache", "br"]);
		const again = await get("/help/api", { "if-none-match": String(headers.etag) });
		assert.deepEqual([again.statusCode, again.body], [304, ""]);
		for (const [name, status, kept] of [
			["help-3f2a", 200, "public, max-age=31536000, immutable"],
			["help-0000", 404, "no-store"],
		] as const) {
			const asset = await get(`/help/assets/${name}.js`);
			assert.deepEqual([asset.statusCode, asset.headers["cache-control"]], [status, kept]);
		}
	});

	test("pages run scripts of this service alone, are framed by nobody, and are outside the limit of an address", async () => {
		// More often than an address may ask for anything else.
		for (let i = 0; i < 70; i++) assert.equal((await get("/help")).statusCode, 200);
		for (const url of ["/help", "/help/nothing"])
			assert.equal(
				(await get(url)).headers["content-security-policy"],
				"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
					"form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
			);
	});

	test("the page at the root leads to the help, and so does the reference of the API", async () => {
		assert.match((await get("/")).body, /<a href="\/help">/);
		const { info } = (await get("/api/v1/openapi.json")).json();
		assert.match(info.description, /\[the guide\]\(\/help\/api\)/);
	});
});

test("the configuration follows the operator's settings, and tells none of their values", async () => {
	const env = {
		REGISTRATION: "closed",
		SMTP_URL: "smtp://user:hidden@mail.example",
		MAIL_FROM: "footfall@mail.example",
		PROVISIONING_ENABLED: "true",
		SESSION_TIMEOUT_MINUTES: "45",
		MAX_AMOUNT: "5000",
		MAX_IMPORT_BYTES: "1MB",
	};
	await using app = await testApp({ env });
	const config = (await app.inject({ url: "/api/v1/config" })).json().data;
	const limits = { session_timeout_minutes: 45, max_amount: 5000, max_import_bytes: 1_048_576 };
	const features = ["provisioning", "billing", "imports", "bigquery", "lens"];
	const told = [config.registration, config.mail, config.features, config.limits];
	assert.deepEqual(told, ["closed", "smtp", features, limits]);
	assert.doesNotMatch(JSON.stringify(config), /hidden|mail\.example/);
});
