import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHit, sendHits } from "../../../../test/support/hits.ts";

const MINUTE = 60_000;

const here = collectingSite();

async function rejections(id = here.site) {
	const url = `/api/v1/sites/${id}/pixel/rejections`;
	const { data } = (await here.app.inject({ url, headers: here.owner.headers })).json();
	return { accepted: data.accepted, rejected: data.rejected, reasons: data.reasons };
}

async function post(body: string, headers: Record<string, string> = {}): Promise<number> {
	const response = await fetch(`${await here.app.address()}/event`, { method: "POST", body, headers });
	assert.equal(await response.text(), "");
	return response.status;
}

test("a hit above the site's bot threshold is kept out of reports and kept for the bot statistics", async () => {
	await sendHits(here.app, [
		here.view("/", { userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }),
	]);
	assert.deepEqual(await here.storedRows("kind"), []);
	const sql = "SELECT date, score, counted, country FROM bot_hits WHERE site = {site:String}";
	const [row] = await here.app.eventStore.query<{ score: number; counted: number }>({
		sql,
		params: { site: here.site },
	});
	assert.equal(row?.counted, 0);
	assert.equal((row?.score ?? 0) > 80, true);
	assert.equal((await rejections()).accepted, 1);
});

test("every refused hit is answered 204, counted under its reason, and stored nowhere", async () => {
	const other = await createSite(here.app, here.owner);
	await sendHits(here.app, [
		here.view("/", { url: "https://elsewhere.example/" }),
		here.view("/", { url: "https://notshop.example/" }),
		here.view("/", { url: "ftp://shop.example/" }),
		here.view("/", { url: "" }),
		here.view("/", { token: "forged" }),
		here.view("/", { token: "" }),
		here.view("/", { site: other, token: (await tokenOf(here.site)) ?? "" }),
		here.view("/", { site: "unknown-site" }),
	]);
	assert.deepEqual(await here.storedRows("kind"), []);
	assert.deepEqual(await rejections(), {
		accepted: 0,
		rejected: 6,
		reasons: [
			{
				reason: "invalid_domain",
				count: 4,
				origins: [
					{ origin: "https://elsewhere.example", count: 1 },
					{ origin: "https://notshop.example", count: 1 },
				],
			},
			{ reason: "invalid_token", count: 2, origins: [{ origin: "https://shop.example", count: 2 }] },
		],
	});
	assert.equal((await rejections(other)).reasons[0].reason, "invalid_token");
});

test("the origin of a refused hit is scheme, host and port as the browser shows them", async () => {
	const urls = [
		"http://localhost:3000/",
		"http://127.0.0.1:8080/x",
		"https://WWW.Preview.example:443/y?z",
		"//user@cdn.example:8443",
		"http://preview.example./",
	];
	await sendHits(
		here.app,
		urls.map((url) => here.view("/", { url })),
	);
	const [reason] = (await rejections()).reasons;
	assert.deepEqual(
		reason.origins.map(({ origin }: { origin: string }) => origin),
		[
			"http://127.0.0.1:8080",
			"http://localhost:3000",
			"http://preview.example.",
			"https://cdn.example:8443",
			"https://www.preview.example",
		],
	);
});

async function tokenOf(id: string): Promise<string | undefined> {
	const script = await here.app.inject({ url: `/t.js?id=${id}` });
	return /"([A-Za-z0-9_-]{40,80})"/.exec(script.body)?.[1];
}

test("a script's token is good for seven days", async () => {
	const token = (await tokenOf(here.site)) ?? "";
	assert.notEqual(token, "");
	here.app.clock.advance(7 * 24 * 60 * MINUTE - 1);
	await sendHits(here.app, [here.view("/in-time", { token })]);
	here.app.clock.advance(1);
	await sendHits(here.app, [here.view("/too-late", { token })]);
	assert.deepEqual(await here.storedRows("path"), [{ path: "/in-time" }]);
});

test("a subdomain of an authorized domain counts, with or without www, port and capitals", async () => {
	const urls = [
		"https://blog.shop.example/",
		"https://WWW.Shop.Example:8443/",
		"//shop.example/x",
		"http://shop.example",
	];
	await sendHits(
		here.app,
		urls.map((url, index) => here.view("/", { url, ip: `203.0.113.${index}` })),
	);
	assert.deepEqual(await here.storedRows("path"), [{ path: "/" }, { path: "/" }, { path: "/x" }, { path: "/" }]);
});

test("a visitor's three hundred and first hit in a minute is refused, and none in the next minute", async () => {
	for (let sent = 0; sent < 301; sent++) await sendHit(here.app, here.view("/flood"));
	assert.equal((await here.storedRows("kind")).length, 301);
	assert.deepEqual((await rejections()).reasons, [
		{ reason: "rate_limit", count: 1, origins: [{ origin: "https://shop.example", count: 1 }] },
	]);
	here.app.clock.advance(MINUTE);
	await sendHit(here.app, here.view("/flood"));
	assert.equal((await here.storedRows("kind")).length, 302);
});

test("bodies that are no payload are answered 204 and counted as unreadable", async () => {
	const before = (await rejections()).rejected;
	const a = here.site;
	const bodies = [
		"",
		"{",
		"null",
		"[]",
		"d=%7B",
		"d=%E0%A4%A",
		"\u0000\uffff",
		JSON.stringify({ a, v: [] }),
		JSON.stringify({ a, c: 1.5 }),
		JSON.stringify({ a, x: [] }),
		JSON.stringify({ a, x: "text" }),
		JSON.stringify({ a, u: 7 }),
		JSON.stringify({ a, e: "" }),
		JSON.stringify({ a, e: " \t" }),
		`${"[".repeat(7000)}${"]".repeat(7000)}`,
	];
	for (const body of bodies) assert.equal(await post(body), 204, body.slice(0, 40));
	assert.equal((await rejections()).rejected - before, 7);
	assert.deepEqual((await rejections()).reasons, [{ reason: "invalid_json", count: 7, origins: [] }]);
});

test("more than fifteen kilobytes are not read; the answer is the same, and they count under the site that they name", async () => {
	const long = "x".repeat(15 * 1024);
	const big = JSON.stringify({ a: here.site, u: "https://shop.example/", r: long });
	const inside = JSON.stringify({ x: { a: here.site }, r: long });
	for (const body of [big, `d=${encodeURIComponent(big)}`, `o=1&d=${encodeURIComponent(big)}`, inside])
		assert.equal(await post(body), 204);
	assert.equal(await post("x".repeat(2_000_000)), 204);
	assert.deepEqual(await here.storedRows("kind"), []);
	assert.deepEqual((await rejections()).reasons, [{ reason: "invalid_json", count: 3, origins: [] }]);
});

test("hits that name no active site are counted for the operator, in /health", async () => {
	here.app.clock.advance(120 * MINUTE);
	const queue = async () => (await here.app.inject({ url: "/health" })).json().checks.queue;
	assert.deepEqual([(await queue()).status, (await queue()).message], ["healthy", "0 bytes wait for the event store"]);
	await sendHits(here.app, [here.view("/", { site: "unknown" }), here.view("/", { site: "" })]);
	await post("x".repeat(20_000));
	await post("{");
	await post("[]");
	const { status, message } = await queue();
	assert.equal(status, "healthy");
	assert.match(message, /; refused within an hour without an active site: 3 invalid_json, 2 invalid_account$/);
	here.app.clock.advance(60 * MINUTE);
	assert.doesNotMatch((await queue()).message, /refused/);
});

test("hits of a site that was deleted are refused as those of no active site, though their token is right", async () => {
	const token = (await tokenOf(here.site)) ?? "";
	const { headers } = here.owner;
	const removed = await here.app.inject({ method: "DELETE", url: `/api/v1/sites/${here.site}`, headers });
	assert.equal(removed.statusCode, 200, removed.body);
	here.app.clock.advance(600 * MINUTE);
	await sendHits(here.app, [here.view("/", { token })]);
	assert.deepEqual(await here.storedRows("kind"), []);
	const { checks } = (await here.app.inject({ url: "/health" })).json();
	assert.match(checks.queue.message, /; refused within an hour without an active site: 1 invalid_account$/);
});

test("the body may be a form field or JSON of any text type", async () => {
	const token = (await tokenOf(here.site)) ?? "";
	const headers = {
		"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
		"accept-language": "en",
		"accept-encoding": "br",
	};
	const payload = (path: string) => JSON.stringify({ a: here.site, t: token, u: `https://shop.example${path}` });
	const form = "application/x-www-form-urlencoded";
	await post(payload("/1"), { ...headers, "content-type": "application/json" });
	await post(payload("/2"), { ...headers, "content-type": "text/plain;charset=UTF-8" });
	await post(`d=${encodeURIComponent(payload("/3 a+b"))}`, { ...headers, "content-type": form });
	await post(new URLSearchParams({ other: "1", d: payload("/4") }).toString(), { ...headers, "content-type": form });
	assert.deepEqual((await here.storedRows("path")).map(({ path }) => path).sort(), ["/1", "/1", "/2", "/3 a+b", "/4"]);
});

test("strange visitors change nothing: endless user agents, unknown zones, odd addresses", async () => {
	await sendHits(here.app, [
		here.view("/", { userAgent: `Mozilla/5.0 ${"A".repeat(10_000)}`, ip: "203.0.113.1" }),
		here.view("/", { timezone: "Mars/Olympus", ip: "203.0.113.2" }),
		here.view("/", { timezone: "x".repeat(5000), ip: "not an address" }),
		here.view(`/${"p".repeat(3000)}`, { ip: "2001:db8::1" }),
	]);
	const rows = await here.storedRows("country, length(path) AS length");
	assert.deepEqual(rows.map(({ country }) => country).sort(), ["ES", "Unknown", "Unknown"]);
	assert.equal(Math.max(...rows.map(({ length }) => Number(length))), 1024);
	const sql = "SELECT length(user_agent) AS length FROM bot_hits WHERE site = {site:String}";
	assert.deepEqual(await here.app.eventStore.query({ sql, params: { site: here.site } }), [{ length: 500 }]);
});

test("other methods are 405 with an error, a preflight is 204, and every page may read the answer", async () => {
	const address = `${await here.app.address()}/event`;
	const get = await fetch(address);
	assert.equal(get.status, 405);
	assert.equal(get.headers.get("allow"), "POST, OPTIONS");
	const body = (await get.json()) as { error: { code: string } };
	assert.equal(body.error.code, "method_not_allowed");
	const preflight = await fetch(address, { method: "OPTIONS" });
	assert.equal(preflight.status, 204);
	assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
	const hit = await fetch(address, { method: "POST", body: "{}" });
	assert.equal(hit.headers.get("access-control-allow-origin"), "*");
});

test("nothing that a visitor sent is in the log", async () => {
	await sendHits(here.app, [
		here.view("/very-private-path", { ip: "198.51.100.23", referrer: "https://private.example/" }),
	]);
	await post("{private-garbage");
	const log = here.app.logLines.join("");
	for (const text of ["very-private-path", "198.51.100.23", "private.example", "private-garbage"]) {
		assert.equal(log.includes(text), false, text);
	}
});
