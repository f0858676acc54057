import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { newDirectory } from "../../../../test/support/new-directory.ts";
import { makeLink } from "../../../../test/support/shared-link.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { readTemplate } from "./index.ts";

const script = `console.log(${JSON.stringify("footfall ".repeat(20))});`;
const icon = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const page = `<!doctype html>
<html lang="en" data-theme="auto"><head><script type="application/json" id="boot">{}</script>
<script type="module" src="/assets/main-3f2a.js"></script></head><body><div id="root"></div></body></html>`;

/** A dashboard as its build leaves it: one script with compressed forms beside it, one too short for that. */
function builtDashboard(files: Readonly<Record<string, string | Buffer>> = {}): string {
	const directory = newDirectory();
	mkdirSync(join(directory, "assets"));
	const all = {
		"index.html": page,
		"routes.json": JSON.stringify(["/", "/sites", "/sites/:id/*", "/sign-in", "/share/:token", "/embed/:token"]),
		"favicon.svg": icon,
		"assets/main-3f2a.js": script,
		"assets/main-3f2a.js.br": brotliCompressSync(script),
		"assets/main-3f2a.js.gz": gzipSync(script),
		"assets/short-77aa.css": "a{}",
		"assets/only-gzip-01.js": script,
		"assets/only-gzip-01.js.gz": gzipSync(script),
		...files,
	};
	for (const [name, content] of Object.entries(all)) writeFileSync(join(directory, name), content);
	return directory;
}

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const app = await testApp({ dashboardDir: builtDashboard(), env: { RATE_LIMIT_ENABLED: "true" } });
const { headers } = await signIn(app, { email: "root@example.com", role: "superadmin" });
/** An access token. */
const token = headers.authorization.replace("Bearer ", "");
after(() => app.close());

const get = (url: string, headers: Readonly<Record<string, string>> = browser) =>
	app.inject({ method: "GET", url, headers, remoteAddress: "203.0.113.7" });
const bootIn = (body: string) =>
	JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/.exec(body)?.[1] ?? "");

/** Language and theme of a page. */
const looksIn = (body: string) => /<html lang="(..)" data-theme="(\w+)">/.exec(body)?.slice(1).join(" ");

test("the page stands at the addresses that the build names and nowhere else, for reading alone", async () => {
	const html = "text/html; charset=utf-8";
	const urls = ["/", "/sites", "/sites/shop", "/sites/shop/", "/sites/shop/settings/people?tab=roles", "/sign-in"];
	for (const url of urls) {
		const answer = await get(url);
		assert.deepEqual([url, answer.statusCode, answer.headers["content-type"]], [url, 200, html]);
		assert.match(answer.body, /<div id="root">/);
		const head = await app.inject({ method: "HEAD", url, headers: browser });
		assert.deepEqual([head.statusCode, head.body, head.headers["content-type"]], [200, "", html]);
	}
	for (const url of ["/site", "/sign-in/now", "/assets", "/index.html", "/routes.json", "/api/v1/sites/x"])
		assert.ok((await get(url)).statusCode >= 400, url);
	for (const [method, url] of Object.entries({ POST: "/sites", PUT: "/sites/shop/x" }))
		assert.equal((await app.inject({ method, url })).json().error.code, "method_not_allowed");
});

test("the page is not kept, not found by search engines, framed by nobody, and runs scripts of this server alone", async () => {
	const { headers } = await get("/sites");
	assert.deepEqual(
		[headers["cache-control"], headers["x-robots-tag"], headers["x-frame-options"], headers["referrer-policy"]],
		["no-store", "noindex", "DENY", "same-origin"],
	);
	assert.equal(headers["cross-origin-opener-policy"], "same-origin");
	assert.equal(
		headers["content-security-policy"],
		"default-src 'none'; script-src 'self'; style-src 'self'; " +
			"img-src 'self' data:; connect-src 'self'; manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; " +
			"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
	);
});

test("the page of a shared link looks at no cookie, and is framed by the pages that its link names alone", async () => {
	const ann = await signIn(app, { email: "ann@example.com" });
	const site = await createSite(app, ann);
	const origins = ["https://www.example.com", "http://intranet:8080"];
	const framed = await makeLink(app, ann, site, { embed_origins: origins });
	const alone = await makeLink(app, ann, site, { password: "open sesame" });
	const cookie = `svc_access_token=${token}; svc_csrf_token=0123; footfall_lang=es; footfall_theme=dark`;
	const look = async (url: string) => {
		const { headers, body } = await get(url, { ...browser, cookie });
		const [, ancestors] = /frame-ancestors ([^;]*)/.exec(String(headers["content-security-policy"])) ?? [];
		const { session, share } = bootIn(body);
		assert.deepEqual([headers["set-cookie"], session], [undefined, "none"], url);
		return [share, ancestors, headers["x-frame-options"], looksIn(body)];
	};
	const framers = "'self' https://www.example.com http://intranet:8080";
	const shut = ["'none'", "DENY", "en auto"];
	const own = `/embed/${framed.token}`;
	for (const [url, seen] of [
		[`${own}?theme=dark&lang=es&hide=map`, ["open", framers, undefined, "es dark"]],
		[`${own}?theme=%22%3E&lang=fr`, ["open", framers, undefined, "en auto"]],
		[`/share/${framed.token}`, ["open", ...shut]],
		[`/embed/${alone.token}`, ["locked", ...shut]],
		[`/embed/${"x".repeat(43)}`, ["gone", ...shut]],
	] as const) {
		assert.deepEqual(await look(url), seen, url);
	}
	const url = `/api/v1/sites/${site}/share-links/${framed.id}`;
	await app.inject({ method: "PATCH", url, headers: ann.headers, payload: { is_active: false } });
	assert.deepEqual(await look(own), ["gone", ...shut]);
});

test("assets are kept for ever, compressed as the browser takes it, and known again by their tag", async () => {
	const asset = "/assets/main-3f2a.js";
	const forms = {
		br: (body: Buffer) => brotliDecompressSync(body).toString(),
		gzip: (body: Buffer) => gunzipSync(body).toString(),
		identity: (body: Buffer) => body.toString(),
	};
	for (const [encoding, unpack] of Object.entries(forms)) {
		const { headers, rawPayload } = await get(asset, { "accept-encoding": encoding });
		assert.deepEqual([unpack(rawPayload), headers["content-encoding"] ?? "identity"], [script, encoding]);
		const expected = ["public, max-age=31536000, immutable", "text/javascript; charset=utf-8", "Accept-Encoding"];
		assert.deepEqual([headers["cache-control"], headers["content-type"], headers.vary], expected);
	}
	for (const [url, encoding] of [
		[asset, "br"],
		["/assets/short-77aa.css", undefined],
		["/assets/only-gzip-01.js", "gzip"],
	] as const) {
		assert.equal((await get(url, { "accept-encoding": "gzip, deflate, br" })).headers["content-encoding"], encoding);
	}
	const etag = String((await get(asset)).headers.etag);
	const again = await get(asset, { "if-none-match": etag });
	assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, "", etag]);
	const head = await app.inject({ method: "HEAD", url: asset, headers: { "accept-encoding": "br" } });
	const length = String(brotliCompressSync(script).length);
	assert.deepEqual([head.statusCode, head.body, head.headers["content-length"]], [200, "", length]);
	for (const url of ["/assets/main-0000.js", "/assets/main-3f2a.js.br", "/assets/..%2findex.html"]) {
		const { statusCode, headers, json } = await get(url, { accept: "*/*" });
		assert.deepEqual([statusCode, json().error.code, headers["cache-control"]], [404, "not_found", "no-store"], url);
	}
	const { headers, body } = await get("/favicon.svg");
	assert.deepEqual([headers["content-type"], body], ["image/svg+xml", icon]);
	assert.equal(headers["cache-control"], "public, max-age=86400");
});

test("the page says whether the session is fresh, goes on after a refresh, or is none", async () => {
	const session = async (cookie?: string) => bootIn((await get("/sites", cookie ? { cookie } : {})).body).session;
	assert.equal(await session(), "none");
	assert.equal(await session(`svc_access_token=${token}`), "fresh");
	assert.equal(await session("svc_csrf_token=0123"), "stale");
	assert.equal(await session("svc_access_token=forged; svc_csrf_token=0123"), "stale");
	assert.equal(await session("svc_access_token=forged"), "none");
	const bearer = await get("/sites", { authorization: `Bearer ${token}` });
	assert.equal(bootIn(bearer.body).session, "none");
	app.clock.advance(16 * 60_000);
	assert.equal(await session(`svc_access_token=${token}; svc_csrf_token=0123`), "stale");
});

test("the page brings version and configuration along, in a form that no text can break out of", async () => {
	const { data } = (await app.inject({ url: "/api/v1/config" })).json();
	assert.deepEqual(bootIn((await get("/")).body), { version: data.version, session: "none", config: data });
	const boot = { version: "$&</script><b>", session: "none", config: { a: "<!--$'" } } as const;
	const html = readTemplate(page)({ language: "en", theme: "auto" }, boot);
	assert.deepEqual(bootIn(html), boot);
	assert.equal(html.split("</script>").length, page.split("</script>").length);
	assert.ok(!html.includes("<!--"));
});

test("language and theme are those of the cookies, the language else that of the browser", async () => {
	const evil = 'footfall_lang="><script>; footfall_theme=x" onload="y';
	for (const [headers, looks] of [
		[{}, "en auto"],
		[{ cookie: "footfall_lang=es; footfall_theme=dark" }, "es dark"],
		[{ cookie: "footfall_lang=en", "accept-language": "es" }, "en auto"],
		[{ "accept-language": "fr-FR, es-MX;q=0.8, en;q=0.5" }, "es auto"],
		[{ "accept-language": "en;q=0.2, es;q=0.1" }, "en auto"],
		[{ "accept-language": "es;q=0, de" }, "en auto"],
		[{ cookie: evil }, "en auto"],
	] as const) {
		assert.equal(looksIn((await get("/sites", headers)).body), looks, JSON.stringify(headers));
	}
});

test("a language that was built for itself has its own page", async () => {
	const spanish = builtDashboard({ "index.es.html": page.replace("main-3f2a", "main-e5e5") });
	await using service = await testApp({ dashboardDir: spanish });
	await signIn(service, { email: "root@example.com", role: "superadmin" });
	const script = async (cookie: string) =>
		/src="(.*?)"/.exec((await service.inject({ url: "/sites", headers: { ...browser, cookie } })).body)?.[1];
	assert.equal(await script("footfall_lang=es"), "/assets/main-e5e5.js");
	assert.equal(await script("footfall_lang=en"), "/assets/main-3f2a.js");
	assert.equal((await service.inject({ url: "/index.es.html" })).statusCode, 404);
});

test("page and files are outside the limit of an address, and the addresses of programs are theirs", async () => {
	for (let i = 0; i < 70; i++) await get("/nothing", {});
	for (const url of ["/sites", "/assets/main-3f2a.js", "/favicon.svg"]) assert.equal((await get(url)).statusCode, 200);
	assert.equal((await get("/nothing")).statusCode, 429);
	app.clock.advance(60_000);
	assert.match((await get("/assets/main-0000.js")).body, /<h1>There is nothing at this address<\/h1>/);
	assert.equal((await get("/t.js?id=unknown")).json().error.code, "account_not_found");
});

test("until there is an account, the root says how to make one", async () => {
	await using fresh = await testApp({ dashboardDir: builtDashboard() });
	const { body } = await fresh.inject({ url: "/", headers: browser });
	assert.match(body, /There is no account yet\./);
	assert.doesNotMatch(body, /not built/);
	assert.equal(bootIn((await fresh.inject({ url: "/sites" })).body).config.setup_required, true);
	await signIn(fresh, { role: "superadmin" });
	assert.match((await fresh.inject({ url: "/" })).body, /<div id="root">/);
});

test("a dashboard that was built for another server keeps the service from starting, and says so", async () => {
	const faults = {
		"index.html": [page.replace('data-theme="auto"', ""), /index\.html of the dashboard lacks data-theme="auto"/],
		"routes.json": ['{"/": 1}', /routes\.json of the dashboard is no list of addresses/],
	} as const;
	for (const [name, [content, message]] of Object.entries(faults)) {
		await assert.rejects(testApp({ dashboardDir: builtDashboard({ [name]: content }) }), message);
	}
});

test("an address opens 300 pages of shared links a minute, and the application as often as it likes", async () => {
	const look = (path: string, remoteAddress = "203.0.113.8") =>
		app.inject({ url: path, headers: browser, remoteAddress }).then(({ statusCode }) => statusCode);
	for (let times = 0; times < 150; times++) {
		assert.deepEqual([await look("/share/x"), await look("/embed/y")], [200, 200], `${times}`);
	}
	assert.deepEqual(
		[await look("/share/x"), await look("/embed/y"), await look("/sites"), await look("/share/x", "203.0.113.9")],
		[429, 429, 200, 200],
	);
});
