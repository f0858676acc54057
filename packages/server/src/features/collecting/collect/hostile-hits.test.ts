import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHit, sendHits } from "../../../../test/support/hits.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { collectKey } from "../../../composition/collector.ts";
import { issueToken } from "./token.ts";

const MINUTE = 60_000;

const here = collectingSite();

const rejected = (site = here.site) => {
	const { reasons } = here.app.collector?.rejections.window(site, 1, here.app.clock.now()) ?? { reasons: [] };
	return Object.fromEntries(reasons.map(({ reason, count }) => [reason, count]));
};

test("control characters leave every label, so that no campaign value ends another", async () => {
	await sendHits(here.app, [
		here.view("/p\0a\u0007th?utm_source=a\0b&utm_medium=e%00ma%0Ail&utm_campaign=x\u009fy", {
			group: "bl\u001fog\n",
			referrer: "https://from\0.example/",
			event: "pur\0chase",
			properties: { "na\0me": "va\0lue" },
		}),
		here.view("/seen", { ip: "203.0.113.8", referrer: "https://fr\0om.example/" }),
	]);
	const columns = "path, content_group, event_type, utm_source, utm_medium, utm_campaign, campaign, properties";
	const [, row] = await here.storedRows(columns);
	assert.deepEqual(row, {
		path: "/path",
		content_group: "blog",
		event_type: "purchase",
		utm_source: "ab",
		utm_medium: "email",
		utm_campaign: "xy",
		campaign: "ab\0email\0xy\0\0",
		properties: { name: "value" },
	});
	assert.deepEqual((await here.storedRows("referrer"))[0], { referrer: "from.example" });
});

test("a token counts in the one spelling that was issued, and in no longer one", async () => {
	const token = issueToken(collectKey(here.app.config.secretKey), here.site, here.app.clock.now());
	const spellings = [`${token}!`, `${token}=`, ` ${token}`, `${token.slice(0, 9)}.${token.slice(9)}`];
	const others = [...spellings, `${token}${"~".repeat(13_000)}`, `${token}${token}`, "x".repeat(58)];
	for (const other of others) await sendHit(here.app, here.view("/", { token: other }));
	await sendHits(here.app, [here.view("/genuine", { token })]);
	assert.deepEqual(rejected(), { invalid_token: others.length });
	assert.deepEqual(await here.storedRows("path"), [{ path: "/genuine" }]);
});

test("items of a conversion are stored up to 64 KB, as each repeats what its visit is booked under", async () => {
	const long = (letter: string) => `${letter.repeat(250)}`;
	const source = `utm_source=${long("s")}&utm_medium=${long("m")}&utm_campaign=${long("c")}&utm_term=${long("t")}`;
	await sendHit(here.app, here.view(`/${"l".repeat(1000)}?${source}&gclid=${"g".repeat(500)}`));
	const items = Array.from({ length: 100 }, (_, n) => ({ n: String(n) }));
	await sendHits(here.app, [
		here.view(`/${"p".repeat(1000)}`, { event: "purchase", amount: 5, properties: { items } }),
		here.view("/", { ip: "203.0.113.8", event: "purchase", amount: 6, properties: { items } }),
	]);
	const rows = await here.storedRows("kind, amount, length(landing_path) > 1 AS long");
	const count = (kind: string, long: number) => rows.filter((row) => row.kind === kind && row.long === long).length;
	assert.deepEqual([count("conversion", 1), count("conversion", 0), count("item", 0)], [1, 1, 100]);
	assert.ok(count("item", 1) > 10 && count("item", 1) < 30, `${count("item", 1)} long items`);
});

test("conversions after a clock that was wrong have the right time, and the day and hour of their receipt", async () => {
	const buy = (n: number) => here.view("/", { event: "purchase", properties: { n: String(n) } });
	here.app.clock.set("2027-11-21T12:00:00.000Z");
	await sendHit(here.app, buy(1));
	here.app.clock.set("2026-11-22T04:59:59.999Z");
	await sendHit(here.app, buy(2));
	await sendHits(here.app, [buy(3)]);
	assert.deepEqual(await here.storedRows("properties['n'] AS n, date, hour, ts"), [
		{ n: "2", date: "2026-11-21", hour: 23, ts: "2026-11-22 04:59:59.999" },
		{ n: "3", date: "2026-11-21", hour: 23, ts: "2026-11-22 05:00:00.000" },
		{ n: "1", date: "2027-11-21", hour: 7, ts: "2027-11-21 12:00:00.000" },
	]);
});

test("a program in a loop is kept for the bot statistics three hundred times a minute", async () => {
	const userAgent = "python-requests/2.32.0";
	for (let sent = 0; sent < 302; sent++) await sendHit(here.app, here.view("/", { userAgent }));
	await here.app.collector?.flush();
	const sql = "SELECT count() AS hits FROM bot_hits WHERE site = {site:String}";
	assert.deepEqual(await here.app.eventStore.query({ sql, params: { site: here.site } }), [{ hits: 300 }]);
	assert.deepEqual(rejected(), { rate_limit: 2 });
});

test("no more than so many visits a minute begin at one address; those that run go on", async () => {
	const app = await testApp({ env: { NEW_VISITS_PER_ADDRESS: "3" } });
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
	const { reasons } = app.collector?.rejections.window(site, 1, app.clock.now()) ?? {};
	assert.deepEqual(
		reasons?.map(({ reason, count }) => [reason, count]),
		[["rate_limit", 3]],
	);
	app.clock.advance(MINUTE);
	await send(104, "203.0.113.7", "/later");
	await app.collector?.flush();
	const sql = "SELECT path FROM events WHERE kind = 'pageview' ORDER BY path";
	assert.deepEqual(
		(await app.eventStore.query<{ path: string }>({ sql })).map(({ path }) => path),
		["/101", "/102", "/103", "/111", "/112", "/113", "/115", "/121", "/goes-on", "/later"],
	);
	await app.close();
});
