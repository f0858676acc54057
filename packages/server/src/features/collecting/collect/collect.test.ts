import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { sendHit, sendHits, type TestHit } from "../../../../test/support/hits.ts";

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

test("a path has one form in rows, entrances and reports of missing pages, however a browser writes it", async () => {
	const spellings = [["/%C3%A9t%C3%A9/", "/%c3%a9t%c3%a9/"], ["/rugs%2Fwool", "/rugs%2fwool"], ["/rugs/wool"]];
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
	const hit = (ip: string) => here.view("/spelled", { ip });
	const spellings = ["2001:db8:7::1", "[2001:DB8:7:0:0:0:0:1]:443"];
	await sendHits(here.app, [...spellings.map(hit), hit("2001:db8:7::2"), { ...hit("2001:db8:7::1"), site }]);
	const counts = "uniqExactIf(session, site = {site:String}) AS own, uniqExact(session) AS both";
	assert.deepEqual(await here.query(`SELECT ${counts} FROM events WHERE path = '/spelled'`), [{ own: 2, both: 3 }]);
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
	["", "search.naver.com/search.naver", "naver / organic / Organic Search"],
	["", "e.mail.ru/inbox/", "mail.ru / email / Email"],
];

test("click ids and referrers are booked under the application, engine, mailbox or site that they name", async () => {
	const hits = arrivals.map(([query, referrer], n) =>
		here.view(`/${n}${query}`, { referrer: referrer.replace(/^(?=[^:]+$)/, "https://"), ip: `203.0.113.${n + 1}` }),
	);
	await sendHits(here.app, hits);
	const rows = await here.storedRows("path, concat(utm_source, ' / ', utm_medium, ' / ', channel) AS booked");
	const expected = Object.fromEntries(arrivals.map(([, , booked], n) => [`/${n}`, booked]));
	assert.deepEqual(Object.fromEntries(rows.map(({ path, booked }) => [path, booked])), expected);
});

test("items have the time of their conversion and the visit's attribution; what is no object is no item", async () => {
	await sendHit(here.app, here.view("/?gclid=abc"));
	const items = [{ n: "1", qty: 2 }, { n: "2" }, "no object"];
	const event = (event: string, more: Partial<TestHit>) => sendHit(here.app, here.view("/thanks", { event, ...more }));
	await event("purchase", { amount: 59.9, properties: { order: "A-1", items } });
	await event("purchase", { amount: -10, properties: { n: "3" } });
	await event("newsletter", { isMicro: true, amount: 5, properties: { n: "4" } });
	const columns = "kind, event_type, properties, amount, revenue, conversion, microconversion, toString(ts) AS at";
	const rows = await here.storedRows(`${columns}, utm_medium, clid, landing_path`);
	const noon = "2026-11-21 12:00:00.000";
	assert.deepEqual(
		rows.map(({ utm_medium, clid, landing_path, ...row }) => [utm_medium, clid, landing_path, ...Object.values(row)]),
		[
			["pageview", "", {}, 0, 0, 0, 0, noon],
			["conversion", "purchase", { order: "A-1" }, 59.9, 59.9, 1, 0, noon],
			["microconversion", "newsletter", { n: "4" }, 0, 0, 0, 1, noon],
			["item", "purchase", { n: "1", qty: "2" }, 0, 0, 0, 0, noon],
			["item", "purchase", { n: "2" }, 0, 0, 0, 0, noon],
			["conversion", "purchase", { n: "3" }, -10, -10, 1, 0, "2026-11-21 12:00:00.001"],
		].map((row) => ["cpc", "abc", "/", ...row]),
	);
});

test("names are stored without blanks at their ends, so that whatever is stored can be asked for", async () => {
	const wide = "\u00a0\ufeff";
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
	const found = [event?.["type"], event?.["properties"]];
	assert.deepEqual(found, [
		99,
		{
			...{ whole: "42", large: "1000000000000000000000", part: "0.1", yes: "true", nothing: "" },
			...{ list: '[1,{"a":"x","b":2}]', ["x".repeat(99)]: "é".repeat(500), "quote'\\": "a'b\\c\td\ne" },
		},
	]);
});

test("control characters leave every label, so that no campaign value ends another", async () => {
	await sendHits(here.app, [
		here.view("/p\0a\u0007th?utm_source=a\0b&utm_medium=e%00ma%0Ail&utm_campaign=x\u009fy", {
			group: "bl\u001fog\n",
			event: "pur\0chase",
			properties: { "na\0me": "va\0lue" },
		}),
		here.view("/seen", { ip: "203.0.113.8", referrer: "https://fr\0om.example/" }),
	]);
	const columns = "path, content_group, event_type, utm_source, utm_medium, utm_campaign, campaign, properties";
	const [view, row] = await here.storedRows(`${columns}, referrer`);
	assert.deepEqual(row, {
		...{ path: "/path", content_group: "blog", event_type: "purchase", referrer: "" },
		...{ utm_source: "ab", utm_medium: "email", utm_campaign: "xy", campaign: "ab\0email\0xy\0\0" },
		properties: { name: "value" },
	});
	assert.equal(view?.["referrer"], "from.example");
});

test("items of a conversion are stored up to 64 KB, as each repeats what its visit is booked under", async () => {
	const campaign = ["source", "medium", "campaign", "term"].map((name) => `utm_${name}=${"z".repeat(250)}`).join("&");
	await sendHit(here.app, here.view(`/${"l".repeat(1000)}?${campaign}&gclid=${"g".repeat(500)}`));
	const items = Array.from({ length: 100 }, (_, n) => ({ n: String(n) }));
	const purchase = { event: "purchase", amount: 5, properties: { items } };
	await sendHits(here.app, [
		here.view(`/${"p".repeat(1000)}`, purchase),
		here.view("/", { ip: "203.0.113.8", ...purchase }),
	]);
	const rows = await here.storedRows("kind, length(landing_path) > 1 AS long");
	const count = (kind: string, long: number) => rows.filter((row) => row.kind === kind && row.long === long).length;
	assert.deepEqual([count("conversion", 1), count("conversion", 0), count("item", 0)], [1, 1, 100]);
	assert.ok(count("item", 1) > 10 && count("item", 1) < 30, `${count("item", 1)} long items`);
});

test("conversions after a clock that was wrong have the right time, and the day and hour of their receipt", async () => {
	const moments = ["2027-11-21T12:00:00Z", "2026-11-22T04:59:59.999Z", "2026-11-22T04:59:59.999Z"];
	for (const [n, moment] of moments.entries()) {
		here.app.clock.set(moment);
		await sendHit(here.app, here.view("/", { event: "purchase", properties: { n: String(n) } }));
	}
	assert.deepEqual(await here.storedRows("properties['n'] AS n, date, hour, ts"), [
		{ n: "1", date: "2026-11-21", hour: 23, ts: "2026-11-22 04:59:59.999" },
		{ n: "2", date: "2026-11-21", hour: 23, ts: "2026-11-22 05:00:00.000" },
		{ n: "0", date: "2027-11-21", hour: 7, ts: "2027-11-21 12:00:00.000" },
	]);
});

const buy = (amount: number | string | boolean, more: Partial<TestHit> = {}) =>
	here.view("/done", { event: "order", amount, ...more });
/** Number and revenue of the conversions. */
async function sold(): Promise<string> {
	const { conversions, revenue } = (await here.call("GET /stats/overview?period=today")).data.conversions;
	return `${conversions}: ${revenue}`;
}

test("an amount counts as a number and as its text; one that cannot be read, or is too large, counts as 0 and is reported", async () => {
	const good = [59.9, "59.90", " 10 ", "-0.5", ".25", "+1.", "123456789.000001", 0.1 + 0.2, "0", "", " "];
	const separated = ["59,90", "1.234,50", "1,234.50", "1,234", "1.234.567", "0,500", "-1.234.567,89"];
	const largest = [1_000_000_000, "-1000000000"];
	const texts = ["€5", "5 EUR", "1e3", ".", "0x10", "Infinity", "--1", "1,23,456", "1.234,5,6", "1234567890.123456"];
	const numbers = [1_000_000_000.01, -1_000_000_000.01, -99_999_999_999_999, 1e300];
	const lost = [...texts, "1".repeat(9000), true, ...numbers];
	const hits = [...good, ...separated, ...largest, ...lost].map((amount) => buy(amount));
	await sendHits(here.app, hits);
	assert.equal(await sold(), `${20 + lost.length}: 123460682.36`);
	const { accepted, rejected, reasons } = (await here.call(`GET /sites/${here.site}/pixel/rejections`)).data;
	const origins = [{ origin: "https://shop.example", count: lost.length }];
	assert.deepEqual([accepted, rejected], [20 + lost.length, 0]);
	assert.deepEqual(reasons, [{ reason: "invalid_amount", count: lost.length, counted: true, origins }]);
});

test("a conversion without an amount takes that of its property amount, else value, where it can be read", async () => {
	const properties = [
		{ amount: 12.5 },
		{ value: "2,50" },
		{ amount: "large", value: 1 },
		{ value: "gold" },
		{ amount: "" },
	];
	await sendHits(here.app, [
		...properties.map((properties) => here.view("/done", { event: "order", properties })),
		buy(100, { properties: { amount: 7 } }),
		here.view("/", { event: "like", isMicro: true, properties: { amount: 3 } }),
	]);
	assert.equal(await sold(), "6: 116");
	assert.deepEqual(await here.rejected(), {});
});

test("an amount in another currency than the site's, which may change, is refused, from the hit or its property", async () => {
	await sendHits(here.app, [
		buy(1, { currency: "USD" }),
		buy(2, { properties: { currency: "usd" } }),
		buy(3, { currency: " chf ", properties: { currency: "EUR" } }),
		buy(4, { currency: "€", properties: { currency: "USD" } }),
		buy(10, { currency: "eur" }),
		buy(20, { properties: { currency: " EUR " } }),
		buy(40, { currency: "EUR", properties: { currency: "USD" } }),
		// No code of a currency, and no amount.
		buy(80, { properties: { currency: "points" } }),
		buy(160, { currency: "€", properties: { currency: 5 } }),
		buy(0, { currency: "USD" }),
		here.view("/", { event: "like", isMicro: true, amount: "much", properties: { currency: "USD" } }),
	]);
	assert.equal(await sold(), "6: 310");
	assert.deepEqual(await here.rejected(), { other_currency: 4 });
	await here.call(`PATCH /sites/${here.site}`, { currency: "usd" });
	await sendHits(here.app, [buy(5, { currency: "USD" }), buy(7, { currency: "EUR" })]);
	assert.equal(await sold(), "7: 315");
});
