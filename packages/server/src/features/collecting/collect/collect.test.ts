import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { sendHit, sendHits, type TestHit } from "../../../../test/support/hits.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const MINUTE = 60_000;

let app: TestApp;
let owner: Session;
/** Each test has a site of its own. */
let site: string;
before(async () => {
	app = await testApp();
	owner = await signIn(app);
});
beforeEach(async () => {
	app.clock.set("2026-11-21T12:00:00.000Z");
	site = await createSite(app, owner, { timezone: "America/New_York" });
});
after(() => app.close());

const view = (path: string, more: Partial<TestHit> = {}): TestHit => ({
	site,
	url: `https://shop.example${path}`,
	...more,
});

async function storedRows(columns: string) {
	await app.collector?.flush();
	const sql = `SELECT ${columns} FROM events WHERE site = {site:String} ORDER BY ts, kind, event_type, properties['n']`;
	return app.eventStore.query<Record<string, unknown>>({ sql, params: { site } });
}

async function rejections(id = site) {
	const url = `/api/v1/sites/${id}/pixel/rejections`;
	const { data } = (await app.inject({ url, headers: owner.headers })).json();
	return { accepted: data.accepted, rejected: data.rejected, reasons: data.reasons };
}

async function post(body: string, headers: Record<string, string> = {}): Promise<number> {
	const response = await fetch(`${await app.address()}/event`, { method: "POST", body, headers });
	assert.equal(await response.text(), "");
	return response.status;
}

test("a page view is stored with all that the contract says of it, in the site's own hour", async () => {
	await sendHits(app, [
		view("/Caf%C3%A9?utm_source=news&utm_medium=email&x=1#top", {
			referrer: "https://mail.example.net/inbox?secret=1",
			timezone: "Asia/Calcutta",
			group: "blog",
		}),
	]);
	assert.deepEqual(await storedRows("* EXCEPT (site, session)"), [
		{
			date: "2026-11-21",
			hour: 7,
			ts: "2026-11-21 12:00:00.000",
			kind: "pageview",
			path: "/Caf%C3%A9",
			content_group: "blog",
			referrer: "mail.example.net",
			landing_path: "/Caf%C3%A9",
			landing_group: "blog",
			utm_source: "news",
			utm_medium: "email",
			utm_campaign: "",
			utm_term: "",
			utm_content: "",
			country: "IN",
			device: "desktop",
			browser: "Chrome",
			os: "Windows",
			channel: "Email",
			clid: "",
			event_type: "",
			properties: {},
			amount: 0,
			bot_score: 0,
			bot_flags: 0,
			import_id: "",
			entrance: 1,
			rejoined: 0,
			engaged: 0,
			page_view: 1,
			conversion: 0,
			microconversion: 0,
			revenue: 0,
		},
	]);
});

test("a session's second page view books one engaged entrance, on the hour and page of the entrance", async () => {
	await sendHit(app, view("/landing", { group: "first" }));
	app.clock.advance(20 * MINUTE);
	await sendHit(app, view("/one"));
	app.clock.advance(20 * MINUTE);
	await sendHit(app, view("/two"));
	app.clock.advance(25 * MINUTE);
	await sendHit(app, view("/three"));
	const rows = await storedRows(
		"kind, hour, path, content_group, landing_path, landing_group, entrance, engaged, page_view",
	);
	const page = (hour: number, path: string, entrance: number) => ({
		kind: "pageview",
		hour,
		path,
		content_group: path === "/landing" ? "first" : "",
		landing_path: "/landing",
		landing_group: "first",
		entrance,
		engaged: 0,
		page_view: 1,
	});
	const engaged = { ...page(7, "/landing", 0), kind: "engaged", engaged: 1, page_view: 0 };
	assert.deepEqual(rows, [
		page(7, "/landing", 1),
		engaged,
		page(7, "/one", 0),
		page(7, "/two", 0),
		page(8, "/three", 0),
	]);
});

test("after thirty minutes without a hit the next one begins another session", async () => {
	await sendHit(app, view("/a"));
	app.clock.advance(30 * MINUTE);
	await sendHit(app, view("/b"));
	const rows = await storedRows("path, entrance, engaged, toString(session) AS session");
	assert.deepEqual(
		rows.map(({ path, entrance, engaged }) => [path, entrance, engaged]),
		[
			["/a", 1, 0],
			["/b", 1, 0],
		],
	);
	assert.notEqual(rows[0]?.session, rows[1]?.session);
});

test("a session goes on over midnight UTC, though the visitor's id changes", async () => {
	app.clock.set("2026-11-21T23:50:00.000Z");
	await sendHit(app, view("/before"));
	app.clock.advance(20 * MINUTE);
	await sendHit(app, view("/after"));
	const rows = await storedRows("path, entrance, engaged");
	assert.deepEqual(rows, [
		{ path: "/before", entrance: 1, engaged: 0 },
		{ path: "/before", entrance: 0, engaged: 1 },
		{ path: "/after", entrance: 0, engaged: 0 },
	]);
});

test("two visitors behind one address are told apart by their user agents", async () => {
	const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
	await sendHits(app, [view("/a"), view("/a", { userAgent })]);
	assert.deepEqual(await storedRows("entrance, browser, os"), [
		{ entrance: 1, browser: "Chrome", os: "Windows" },
		{ entrance: 1, browser: "Firefox", os: "Linux" },
	]);
});

test("a conversion and its items share one unique time and the session's attribution", async () => {
	await sendHit(app, view("/?gclid=abc"));
	const items = [{ n: "1", qty: 2 }, { n: "2" }, "no object"];
	await sendHit(app, view("/thanks", { event: "purchase", amount: 59.9, properties: { order: "A-1", items } }));
	await sendHit(app, view("/thanks", { event: "purchase", amount: -10, properties: { n: "3" } }));
	await sendHit(app, view("/thanks", { event: "newsletter", isMicro: true, amount: 5, properties: { n: "4" } }));
	const rows = await storedRows(
		"kind, ts, event_type, properties, amount, revenue, conversion, microconversion, utm_medium, clid, landing_path",
	);
	const session = { utm_medium: "cpc", clid: "abc", landing_path: "/" };
	const none = { amount: 0, revenue: 0, conversion: 0, microconversion: 0 };
	const first = "2026-11-21 12:00:00.000";
	const purchase = { event_type: "purchase", ts: first, ...none, ...session };
	assert.deepEqual(rows, [
		{ ...purchase, kind: "pageview", event_type: "", properties: {} },
		{ ...purchase, kind: "conversion", properties: { order: "A-1" }, amount: 59.9, revenue: 59.9, conversion: 1 },
		{
			...purchase,
			kind: "microconversion",
			event_type: "newsletter",
			properties: { n: "4" },
			microconversion: 1,
		},
		{ ...purchase, kind: "item", properties: { n: "1", qty: "2" } },
		{ ...purchase, kind: "item", properties: { n: "2" } },
		{
			...purchase,
			kind: "conversion",
			ts: "2026-11-21 12:00:00.001",
			properties: { n: "3" },
			amount: -10,
			revenue: -10,
			conversion: 1,
		},
	]);
});

test("an event without a session opens one without an entrance; its first page view is the entrance", async () => {
	await sendHit(app, view("/pay", { event: "purchase", amount: 1, referrer: "https://duckduckgo.com/" }));
	await sendHit(app, view("/thanks"));
	await sendHit(app, view("/more"));
	const rows = await storedRows("kind, path, landing_path, entrance, engaged, utm_source, utm_medium");
	const values = { utm_source: "duckduckgo", utm_medium: "organic" };
	const page = { kind: "pageview", landing_path: "/thanks", engaged: 0, ...values };
	assert.deepEqual(rows, [
		{ ...page, path: "/thanks", entrance: 1 },
		{ ...page, path: "/more", entrance: 0 },
		{ ...page, kind: "engaged", path: "/thanks", entrance: 0, engaged: 1 },
		{ ...page, kind: "conversion", path: "/pay", landing_path: "", entrance: 0 },
	]);
});

test("a click id begins a session once in thirty days", async () => {
	const click = (ip: string) => view("/?gclid=once&fbclid=twice", { ip, referrer: "https://www.google.com/" });
	await sendHits(app, [click("203.0.113.1"), click("203.0.113.2")]);
	assert.deepEqual(await storedRows("utm_source, utm_medium, entrance"), [
		{ utm_source: "google", utm_medium: "cpc", entrance: 1 },
		{ utm_source: "google", utm_medium: "organic", entrance: 1 },
	]);
});

test("property values are stored as text in one form", async () => {
	const properties = {
		whole: 42,
		large: 1e21,
		part: 0.1,
		yes: true,
		nothing: null,
		list: [1, { b: 2, a: "x" }],
		long: "é".repeat(600),
		"quote'\t\n\\": "a'b\\c\td\ne",
	};
	await sendHits(app, [view("/", { event: "signup", properties })]);
	const [row] = await storedRows("properties");
	assert.deepEqual(row?.properties, {
		whole: "42",
		large: "1000000000000000000000",
		part: "0.1",
		yes: "true",
		nothing: "",
		list: '[1,{"a":"x","b":2}]',
		long: "é".repeat(500),
		"quote'\t\n\\": "a'b\\c\td\ne",
	});
});

test("a hit above the site's bot threshold is kept out of reports and kept for the bot statistics", async () => {
	await sendHits(app, [
		view("/", { userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }),
	]);
	assert.deepEqual(await storedRows("kind"), []);
	const sql = "SELECT date, score, counted, country FROM bot_hits WHERE site = {site:String}";
	const [row] = await app.eventStore.query<{ score: number; counted: number }>({ sql, params: { site } });
	assert.equal(row?.counted, 0);
	assert.equal((row?.score ?? 0) > 80, true);
	assert.equal((await rejections()).accepted, 1);
});

test("every refused hit is answered 204, counted under its reason, and stored nowhere", async () => {
	const other = await createSite(app, owner);
	await sendHits(app, [
		view("/", { url: "https://elsewhere.example/" }),
		view("/", { url: "https://notshop.example/" }),
		view("/", { url: "ftp://shop.example/" }),
		view("/", { url: "" }),
		view("/", { token: "forged" }),
		view("/", { token: "" }),
		view("/", { site: other, token: (await tokenOf(site)) ?? "" }),
		view("/", { site: "unknown-site" }),
	]);
	assert.deepEqual(await storedRows("kind"), []);
	assert.deepEqual(await rejections(), {
		accepted: 0,
		rejected: 6,
		reasons: [
			{
				reason: "invalid_domain",
				count: 4,
				origins: [
					{ origin: "elsewhere.example", count: 1 },
					{ origin: "notshop.example", count: 1 },
				],
			},
			{ reason: "invalid_token", count: 2, origins: [{ origin: "shop.example", count: 2 }] },
		],
	});
	assert.equal((await rejections(other)).reasons[0].reason, "invalid_token");
});

async function tokenOf(id: string): Promise<string | undefined> {
	const script = await app.inject({ url: `/t.js?id=${id}` });
	return /"([A-Za-z0-9_-]{40,80})"/.exec(script.body)?.[1];
}

test("a script's token is good for seven days", async () => {
	const token = (await tokenOf(site)) ?? "";
	assert.notEqual(token, "");
	app.clock.advance(7 * 24 * 60 * MINUTE - 1);
	await sendHits(app, [view("/in-time", { token })]);
	app.clock.advance(1);
	await sendHits(app, [view("/too-late", { token })]);
	assert.deepEqual(await storedRows("path"), [{ path: "/in-time" }]);
});

test("a subdomain of an authorized domain counts, with or without www, port and capitals", async () => {
	const urls = [
		"https://blog.shop.example/",
		"https://WWW.Shop.Example:8443/",
		"//shop.example/x",
		"http://shop.example",
	];
	await sendHits(
		app,
		urls.map((url, index) => view("/", { url, ip: `203.0.113.${index}` })),
	);
	assert.deepEqual(await storedRows("path"), [{ path: "/" }, { path: "/" }, { path: "/x" }, { path: "/" }]);
});

test("a visitor's three hundred and first hit in a minute is refused, and none in the next minute", async () => {
	for (let sent = 0; sent < 301; sent++) await sendHit(app, view("/flood"));
	assert.equal((await storedRows("kind")).length, 301);
	assert.deepEqual((await rejections()).reasons, [
		{ reason: "rate_limit", count: 1, origins: [{ origin: "shop.example", count: 1 }] },
	]);
	app.clock.advance(MINUTE);
	await sendHit(app, view("/flood"));
	assert.equal((await storedRows("kind")).length, 302);
});

test("bodies that are no payload are answered 204 and counted as unreadable", async () => {
	const before = (await rejections()).rejected;
	const a = site;
	const bodies = [
		"",
		"{",
		"null",
		"[]",
		"d=%7B",
		"d=%E0%A4%A",
		"\u0000\uffff",
		JSON.stringify({ a, v: "5" }),
		JSON.stringify({ a, c: 1.5 }),
		JSON.stringify({ a, x: [] }),
		JSON.stringify({ a, x: "text" }),
		JSON.stringify({ a, u: 7 }),
		JSON.stringify({ a, e: "" }),
		JSON.stringify({ a, v: 1e15 }),
		`${"[".repeat(7000)}${"]".repeat(7000)}`,
	];
	for (const body of bodies) assert.equal(await post(body), 204, body.slice(0, 40));
	assert.equal((await rejections()).rejected - before, 7);
	assert.deepEqual((await rejections()).reasons, [{ reason: "invalid_json", count: 7, origins: [] }]);
});

test("more than fifteen kilobytes are not read; the answer is the same", async () => {
	const big = JSON.stringify({ a: site, u: "https://shop.example/", r: "x".repeat(15 * 1024) });
	assert.equal(await post(big), 204);
	assert.equal(await post("x".repeat(2_000_000)), 204);
	assert.deepEqual(await storedRows("kind"), []);
});

test("the body may be a form field or JSON of any text type", async () => {
	const token = (await tokenOf(site)) ?? "";
	const headers = {
		"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
		"accept-language": "en",
		"accept-encoding": "br",
	};
	const payload = (path: string) => JSON.stringify({ a: site, t: token, u: `https://shop.example${path}` });
	const form = "application/x-www-form-urlencoded";
	await post(payload("/1"), { ...headers, "content-type": "application/json" });
	await post(payload("/2"), { ...headers, "content-type": "text/plain;charset=UTF-8" });
	await post(`d=${encodeURIComponent(payload("/3 a+b"))}`, { ...headers, "content-type": form });
	await post(new URLSearchParams({ other: "1", d: payload("/4") }).toString(), { ...headers, "content-type": form });
	assert.deepEqual((await storedRows("path")).map(({ path }) => path).sort(), ["/1", "/1", "/2", "/3 a+b", "/4"]);
});

test("strange visitors change nothing: endless user agents, unknown zones, odd addresses", async () => {
	await sendHits(app, [
		view("/", { userAgent: `Mozilla/5.0 ${"A".repeat(10_000)}`, ip: "203.0.113.1" }),
		view("/", { timezone: "Mars/Olympus", ip: "203.0.113.2" }),
		view("/", { timezone: "x".repeat(5000), ip: "not an address" }),
		view(`/${"p".repeat(3000)}`, { ip: "2001:db8::1" }),
	]);
	const rows = await storedRows("country, length(path) AS length");
	assert.deepEqual(rows.map(({ country }) => country).sort(), ["ES", "Unknown", "Unknown"]);
	assert.equal(Math.max(...rows.map(({ length }) => Number(length))), 1024);
	const sql = "SELECT length(user_agent) AS length FROM bot_hits WHERE site = {site:String}";
	assert.deepEqual(await app.eventStore.query({ sql, params: { site } }), [{ length: 500 }]);
});

test("other methods are 405 with an error, a preflight is 204, and every page may read the answer", async () => {
	const address = `${await app.address()}/event`;
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
	await sendHits(app, [view("/very-private-path", { ip: "198.51.100.23", referrer: "https://private.example/" })]);
	await post("{private-garbage");
	const log = app.logLines.join("");
	for (const text of ["very-private-path", "198.51.100.23", "private.example", "private-garbage"]) {
		assert.equal(log.includes(text), false, text);
	}
});
