import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

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

let directory: string;
let app: TestApp;
before(async () => {
	directory = mkdtempSync(join(tmpdir(), "footfall-help-"));
	mkdirSync(join(directory, "pages/decisions"), { recursive: true });
	mkdirSync(join(directory, "assets"));
	for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
	app = await testApp({ helpDir: directory, env: { RATE_LIMIT_ENABLED: "true" } });
});
after(async () => {
	await app?.close();
	rmSync(directory, { recursive: true });
});

const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
	app.inject({ method: "GET", url, headers });

test("each page has its address, without an account, with or without a slash, and what is none a page that says so", async () => {
	const html = "text/html; charset=utf-8";
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
	const page = await get("/help/api", { "accept-encoding": "br" });
	assert.equal(brotliDecompressSync(page.rawPayload).toString(), long);
	assert.deepEqual([page.headers["cache-control"], page.headers.vary], ["no-cache", "Accept-Encoding"]);
	const again = await get("/help/api", { "if-none-match": String(page.headers.etag) });
	assert.deepEqual([again.statusCode, again.body], [304, ""]);
	const asset = await get("/help/assets/help-3f2a.js");
	assert.deepEqual(
		[asset.statusCode, asset.headers["content-type"], asset.headers["cache-control"]],
		[200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
	);
	const gone = await get("/help/assets/help-0000.js");
	assert.deepEqual(
		[gone.statusCode, gone.json().error.code, gone.headers["cache-control"]],
		[404, "not_found", "no-store"],
	);
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

test("the page at the root leads to the help, and so does the reference of the API; without a help nothing does", async (t) => {
	assert.match((await get("/")).body, /<a href="\/help">/);
	const { info } = (await get("/api/v1/openapi.json")).json();
	assert.match(info.description, /\[the guide\]\(\/help\/api\)/);
	const bare = await testApp();
	t.after(() => bare.close());
	assert.doesNotMatch((await bare.inject({ url: "/" })).body, /\/help/);
	assert.equal((await bare.inject({ url: "/help" })).statusCode, 404);
});
