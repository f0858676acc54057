import assert from "node:assert/strict";
import { test } from "node:test";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHit, sendHits } from "../../../../test/support/hits.ts";

const MINUTE = 60_000;

const here = collectingSite();

test("a page view is stored with all that the contract says of it, in the site's own hour", async () => {
	await sendHits(here.app, [
		here.view("/Caf%C3%A9?utm_source=news&utm_medium=email&x=1#top", {
			referrer: "https://mail.example.net/inbox?secret=1",
			timezone: "Asia/Calcutta",
			group: "blog",
		}),
	]);
	assert.deepEqual(await here.storedRows("* EXCEPT (site, session)"), [
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
			visit_seconds: 0,
			visitor: 0,
		},
	]);
});

test("a session's second page view books one engaged entrance, on the hour and page of the entrance", async () => {
	await sendHit(here.app, here.view("/landing", { group: "first" }));
	here.app.clock.advance(20 * MINUTE);
	await sendHit(here.app, here.view("/one"));
	here.app.clock.advance(20 * MINUTE);
	await sendHit(here.app, here.view("/two"));
	here.app.clock.advance(25 * MINUTE);
	await sendHit(here.app, here.view("/three"));
	const rows = await here.storedRows(
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
	await sendHit(here.app, here.view("/a"));
	here.app.clock.advance(30 * MINUTE);
	await sendHit(here.app, here.view("/b"));
	const rows = await here.storedRows("path, entrance, engaged, toString(session) AS session");
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
	here.app.clock.set("2026-11-21T23:50:00.000Z");
	await sendHit(here.app, here.view("/before"));
	here.app.clock.advance(20 * MINUTE);
	await sendHit(here.app, here.view("/after"));
	const rows = await here.storedRows("path, entrance, engaged");
	assert.deepEqual(rows, [
		{ path: "/before", entrance: 1, engaged: 0 },
		{ path: "/before", entrance: 0, engaged: 1 },
		{ path: "/after", entrance: 0, engaged: 0 },
	]);
});

test("two visitors behind one address are told apart by their user agents", async () => {
	const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
	await sendHit(here.app, here.view("/a"));
	here.app.clock.advance(1);
	await sendHits(here.app, [here.view("/a", { userAgent })]);
	assert.deepEqual(await here.storedRows("entrance, browser, os"), [
		{ entrance: 1, browser: "Chrome", os: "Windows" },
		{ entrance: 1, browser: "Firefox", os: "Linux" },
	]);
});

test("a conversion and its items share one unique time and the session's attribution", async () => {
	await sendHit(here.app, here.view("/?gclid=abc"));
	const items = [{ n: "1", qty: 2 }, { n: "2" }, "no object"];
	await sendHit(
		here.app,
		here.view("/thanks", { event: "purchase", amount: 59.9, properties: { order: "A-1", items } }),
	);
	await sendHit(here.app, here.view("/thanks", { event: "purchase", amount: -10, properties: { n: "3" } }));
	await sendHit(
		here.app,
		here.view("/thanks", { event: "newsletter", isMicro: true, amount: 5, properties: { n: "4" } }),
	);
	const rows = await here.storedRows(
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
	await sendHit(here.app, here.view("/pay", { event: "purchase", amount: 1, referrer: "https://duckduckgo.com/" }));
	await sendHit(here.app, here.view("/thanks"));
	await sendHit(here.app, here.view("/more"));
	const rows = await here.storedRows("kind, path, landing_path, entrance, engaged, utm_source, utm_medium");
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
	const click = (ip: string) => here.view("/?gclid=once&fbclid=twice", { ip, referrer: "https://www.google.com/" });
	await sendHits(here.app, [click("203.0.113.1"), click("203.0.113.2")]);
	assert.deepEqual(await here.storedRows("utm_source, utm_medium, entrance"), [
		{ utm_source: "google", utm_medium: "cpc", entrance: 1 },
		{ utm_source: "google", utm_medium: "organic", entrance: 1 },
	]);
});

test("property values are stored as text in one form, control characters left out but for the line ends of values", async () => {
	const properties = {
		whole: 42,
		large: 1e21,
		part: 0.1,
		yes: true,
		nothing: null,
		list: [1, { b: 2, a: "x" }],
		long: "é".repeat(600),
		"quote'\t\n\\": "a'b\\c\td\ne\0\u007f",
	};
	await sendHits(here.app, [here.view("/", { event: "signup", properties })]);
	const [row] = await here.storedRows("properties");
	assert.deepEqual(row?.properties, {
		whole: "42",
		large: "1000000000000000000000",
		part: "0.1",
		yes: "true",
		nothing: "",
		list: '[1,{"a":"x","b":2}]',
		long: "é".repeat(500),
		"quote'\\": "a'b\\c\td\ne",
	});
});
