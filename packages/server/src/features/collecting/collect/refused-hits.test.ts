import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHit, sendHits } from "../../../../test/support/hits.ts";
import { testApp } from "../../../../test/support/test-app.ts";

const MINUTE = 60_000;

const here = collectingSite();

async function rejections() {
	const { data } = await here.call(`GET /sites/${here.site}/pixel/rejections`);
	return { accepted: data.accepted, rejected: data.rejected, reasons: data.reasons };
}

async function post(body: string, headers: Record<string, string> = {}): Promise<number> {
	const response = await fetch(`${await here.app.address()}/event`, { method: "POST", body, headers });
	assert.equal(await response.text(), "");
	return response.status;
}

async function tokenOfScript(): Promise<string> {
	const script = await here.app.inject({ url: `/t.js?id=${here.site}` });
	return /"([A-Za-z0-9_-]{40,80})"/.exec(script.body)?.[1] ?? "";
}

const firefox = {
	"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
	"accept-language": "en",
	"accept-encoding": "br",
};
const paths = async () => (await here.storedRows("path")).map(({ path }) => path).sort();
const queueCheck = async () => (await here.app.inject({ url: "/health" })).json().checks.queue;

test("a hit above the site's bot threshold is kept out of reports and kept for the bot statistics", async () => {
	const userAgent = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
	await sendHits(here.app, [here.view("/", { userAgent })]);
	assert.deepEqual(await paths(), []);
	const kept = await here.query("SELECT counted, score > 80 AS high FROM bot_hits WHERE site = {site:String}");
	assert.deepEqual(kept, [{ counted: 0, high: 1 }]);
	assert.equal((await rejections()).accepted, 1);
});

test("every refused hit is answered 204, counted under its reason and origin, and stored nowhere", async () => {
	const token = await tokenOfScript();
	const other = here.site;
	await sendHits(here.app, [here.view("/", { token })]);
	here.site = await createSite(here.app, here.owner);
	const domains = ["https://elsewhere.example", "https://notshop.example", "http://localhost:3000"];
	const ports = ["http://127.0.0.1:8080", "//user@cdn.example:8443", "http://preview.example."];
	for (const hit of [
		...[...domains, ...ports, "https://WWW.Preview.example:443"].map((url) => here.view("/", { url: `${url}/y?z` })),
		here.view("/", { url: "ftp://shop.example/" }),
		here.view("/", { url: "" }),
		here.view("/", { token: "forged" }),
		here.view("/", { token: "" }),
		here.view("/", { token }),
		here.view("/", { site: "unknown-site" }),
		here.view("/", { site: other, token: await tokenOfScript() }),
	])
		assert.equal(await sendHit(here.app, hit), 204);
	assert.deepEqual(await paths(), []);
	const { accepted, rejected, reasons } = await rejections();
	assert.deepEqual([accepted, rejected], [0, 12]);
	const origins = [...domains, ...ports.slice(0, 1), "http://preview.example.", "https://cdn.example:8443"];
	const found = reasons.map(({ reason, count, origins }: { reason: string; count: number; origins: object[] }) => [
		...[reason, count],
		...origins.map((one) => Object.values(one).join(" ")).sort(),
	]);
	assert.deepEqual(found, [
		["invalid_domain", 9, ...[...origins, "https://www.preview.example"].map((origin) => `${origin} 1`).sort()],
		["invalid_token", 3, "https://shop.example 3"],
	]);
	here.site = other;
	assert.equal((await rejections()).reasons[0].reason, "invalid_token");
});

test("pages on localhost, an address or a host of one label count where the site has that domain, whatever the port", async () => {
	const domains = ["localhost:3000", "127.0.0.1", "[::1]", "intranet"];
	here.site = await createSite(here.app, here.owner, { domains });
	const hosts = ["localhost", "localhost:8080", "app.localhost:5173", "127.0.0.1:8080", "[::1]:8080", "intranet"];
	await sendHits(
		here.app,
		[...hosts, "127.0.0.2", "[::2]", "other"].map((host, i) =>
			here.view("", { url: `http://${host}/${i}`, ip: `203.0.113.${i}` }),
		),
	);
	assert.deepEqual(
		await paths(),
		hosts.map((_, i) => `/${i}`),
	);
});

test("a script's token is good for seven days", async () => {
	const token = await tokenOfScript();
	here.app.clock.advance(7 * 1440 * MINUTE - 1);
	await sendHits(here.app, [here.view("/in-time", { token })]);
	here.app.clock.advance(1);
	await sendHits(here.app, [here.view("/too-late", { token })]);
	assert.deepEqual(await paths(), ["/in-time"]);
});

test("a subdomain of an authorized domain counts, with or without www, port and capitals", async () => {
	const urls = [
		"https://blog.shop.example/",
		"https://WWW.Shop.Example:8443/",
		"//shop.example/x",
		"http://shop.example",
	];
	const hits = urls.map((url, index) => here.view("/", { url, ip: `203.0.113.${index}` }));
	await sendHits(here.app, hits);
	assert.deepEqual(await paths(), ["/", "/", "/", "/x"]);
});

test("a visitor's hits beyond three hundred in a minute are refused, those of a program too", async () => {
	const program = { userAgent: "python-requests/2.32.0" };
	for (let sent = 0; sent < 301; sent++) {
		await sendHit(here.app, here.view("/flood"));
		await sendHit(here.app, here.view("/flood", program));
	}
	// With the row of engagement.
	assert.equal((await paths()).length, 301);
	const kept = "SELECT count() AS hits FROM bot_hits WHERE site = {site:String}";
	assert.deepEqual(await here.query(kept), [{ hits: 300 }]);
	const origins = [{ origin: "https://shop.example", count: 2 }];
	assert.deepEqual((await rejections()).reasons, [{ reason: "rate_limit", count: 2, origins }]);
	here.app.clock.advance(MINUTE);
	await sendHit(here.app, here.view("/flood"));
	assert.equal((await paths()).length, 302);
});

test("bodies that are no payload are answered 204 and counted as unreadable", async () => {
	const a = here.site;
	const ofNoSite = [
		"",
		"{",
		"null",
		"[]",
		"d=%7B",
		"d=%E0%A4%A",
		"\u0000\uffff",
		`${"[".repeat(7000)}${"]".repeat(7000)}`,
	];
	const wrong = [{ v: [] }, { c: 1.5 }, { x: [] }, { x: "text" }, { u: 7 }, { e: "" }, { e: " \t" }];
	for (const body of [...ofNoSite, ...wrong.map((fields) => JSON.stringify({ a, ...fields }))])
		assert.equal(await post(body), 204, body.slice(0, 40));
	assert.deepEqual((await rejections()).reasons, [{ reason: "invalid_json", count: 7, origins: [] }]);
});

test("more than fifteen kilobytes are not read; the answer is the same, and they count under the site that they name", async () => {
	const long = "x".repeat(15 * 1024);
	const big = JSON.stringify({ a: here.site, u: "https://shop.example/", r: long });
	const inside = JSON.stringify({ x: { a: here.site }, r: long });
	for (const body of [big, `d=${encodeURIComponent(big)}`, `o=1&d=${encodeURIComponent(big)}`, inside])
		assert.equal(await post(body), 204);
	assert.equal(await post("x".repeat(2_000_000)), 204);
	const full = { a: here.site, t: await tokenOfScript(), u: "https://shop.example/full", r: "" };
	full.r = "x".repeat(15 * 1024 - JSON.stringify(full).length);
	await post(JSON.stringify(full), firefox);
	assert.deepEqual(await paths(), ["/full"]);
	assert.deepEqual((await rejections()).reasons, [{ reason: "invalid_json", count: 3, origins: [] }]);
});

test("hits of no active site, as of one that was deleted, are counted for the operator in /health, for an hour", async () => {
	const token = await tokenOfScript();
	assert.equal((await here.call(`DELETE /sites/${here.site}`)).status, 200);
	here.app.clock.advance(120 * MINUTE);
	const { status, message } = await queueCheck();
	assert.deepEqual([status, message], ["healthy", "0 bytes wait for the event store"]);
	await sendHits(here.app, [
		here.view("/", { token }),
		here.view("/", { site: "unknown" }),
		here.view("/", { site: "" }),
	]);
	for (const body of ["x".repeat(20_000), "{", "[]"]) await post(body);
	assert.deepEqual(await paths(), []);
	const after = await queueCheck();
	assert.equal(after.status, "healthy");
	assert.match(after.message, /; refused within an hour without an active site: 3 invalid_account, 3 invalid_json$/);
	here.app.clock.advance(60 * MINUTE);
	assert.doesNotMatch((await queueCheck()).message, /refused/);
});

test("the body may be a form field or JSON of any text type", async () => {
	const token = await tokenOfScript();
	const payload = (path: string) => JSON.stringify({ a: here.site, t: token, u: `https://shop.example${path}` });
	const form = "application/x-www-form-urlencoded";
	await post(payload("/1"), { ...firefox, "content-type": "application/json" });
	await post(payload("/2"), { ...firefox, "content-type": "text/plain;charset=UTF-8" });
	await post(`d=${encodeURIComponent(payload("/3 a+b"))}`, { ...firefox, "content-type": form });
	await post(new URLSearchParams({ other: "1", d: payload("/4") }).toString(), { ...firefox, "content-type": form });
	assert.deepEqual(await paths(), ["/1", "/1", "/2", "/3 a+b", "/4"]);
});

test("strange visitors change nothing, and nothing that a visitor sent is in the log", async () => {
	await sendHits(here.app, [
		here.view("/", { userAgent: `Mozilla/5.0 ${"A".repeat(10_000)}`, ip: "203.0.113.1" }),
		here.view("/", { timezone: "Mars/Olympus", ip: "203.0.113.2" }),
		here.view("/", { timezone: "x".repeat(5000), ip: "not an address" }),
		here.view(`/${"p".repeat(3000)}`, { ip: "2001:db8::1" }),
		here.view("/private-path", { ip: "198.51.100.23", referrer: "https://private.example/" }),
	]);
	await post("{private-garbage");
	const rows = await here.storedRows("country, length(path) AS length");
	assert.deepEqual(rows.map(({ country }) => country).sort(), ["ES", "ES", "Unknown", "Unknown"]);
	assert.equal(Math.max(...rows.map(({ length }) => Number(length))), 1024);
	const lengths = "SELECT length(user_agent) AS length FROM bot_hits WHERE site = {site:String}";
	assert.deepEqual(await here.query(lengths), [{ length: 500 }]);
	const log = here.app.logLines.join("");
	for (const text of ["private-path", "198.51.100.23", "private.example", "private-garbage"])
		assert.equal(log.includes(text), false, text);
});

test("other methods are 405 with an error, a preflight is 204, and every page may read the answer", async () => {
	const address = `${await here.app.address()}/event`;
	const get = await fetch(address);
	assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST, OPTIONS"]);
	const body = (await get.json()) as { error: { code: string } };
	assert.equal(body.error.code, "method_not_allowed");
	const preflight = await fetch(address, { method: "OPTIONS" });
	const allowed = ["origin", "methods", "headers"].map((name) => preflight.headers.get(`access-control-allow-${name}`));
	assert.deepEqual([preflight.status, ...allowed], [204, "*", "POST, OPTIONS", "content-type"]);
	const hit = await fetch(address, { method: "POST", body: "{}" });
	assert.equal(hit.headers.get("access-control-allow-origin"), "*");
});

test("a client with ever new visitors and long addresses makes the oldest visits end, and the latest go on", async (t) => {
	const app = await testApp({ env: { SESSION_MEMORY: "1MB" } });
	t.after(() => app.close());
	const site = await createSite(app, await signIn(app));
	const send = (visitor: number, path: string, referrer = "") =>
		sendHit(app, { site, url: `https://shop.example${path}`, ip: `198.51.${visitor >> 8}.${visitor & 255}`, referrer });
	// Some three kilobytes of it are kept with the visit, so a megabyte is full long before the last visitor.
	const campaign = ["source", "medium", "campaign", "term", "content"].map((name) => `utm_${name}=${"z".repeat(255)}`);
	const long = (visitor: number) =>
		`/${visitor}${"x".repeat(1000)}?${campaign.join("&")}${visitor}&rest=${"y".repeat(10_000)}`;
	for (let visitor = 0; visitor < 600; visitor += 20) {
		await Promise.all(Array.from({ length: 20 }, (_, index) => send(visitor + index, long(visitor + index))));
	}
	for (const visitor of [0, 599]) await send(visitor, `/next/${visitor}`, "https://shop.example/");
	await app.collector?.flush();
	const next = "FROM events WHERE path LIKE '/next/%' AND kind = 'pageview' ORDER BY path";
	assert.deepEqual(await app.eventStore.query({ sql: `SELECT path, entrance, rejoined ${next}` }), [
		{ path: "/next/0", entrance: 1, rejoined: 1 },
		{ path: "/next/599", entrance: 0, rejoined: 0 },
	]);
});
