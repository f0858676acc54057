import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { sendHit, sendHits, type TestHit } from "../../../../test/support/hits.ts";

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
	const { site, session, ...row } = pageviewRow({
		...{ ts: here.app.clock.now(), date: "2026-11-21", hour: 7, entrance: 1 },
		...{ path: "/Caf%C3%A9", content_group: "blog", landing_path: "/Caf%C3%A9", landing_group: "blog" },
		...{ referrer: "mail.example.net", utm_source: "news", utm_medium: "email", channel: "Email" },
		...{ country: "IN", device: "desktop", browser: "Chrome", os: "Windows" },
	});
	// Direct visits have a medium and no term or content.
	const stored = { ...row, ts: "2026-11-21 12:00:00.000", utm_campaign: "", utm_term: "", utm_content: "" };
	assert.deepEqual(await here.storedRows("* EXCEPT (site, session)"), [stored]);
});

test("a session ends after thirty minutes, goes on over midnight, and has one engaged entrance on its hour and page", async () => {
	const firefox = { userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };
	const hits: readonly (readonly [minutes: number, path: string, more?: Partial<TestHit>])[] = [
		[0, "/landing", { group: "first" }],
		[20, "/one"],
		[20, "/two"],
		[25, "/three"],
		[30, "/again"],
		[0, "/other", firefox],
	];
	for (const [minutes, path, more] of hits) {
		here.app.clock.advance(minutes * MINUTE);
		await sendHit(here.app, here.view(path, more));
	}
	for (const [moment, path] of Object.entries({
		"2026-11-21T23:50:00Z": "/before",
		"2026-11-22T00:10:00Z": "/after",
	})) {
		here.app.clock.set(moment);
		await sendHit(here.app, here.view(path));
	}
	const columns = ["kind", "hour", "path", "content_group", "landing_path", "landing_group", "entrance", "engaged"];
	const rows = await here.storedRows([...columns, "toString(session) AS session"].join(", "));
	assert.deepEqual(rows.map((row) => columns.map((column) => row[column]).join(" ")).sort(), [
		"engaged 18 /before  /before  0 1",
		"engaged 7 /landing first /landing first 0 1",
		"pageview 18 /before  /before  1 0",
		"pageview 19 /after  /before  0 0",
		"pageview 7 /landing first /landing first 1 0",
		"pageview 7 /one  /landing first 0 0",
		"pageview 7 /two  /landing first 0 0",
		"pageview 8 /again  /again  1 0",
		"pageview 8 /other  /other  1 0",
		"pageview 8 /three  /landing first 0 0",
	]);
	assert.equal(new Set(rows.map(({ session }) => session)).size, 4);
});

test("a path has one form in rows, entrances and reports of missing pages, however a browser writes it", async () => {
	const spellings = [
		["/%C3%A9t%C3%A9/", "/%c3%a9t%c3%a9/"],
		["/hand-made", "/hand%2Dmade"],
		["/rugs%2Fwool", "/rugs%2fwool"],
		["/rugs/wool"],
		["/~lea/", "/%7Elea/"],
	];
	const missing = (path: string) => ({ event: "404", isMicro: true, properties: { path } });
	const hits = spellings.flat().flatMap((path, n) => {
		const ip = `203.0.113.${n + 1}`;
		return [here.view(path, { ip }), here.view(path, { ip, ...missing(path) })];
	});
	await sendHits(here.app, hits);
	const columns = "path, any(landing_path) AS landing, max(properties['path']) AS missing, toUInt32(count()) AS hits";
	assert.deepEqual(
		await here.query(`SELECT ${columns} FROM events WHERE site = {site:String} GROUP BY path ORDER BY path`),
		spellings.map(([path, ...more]) => ({ path, landing: path, missing: path, hits: 2 + 2 * more.length })),
	);
});

test("an address in two spellings is one visitor, another address is another, and no site shares its ids with another", async () => {
	const site = await createSite(here.app, here.owner);
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
	here.app.clock.advance(60 * MINUTE);
	await sendHits(here.app, [here.view("/same"), here.view("/same", { site })]);
	const ids = "SELECT uniqExact(session) AS ids FROM events WHERE path = '/same'";
	assert.deepEqual(await here.query(ids), [{ ids: 2 }]);
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
		// The till of a shop continues the visit that pays.
		here.view("/done", { referrer: "https://checkout.shopify.com/" }),
		here.view("/done", { referrer: "https://pay.shopify.com/", event: "purchase", amount: 35 }),
	]);
	const visits = "utm_source, sum(entrance) AS entrances, sum(page_view) AS views, toFloat64(sum(revenue)) AS revenue";
	const sums = () =>
		here.query(`SELECT ${visits} FROM events WHERE site = {site:String} GROUP BY utm_source ORDER BY utm_source`);
	const letter = { utm_source: "letter", entrances: 1, views: 7, revenue: 70 };
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

const arrivals: [query: string, referrer: string, booked: string][] = [
	["?fbclid=IwT1", "l.instagram.com/", "instagram / social / Organic Social"],
	["?fbclid=IwT2", "l.threads.com/", "threads / social / Organic Social"],
	["?fbclid=IwT3", "m.facebook.com/", "facebook / social / Organic Social"],
	["?fbclid=IwT4", "", "facebook / social / Organic Social"],
	["?fbclid=IwT5", "www.reddit.com/", "facebook / social / Organic Social"],
	["?fbclid=IwT6", "android-app://com.instagram.android/", "instagram / social / Organic Social"],
	["?wbraid=Cj1", "m.youtube.com/", "youtube / cpc / Paid Video"],
	["?gclid=Cj2", "duckduckgo.com/", "google / cpc / Paid Search"],
	["?msclkid=M1", "duckduckgo.com/", "duckduckgo / cpc / Paid Search"],
	["?msclkid=M2", "uk.search.yahoo.com/", "yahoo / cpc / Paid Search"],
	["", "metager.de/meta/meta.ger3", "metager / organic / Organic Search"],
	["", "swisscows.com/en/web", "swisscows / organic / Organic Search"],
	["", "search.goo.ne.jp/web.jsp", "goo / organic / Organic Search"],
	["", "suche.web.de/web", "web.de / organic / Organic Search"],
	["", "coccoc.com/search", "coccoc / organic / Organic Search"],
	["", "cafe.naver.com/weaving", "cafe.naver.com / referrer / Referral"],
	["", "zhidao.baidu.com/question/7", "zhidao.baidu.com / referrer / Referral"],
	["", "news.mail.ru/society/7/", "news.mail.ru / referrer / Referral"],
	["", "search.naver.com/search.naver", "naver / organic / Organic Search"],
	["", "www.baidu.com/s", "baidu / organic / Organic Search"],
	["", "e.mail.ru/inbox/", "mail.ru / email / Email"],
];

test("click ids and referrers are booked under the application, engine, mailbox or site that they name", async () => {
	const hits = arrivals.map(([query, referrer], n) =>
		here.view(`/${n}${query}`, { referrer: referrer.replace(/^(?=[^:]+$)/, "https://"), ip: `203.0.113.${n + 1}` }),
	);
	await sendHits(here.app, hits);
	const rows = await here.storedRows("path, concat(utm_source, ' / ', utm_medium, ' / ', channel) AS booked");
	assert.deepEqual(
		Object.fromEntries(rows.map(({ path, booked }) => [path, booked])),
		Object.fromEntries(arrivals.map(([, , booked], n) => [`/${n}`, booked])),
	);
});

test("a conversion and its items share one unique time and the session's attribution", async () => {
	await sendHit(here.app, here.view("/?gclid=abc"));
	const items = [{ n: "1", qty: 2 }, { n: "2" }, "no object"];
	const buy = (amount: number, properties: Record<string, unknown>) =>
		sendHit(here.app, here.view("/thanks", { event: "purchase", amount, properties }));
	await buy(59.9, { order: "A-1", items });
	await buy(-10, { n: "3" });
	await sendHit(
		here.app,
		here.view("/thanks", { event: "newsletter", isMicro: true, amount: 5, properties: { n: "4" } }),
	);
	const values = "amount, revenue, conversion, microconversion";
	const rows = await here.storedRows(
		`kind, ts, event_type, properties, ${values}, utm_medium, clid, landing_path, utm_source`,
	);
	const none = { amount: 0, revenue: 0, conversion: 0, microconversion: 0 };
	const session = { utm_medium: "cpc", clid: "abc", landing_path: "/", utm_source: "google" };
	const purchase = { event_type: "purchase", ts: "2026-11-21 12:00:00.000", ...none, ...session };
	const sale = (amount: number) => ({ ...purchase, kind: "conversion", amount, revenue: amount, conversion: 1 });
	const signup = { kind: "microconversion", event_type: "newsletter", microconversion: 1 };
	assert.deepEqual(rows, [
		{ ...purchase, kind: "pageview", event_type: "", properties: {} },
		{ ...sale(59.9), properties: { order: "A-1" } },
		{ ...purchase, ...signup, properties: { n: "4" } },
		{ ...purchase, kind: "item", properties: { n: "1", qty: "2" } },
		{ ...purchase, kind: "item", properties: { n: "2" } },
		{ ...sale(-10), ts: "2026-11-21 12:00:00.001", properties: { n: "3" } },
	]);
});

const wide = "\u00a0\ufeff";

test("names are stored without blanks at their ends, so that whatever is stored can be asked for", async () => {
	const ask = async (path: string) => (await here.call(`GET /stats/${path}&period=today`)).data;
	await sendHits(here.app, [
		here.view("/offer", { event: " lead ", amount: 10, properties: { " k ": " a " } }),
		here.view("/offer", { event: `lead${wide}`, amount: 10, properties: { k: "b", " ": "c" } }),
		here.view("/offer", { event: "lead", amount: 10, properties: { [`${wide}k`]: "b" } }),
	]);
	for (const type of ["lead", "%20lead%20"]) {
		const found = await ask(`conversions/raw?conversion_type=${type}`);
		assert.equal(found.length, 3);
	}
	const keys = await ask("properties/keys?page=1");
	assert.deepEqual([keys.length, keys[0].key, keys[0].total_count], [1, "k", 3]);
	const values = await ask("properties/values?property_key=%20k%20");
	const revenues = values.map((row: Record<string, unknown>) => `${row.property_value}: ${row.revenue}`);
	assert.deepEqual(revenues, ["b: 20", " a : 10"]);
});

test("texts are cut to their longest, without a blank at the new end, and values are text in one form", async () => {
	const cut = (length: number) => `${"x".repeat(length - 1)} y`;
	const properties = {
		...{ whole: 42, large: 1e21, part: 0.1, yes: true, nothing: null, list: [1, { b: 2, a: "x" }] },
		...{ [cut(100)]: "é".repeat(600), "quote'\t\n\\": "a'b\\c\td\ne\0\u007f" },
	};
	await sendHits(here.app, [
		here.view(`/?utm_campaign=${encodeURIComponent(cut(255))}`, { group: cut(64) }),
		here.view("/", { event: cut(100), properties }),
	]);
	const lengths = "length(utm_campaign) AS campaign, length(content_group) AS group, length(event_type) AS type";
	const [view, event] = await here.storedRows(`${lengths}, properties`);
	assert.deepEqual(view, { campaign: 254, group: 63, type: 0, properties: {} });
	assert.deepEqual(
		[event?.["type"], event?.["properties"]],
		[
			99,
			{
				...{ whole: "42", large: "1000000000000000000000", part: "0.1", yes: "true", nothing: "" },
				...{ list: '[1,{"a":"x","b":2}]', ["x".repeat(99)]: "é".repeat(500), "quote'\\": "a'b\\c\td\ne" },
			},
		],
	);
});
