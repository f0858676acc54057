import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHit, sendHits, type TestHit } from "../../../../test/support/hits.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { collectKey } from "../../../composition/collector.ts";
import { issueToken } from "./token.ts";

const here = collectingSite();

const genuineToken = () => issueToken(collectKey(here.app.config.secretKey), here.site, here.app.clock.now());
const rejectedAt = (app: typeof here.app, site: string) => {
	const { reasons } = app.collector?.rejections.window(site, 1, app.clock.now()) ?? { reasons: [] };
	return Object.fromEntries(reasons.map(({ reason, count }) => [reason, count]));
};
const rejected = () => rejectedAt(here.app, here.site);

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

test("a token counts in the one spelling that was issued, and in no longer one", async () => {
	const token = genuineToken();
	const spellings = [`${token}!`, `${token}=`, ` ${token}`, `${token.slice(0, 9)}.${token.slice(9)}`];
	const others = [...spellings, `${token}${"~".repeat(13_000)}`, `${token}${token}`, "x".repeat(58)];
	for (const other of others) await sendHit(here.app, here.view("/", { token: other }));
	await sendHits(here.app, [here.view("/genuine", { token })]);
	assert.deepEqual(rejected(), { invalid_token: others.length });
	assert.deepEqual(await here.storedRows("path"), [{ path: "/genuine" }]);
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
	for (const [n, moment] of [
		"2027-11-21T12:00:00Z",
		"2026-11-22T04:59:59.999Z",
		"2026-11-22T04:59:59.999Z",
	].entries()) {
		here.app.clock.set(moment);
		await sendHit(here.app, here.view("/", { event: "purchase", properties: { n: String(n) } }));
	}
	assert.deepEqual(await here.storedRows("properties['n'] AS n, date, hour, ts"), [
		{ n: "1", date: "2026-11-21", hour: 23, ts: "2026-11-22 04:59:59.999" },
		{ n: "2", date: "2026-11-21", hour: 23, ts: "2026-11-22 05:00:00.000" },
		{ n: "0", date: "2027-11-21", hour: 7, ts: "2027-11-21 12:00:00.000" },
	]);
});

test("no more than so many visits a minute begin at one address; those that run go on", async (t) => {
	const app = await testApp({ env: { NEW_VISITS_PER_ADDRESS: "3" } });
	t.after(() => app.close());
	const site = await createSite(app, await signIn(app));
	const agent = (n: number) => `Mozilla/5.0 (X11; Linux x86_64; rv:${n}.0) Gecko/20100101 Firefox/${n}.0`;
	const send = (n: number, ip: string, path = `/${n}`) =>
		sendHit(app, { site, url: `https://shop.example${path}`, ip, userAgent: agent(n) });
	for (const n of [101, 102, 103, 104, 105]) await send(n, "203.0.113.7");
	await send(101, "203.0.113.7", "/goes-on");
	for (const n of [111, 112, 113]) await send(n, `2001:db8::${n}`);
	await send(114, "2001:db8:0:0:ffff::1");
	await send(115, "2001:db8:0:1::1");
	await send(121, "203.0.113.8");
	assert.deepEqual(rejectedAt(app, site), { rate_limit: 3 });
	app.clock.advance(60_000);
	await send(104, "203.0.113.7", "/later");
	await app.collector?.flush();
	// A visit that was refused never began, so that its next page is an entrance.
	const sql = `SELECT entrance, arrayStringConcat(arraySort(groupArray(path)), ' ') AS paths FROM events
		WHERE kind = 'pageview' GROUP BY entrance ORDER BY entrance`;
	assert.deepEqual(await app.eventStore.query({ sql }), [
		{ entrance: 0, paths: "/goes-on" },
		{ entrance: 1, paths: "/101 /102 /103 /111 /112 /113 /115 /121 /later" },
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
	await sendHits(
		here.app,
		[...good, ...separated, ...largest, ...lost].map((amount) => buy(amount)),
	);
	assert.equal(await sold(), `${20 + lost.length}: 123460682.36`);
	assert.deepEqual((await here.call(`GET /sites/${here.site}/pixel/rejections`)).data, {
		...{ account_id: here.site, window_minutes: 60, available: true, accepted: 20 + lost.length, rejected: 0 },
		reasons: [
			{
				...{ reason: "invalid_amount", count: lost.length, counted: true },
				origins: [{ origin: "https://shop.example", count: lost.length }],
			},
		],
	});
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
	assert.deepEqual(rejected(), {});
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
	assert.deepEqual(rejected(), { other_currency: 4 });
	await here.call(`PATCH /sites/${here.site}`, { currency: "usd" });
	await sendHits(here.app, [buy(5, { currency: "USD" }), buy(7, { currency: "EUR" })]);
	assert.equal(await sold(), "7: 315");
});

test("the operator says how large an amount may be", async (t) => {
	const app = await testApp({ env: { MAX_AMOUNT: "100" } });
	t.after(() => app.close());
	const site = await createSite(app, await signIn(app));
	const order = (amount: number) => ({ site, url: "https://shop.example/", event: "order", amount });
	await sendHits(app, [order(100), order(-100), order(100.0001), order(99)]);
	const sql = "SELECT sum(conversion) AS sales, toFloat64(sum(revenue)) AS revenue FROM events";
	assert.deepEqual(await app.eventStore.query({ sql }), [{ sales: 4, revenue: 99 }]);
});

/** Posts bodies in pieces of some bytes, each a chunk of its own, and answers what came back until the connection ended. */
async function postPieces(path: string, size: number, more: Readonly<Record<string, string>> = {}): Promise<string> {
	const socket = connect(Number(new URL(await here.app.address()).port), "127.0.0.1");
	const headers = {
		...{ host: "x", "transfer-encoding": "chunked", "accept-language": "en", "accept-encoding": "gzip, deflate, br" },
		...{ "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" },
		"user-agent":
			"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
		...more,
	};
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	socket.write(`POST /event HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
	const bytes = Buffer.from(JSON.stringify({ a: here.site, t: genuineToken(), u: `https://shop.example${path}` }));
	for (let at = 0; at < bytes.length; at += size) {
		const piece = bytes.subarray(at, at + size);
		socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]));
	}
	socket.write("0\r\n\r\n");
	let answer = "";
	socket.setEncoding("latin1").on("data", (text: string) => {
		answer += text;
		if (!answer.toLowerCase().includes("connection: close")) socket.end();
	});
	await once(socket, "close");
	assert.match(answer, /^HTTP\/1\.1 204 /);
	return answer;
}

test("a body in many pieces is put together; in more than sixty-four it is unreadable, and its connection ends", async () => {
	await postPieces("/caña-👍🏽", 5);
	assert.deepEqual(rejected(), {});
	assert.match(await postPieces("/tiny", 1), /\r\nConnection: close\r\n/);
	assert.deepEqual(rejected(), { invalid_json: 1 });
	assert.deepEqual(await here.storedRows("path"), [{ path: "/ca%C3%B1a-%F0%9F%91%8D%F0%9F%8F%BD" }]);
});

test("whether a hit came over https is what the proxy says, not what the sender wrote before it", async () => {
	const ways = {
		"/replaced": ["https", "203.0.113.1"],
		"/added": ["http, https", "203.0.113.2"],
		"/two-proxies": ["https, https, http", "203.0.113.3, 10.0.0.1"],
		"/plain": ["https, http", "203.0.113.4"],
	} as const;
	for (const [path, [proto, from]] of Object.entries(ways))
		await postPieces(path, 1000, { "x-forwarded-for": from, "x-forwarded-proto": proto });
	// A Chrome without client hints is odd over https alone.
	const rows = await here.storedRows("path, bot_score");
	const scores = Object.fromEntries(rows.map(({ path, bot_score }) => [path, bot_score]));
	assert.deepEqual(scores, { "/replaced": 25, "/added": 25, "/two-proxies": 25, "/plain": 0 });
});
