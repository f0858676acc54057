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

test("a path has one form in rows, entrances and reports of missing pages, however a browser writes it", async () => {
	const spellings = [
		["/%C3%A9t%C3%A9/", "/%c3%a9t%c3%a9/"],
		["/hand-made", "/hand%2Dmade"],
		["/~lea/", "/%7Elea/"],
		["/rugs%2Fwool", "/rugs%2fwool"],
		["/rugs/wool"],
	];
	const missing = (path: string) => ({ event: "404", isMicro: true, properties: { path } });
	await sendHits(
		here.app,
		spellings.flat().flatMap((path, n) => {
			const ip = `203.0.113.${n + 1}`;
			return [here.view(path, { ip }), here.view(path, { ip, ...missing(path) })];
		}),
	);
	const columns = "kind, path, landing_path AS landing, properties['path'] AS missing, toUInt32(count()) AS hits";
	const sql = `SELECT ${columns} FROM events WHERE site = {site:String} GROUP BY ALL ORDER BY kind, path`;
	const rows = (kind: string) =>
		spellings.map(([path = "", ...others]) => {
			const isMissing = kind === "microconversion";
			return { kind, path, landing: path, missing: isMissing ? path : "", hits: 1 + others.length };
		});
	assert.deepEqual(await here.app.eventStore.query({ sql, params: { site: here.site } }), [
		...rows("pageview").sort((a, b) => (a.path < b.path ? -1 : 1)),
		...rows("microconversion").sort((a, b) => (a.path < b.path ? -1 : 1)),
	]);
});

test("an address in two spellings is one visitor, another address is another", async () => {
	for (const [first, second, entrances] of [
		["203.0.113.77", "::ffff:203.0.113.77", 1],
		["203.0.113.77", "203.0.113.77:40112", 1],
		["2001:db8:7::1", "2001:DB8:7:0:0:0:0:1", 1],
		["2001:db8:7::1", "[2001:db8:7::1]:443", 1],
		["203.0.113.77", "203.0.113.78", 2],
	] as const) {
		here.app.clock.advance(60 * MINUTE);
		await sendHits(here.app, [here.view("/", { ip: first }), here.view("/", { ip: second })]);
		const rows = (await here.storedRows("entrance, toString(ts) AS at")).filter(({ entrance }) => entrance === 1);
		const latest = rows.filter(({ at }) => at === rows.at(-1)?.at);
		assert.equal(latest.length, entrances, `${first} ${second}`);
	}
});

test("a reload of any page of a visit begins no second one, and revenue stays under the campaign of the arrival", async () => {
	const letters = { referrer: "https://letters.example/" };
	const within = (path: string) => ({ referrer: `https://shop.example${path}` });
	await sendHits(here.app, [
		here.view("/?utm_source=letter&utm_medium=email&utm_id=9", letters),
		here.view("/rugs", within("/")),
		here.view("/looms", within("/rugs")),
		// Reloads: of the latest route, of an address whose campaign a router has cleaned off, of a tab with an earlier route.
		here.view("/looms", letters),
		here.view("/", letters),
		here.view("/rugs?utm_source=letter&utm_medium=email", letters),
		here.view("/looms", { ...letters, event: "purchase", amount: 35 }),
	]);
	const visits = "utm_source, sum(entrance) AS entrances, sum(page_view) AS views, toFloat64(sum(revenue)) AS revenue";
	const sums = async () => {
		const sql = `SELECT ${visits} FROM events WHERE site = {site:String} GROUP BY utm_source ORDER BY utm_source`;
		return here.app.eventStore.query({ sql, params: { site: here.site } });
	};
	const letter = { utm_source: "letter", entrances: 1, views: 6, revenue: 35 };
	assert.deepEqual(await sums(), [letter]);
	// Arrivals: at a page that the visit has not seen, and from elsewhere.
	await sendHits(here.app, [here.view("/felt", letters), here.view("/felt", { referrer: "https://wool.example/" })]);
	const arrival = { entrances: 1, views: 1, revenue: 0 };
	assert.deepEqual(await sums(), [
		letter,
		{ utm_source: "letters.example", ...arrival },
		{ utm_source: "wool.example", ...arrival },
	]);
});

const arrivals: [url: string, referrer: string, booked: string][] = [
	["/?fbclid=IwT1", "https://l.instagram.com/", "instagram / social / Organic Social"],
	["/?fbclid=IwT2", "https://l.threads.com/", "threads / social / Organic Social"],
	["/?fbclid=IwT3", "https://m.facebook.com/", "facebook / social / Organic Social"],
	["/?fbclid=IwT4", "", "facebook / social / Organic Social"],
	["/", "https://metager.de/meta/meta.ger3", "metager / organic / Organic Search"],
	["/", "https://swisscows.com/en/web", "swisscows / organic / Organic Search"],
	["/", "https://search.goo.ne.jp/web.jsp", "goo / organic / Organic Search"],
	["/", "https://suche.web.de/web", "web.de / organic / Organic Search"],
	["/", "https://coccoc.com/search", "coccoc / organic / Organic Search"],
	["/", "https://cafe.naver.com/weaving", "cafe.naver.com / referrer / Referral"],
	["/", "https://zhidao.baidu.com/question/7", "zhidao.baidu.com / referrer / Referral"],
	["/", "https://news.mail.ru/society/7/", "news.mail.ru / referrer / Referral"],
	["/", "https://search.naver.com/search.naver", "naver / organic / Organic Search"],
	["/", "https://www.baidu.com/s", "baidu / organic / Organic Search"],
	["/", "https://e.mail.ru/inbox/", "mail.ru / email / Email"],
];

test("click ids and referrers are booked under the application, engine, mailbox or site that they name", async () => {
	await sendHits(
		here.app,
		arrivals.map(([url, referrer], n) =>
			here.view(url, { referrer, ip: `203.0.113.${n + 1}`, group: String(n).padStart(2, "0") }),
		),
	);
	const rows = await here.storedRows(
		"content_group AS n, concat(utm_source, ' / ', utm_medium, ' / ', channel) AS booked",
	);
	assert.deepEqual(
		rows.sort((a, b) => Number(a.n) - Number(b.n)).map(({ booked }) => booked),
		arrivals.map(([, , booked]) => booked),
	);
});

test("the till of a shop continues the visit that pays", async () => {
	for (const [ip, till] of [
		["203.0.113.1", "https://checkout.shopify.com/"],
		["203.0.113.2", "https://pay.shopify.com/"],
	] as const) {
		await sendHits(here.app, [
			here.view("/?utm_source=letter&utm_medium=email", { ip }),
			here.view("/done", { ip, referrer: till }),
			here.view("/done", { ip, referrer: till, event: "purchase", amount: 35 }),
		]);
	}
	const rows = await here.storedRows("utm_source, entrance, toFloat64(revenue) AS revenue");
	assert.equal(
		rows.every(({ utm_source }) => utm_source === "letter"),
		true,
	);
	assert.deepEqual(
		[rows.filter(({ entrance }) => entrance === 1).length, rows.reduce((sum, row) => sum + Number(row.revenue), 0)],
		[2, 70],
	);
});

test("telephones whose names hold a word of programs count as visitors on mobile devices", async () => {
	const chrome = "AppleWebKit/537.36 (KHTML, like Gecko)";
	const agents = [
		`Mozilla/5.0 (Linux; Android 7.0; M bot 60 Build/NRD90M; wv) ${chrome} Version/4.0 Chrome/74.0.3729.157 Mobile Safari/537.36`,
		`Mozilla/5.0 (Linux; Android 7.0; M bot 60) ${chrome} Chrome/92.0.4515.159 Mobile Safari/537.36`,
		`Mozilla/5.0 (Linux; Android 9; CUBOT_X19) ${chrome} Chrome/98.0.4758.101 Mobile Safari/537.36`,
	];
	const headers = { "sec-ch-ua-mobile": "?1", "sec-ch-ua-platform": '"Android"' };
	await sendHits(
		here.app,
		agents.map((userAgent) => here.view("/", { userAgent, headers })),
	);
	const mobile = { entrance: 1, device: "mobile", bot_score: 0 };
	assert.deepEqual(await here.storedRows("entrance, device, bot_score"), [mobile, mobile, mobile]);
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
