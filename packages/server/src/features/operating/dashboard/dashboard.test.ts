import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { makeLink } from "../../../../test/support/shared-link.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { readTemplate } from "./template.ts";

const script = `console.log(${JSON.stringify("footfall ".repeat(20))});`;
const icon = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const page = `<!doctype html>
<html lang="en" data-theme="auto"><head><script type="application/json" id="boot">{}</script>
<script type="module" src="/assets/main-3f2a.js"></script></head><body><div id="root"></div></body></html>`;

/** A dashboard as its build leaves it: one script with compressed forms beside it, one too short for that. */
function builtDashboard(files: Readonly<Record<string, string | Buffer>> = {}): string {
	const directory = mkdtempSync(join(tmpdir(), "footfall-dashboard-"));
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
const directory = builtDashboard();
let app: TestApp;
/** An access token. */
let token: string;
before(async () => {
	app = await testApp({ dashboardDir: directory, env: { RATE_LIMIT_ENABLED: "true" } });
	const { headers } = await signIn(app, { email: "root@example.com", role: "superadmin" });
	token = headers.authorization.replace("Bearer ", "");
});
after(async () => {
	await app.close();
	rmSync(directory, { recursive: true });
});

const get = (url: string, headers: Readonly<Record<string, string>> = browser) =>
	app.inject({ method: "GET", url, headers, remoteAddress: "203.0.113.7" });
const bootIn = (body: string) =>
	JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/.exec(body)?.[1] ?? "");

test("the page stands at the addresses that the build names and nowhere else, for reading alone", async () => {
	const urls = ["/", "/sites", "/sites/shop", "/sites/shop/", "/sites/shop/settings/people?tab=roles", "/sign-in"];
	for (const url of urls) {
		const answer = await get(url);
		assert.deepEqual([url, answer.statusCode, answer.headers["content-type"]], [url, 200, "text/html; charset=utf-8"]);
		assert.match(answer.body, /<div id="root">/);
		const head = await app.inject({ method: "HEAD", url, headers: browser });
		assert.deepEqual([head.statusCode, head.body], [200, ""]);
		assert.equal(head.headers["content-type"], "text/html; charset=utf-8");
	}
	for (const url of ["/site", "/sign-in/now", "/assets", "/index.html", "/routes.json", "/api/v1/sites/x"])
		assert.ok((await get(url)).statusCode >= 400, url);
	assert.equal((await app.inject({ method: "POST", url: "/sites" })).json().error.code, "method_not_allowed");
	assert.equal((await app.inject({ method: "PUT", url: "/sites/shop/x" })).json().error.code, "method_not_allowed");
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
		const [, language, theme] = /<html lang="(..)" data-theme="(\w+)">/.exec(body) ?? [];
		const { session, share } = bootIn(body);
		assert.deepEqual([headers["set-cookie"], session], [undefined, "none"], url);
		return [share, ancestors, headers["x-frame-options"], language, theme];
	};
	const shut = ["'none'", "DENY", "en", "auto"];
	assert.deepEqual(await look(`/embed/${framed.token}?theme=dark&lang=es&hide=map`), [
		"open",
		"'self' https://www.example.com http://intranet:8080",
		undefined,
		"es",
		"dark",
	]);
	assert.deepEqual(await look(`/embed/${framed.token}?theme=%22%3E&lang=fr`).then((seen) => seen.slice(3)), [
		"en",
		"auto",
	]);
	assert.deepEqual(await look(`/share/${framed.token}`), ["open", ...shut]);
	assert.deepEqual(await look(`/embed/${alone.token}`), ["locked", ...shut]);
	assert.deepEqual(await look(`/embed/${"x".repeat(43)}`), ["gone", ...shut]);
	await app.inject({
		method: "PATCH",
		url: `/api/v1/sites/${site}/share-links/${framed.id}`,
		headers: ann.headers,
		payload: { is_active: false },
	});
	assert.deepEqual(await look(`/embed/${framed.token}`), ["gone", ...shut]);
});

test("assets are kept for ever, compressed as the browser takes it, and known again by their tag", async () => {
	const asset = "/assets/main-3f2a.js";
	const forms = {
		br: (body: Buffer) => brotliDecompressSync(body).toString(),
		gzip: (body: Buffer) => gunzipSync(body).toString(),
		identity: (body: Buffer) => body.toString(),
	};
	for (const [encoding, unpack] of Object.entries(forms)) {
		const answer = await get(asset, { "accept-encoding": encoding });
		assert.equal(unpack(answer.rawPayload), script);
		assert.equal(answer.headers["content-encoding"] ?? "identity", encoding);
		assert.equal(answer.headers["cache-control"], "public, max-age=31536000, immutable");
		assert.equal(answer.headers["content-type"], "text/javascript; charset=utf-8");
		assert.equal(answer.headers.vary, "Accept-Encoding");
	}
	assert.equal((await get(asset, { "accept-encoding": "gzip, deflate, br" })).headers["content-encoding"], "br");
	const small = await get("/assets/short-77aa.css", { "accept-encoding": "br, gzip" });
	assert.deepEqual([small.headers["content-encoding"], small.body], [undefined, "a{}"]);
	const gzipped = await get("/assets/only-gzip-01.js", { "accept-encoding": "br, gzip" });
	assert.equal(gzipped.headers["content-encoding"], "gzip");

	const etag = String((await get(asset)).headers.etag);
	const again = await get(asset, { "if-none-match": etag });
	assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, "", etag]);
	const head = await app.inject({ method: "HEAD", url: asset, headers: { "accept-encoding": "br" } });
	assert.deepEqual([head.statusCode, head.body], [200, ""]);
	assert.equal(head.headers["content-length"], String(brotliCompressSync(script).length));
});

test("an asset of another version is missing, never the page, and its absence is not kept", async () => {
	for (const url of ["/assets/main-0000.js", "/assets/main-3f2a.js.br", "/assets/..%2findex.html"]) {
		const answer = await get(url, { accept: "*/*" });
		assert.deepEqual([url, answer.statusCode, answer.json().error.code], [url, 404, "not_found"]);
		assert.equal(answer.headers["cache-control"], "no-store");
	}
});

test("the icon of the application is served from the root for a day", async () => {
	const answer = await get("/favicon.svg");
	assert.deepEqual([answer.statusCode, answer.headers["content-type"], answer.body], [200, "image/svg+xml", icon]);
	assert.equal(answer.headers["cache-control"], "public, max-age=86400");
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
	const { body } = await get("/");
	const { data } = (await app.inject({ url: "/api/v1/config" })).json();
	assert.deepEqual(bootIn(body), { version: data.version, session: "none", config: data });
	assert.equal(data.setup_required, false);
});

test("a configuration with a tag in it stays data", () => {
	const template = readTemplate(page);
	const reader = { language: "en", theme: "auto" } as const;
	const html = template(reader, { version: "$&</script><b>", session: "none", config: { a: "<!--$'" } });
	assert.deepEqual(bootIn(html), { version: "$&</script><b>", session: "none", config: { a: "<!--$'" } });
	assert.equal(html.split("</script>").length, page.split("</script>").length);
	assert.ok(!html.includes("<!--"));
});

test("language and theme are those of the cookies, the language else that of the browser", async () => {
	const root = async (headers: Readonly<Record<string, string>>) =>
		/<html lang="(..)" data-theme="(\w+)">/
			.exec((await get("/sites", headers)).body)
			?.slice(1)
			.join(" ");
	assert.equal(await root({}), "en auto");
	assert.equal(await root({ cookie: "footfall_lang=es; footfall_theme=dark" }), "es dark");
	assert.equal(await root({ cookie: "footfall_lang=en", "accept-language": "es" }), "en auto");
	assert.equal(await root({ "accept-language": "fr-FR, es-MX;q=0.8, en;q=0.5" }), "es auto");
	assert.equal(await root({ "accept-language": "en;q=0.2, es;q=0.1" }), "en auto");
	assert.equal(await root({ "accept-language": "es;q=0, de" }), "en auto");
	assert.equal(await root({ cookie: 'footfall_lang="><script>; footfall_theme=x" onload="y' }), "en auto");
});

test("a language that was built for itself has its own page", async (t) => {
	const spanish = builtDashboard({ "index.es.html": page.replace("main-3f2a", "main-e5e5") });
	const service = await testApp({ dashboardDir: spanish });
	await signIn(service, { email: "root@example.com", role: "superadmin" });
	t.after(async () => {
		await service.close();
		rmSync(spanish, { recursive: true });
	});
	const script = async (cookie: string) =>
		/src="(.*?)"/.exec((await service.inject({ url: "/sites", headers: { ...browser, cookie } })).body)?.[1];
	assert.equal(await script("footfall_lang=es"), "/assets/main-e5e5.js");
	assert.equal(await script("footfall_lang=en"), "/assets/main-3f2a.js");
	assert.equal((await service.inject({ url: "/index.es.html" })).statusCode, 404);
});

test("page and files are outside the limit of an address; unknown addresses are pages for people, JSON for programs", async () => {
	for (let i = 0; i < 70; i++) await get("/nothing", {});
	assert.equal((await get("/sites")).statusCode, 200);
	assert.equal((await get("/assets/main-3f2a.js")).statusCode, 200);
	assert.equal((await get("/favicon.svg")).statusCode, 200);
	const refused = await get("/nothing");
	assert.equal(refused.statusCode, 429);
	assert.match(refused.body, /<h1>Too many requests<\/h1>/);
	app.clock.advance(60_000);
	const unknown = await get("/nothing");
	assert.deepEqual([unknown.statusCode, unknown.headers["content-type"]], [404, "text/html; charset=utf-8"]);
	assert.match(unknown.body, /<h1>There is nothing at this address<\/h1>/);
	const asset = await get("/assets/main-0000.js");
	assert.deepEqual([asset.statusCode, asset.headers["content-type"]], [404, "text/html; charset=utf-8"]);
	assert.equal((await get("/nothing", {})).json().error.code, "not_found");
	assert.equal((await get("/api/v1/nothing")).json().error.code, "not_found");
	const script = await get("/t.js?id=unknown");
	assert.equal(script.json().error.code, "account_not_found");
});

test("until there is an account, the root says how to make one", async (t) => {
	const fresh = await testApp({ dashboardDir: directory });
	t.after(() => fresh.close());
	const first = await fresh.inject({ url: "/", headers: browser });
	assert.equal(first.statusCode, 200);
	assert.match(first.body, /There is no account yet\./);
	assert.doesNotMatch(first.body, /not built/);
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
		const broken = builtDashboard({ [name]: content });
		try {
			await assert.rejects(testApp({ dashboardDir: broken }), message);
		} finally {
			rmSync(broken, { recursive: true });
		}
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
