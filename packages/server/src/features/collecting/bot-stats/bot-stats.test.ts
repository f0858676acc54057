import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHits, type TestHit } from "../../../../test/support/hits.ts";

const NOON = "2026-11-21T12:00:00.000Z";
const chrome =
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const bingbot =
	"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/142.0.0.0 Safari/537.36";

/** Hits of a visitor, by the score that they get. */
const visitors = {
	0: {},
	15: { headers: { "accept-encoding": "gzip" } },
	30: { headers: { "sec-fetch-dest": "document" } },
	20: { headers: { "accept-language": "" } },
	35: { headers: { "accept-encoding": "gzip", "accept-language": "" } },
	75: { headers: { "accept-encoding": "gzip", "accept-language": "", "sec-ch-ua-platform": '"Linux"' } },
	85: { userAgent: bingbot },
	100: { userAgent: bingbot, headers: { "accept-language": "" } },
} as const satisfies Record<number, Partial<TestHit>>;

const here = collectingSite();

/** Sends hits of these scores, all from one address. */
const send = (scores: readonly (keyof typeof visitors)[], more: Partial<TestHit> = {}) =>
	sendHits(
		here.app,
		scores.map((score) => here.view("/", { ...visitors[score], ...more })),
	);
const overview = async (days: number) => (await here.call(`GET /bot-stats/overview?days=${days}`)).data;
const sessions = async (query = "") => (await here.call(`GET /bot-stats/suspicious-sessions?${query}`)).data;
const pageViews = async () => (await here.call("GET /stats/overview?period=today")).data.traffic.page_views;
const scoresOf = (rows: readonly { max_score: number }[]) => rows.map(({ max_score }) => max_score);

test("every hit and its flags are counted once, those that reports leave out too", async () => {
	await send([0, 0, 15, 20, 35, 35, 75, 85, 100]);
	const purchase = { event: "purchase", amount: 5, properties: { items: [{ sku: "a" }, { sku: "b" }] } };
	await send([35], purchase);
	const { distribution, top_flags } = await overview(1);
	// The purchase with its products is one, and the engagement of the visit none.
	const counts = { score_0: 2, score_1_30: 2, score_31_60: 3, score_61_80: 1, score_81_100: 2, total_hits: 10 };
	assert.deepEqual(distribution, { ...counts, avg_score: 40, suspicious_percentage: 60 });
	assert.deepEqual(
		top_flags.map(({ flag, count }: Record<string, unknown>) => `${flag} ${count}`),
		["missing_accept_language 6", "incomplete_accept_encoding 5", "known_bot_pattern 2", "platform_mismatch 1"],
	);
	assert.equal(top_flags[0].description, "No preferred language was sent");
	assert.equal(await pageViews(), 7);
});

test("the trend has a point for each day of the site; sessions of more than seven days ago are in it alone", async () => {
	for (const [moment, scores, ip] of [
		["2026-11-14T11:59:59.000Z", [85], "203.0.113.1"],
		["2026-11-14T12:00:01.000Z", [100], "203.0.113.2"],
		["2026-11-19T04:30:00.000Z", [0, 85], "203.0.113.3"],
		["2026-11-19T05:30:00.000Z", [0, 0, 35], "203.0.113.4"],
		[NOON, [15], "203.0.113.5"],
	] as const) {
		here.app.clock.set(moment);
		await send(scores, { ip });
	}
	const { period_start, period_end, daily_trend } = await overview(8);
	assert.deepEqual([period_start, period_end], ["2026-11-14", "2026-11-21"]);
	const nothing = { total_hits: 0, suspicious_hits: 0, avg_score: 0 };
	assert.deepEqual(daily_trend, [
		{ date: "2026-11-14", total_hits: 2, suspicious_hits: 2, avg_score: 92.5 },
		...["2026-11-15", "2026-11-16", "2026-11-17"].map((date) => ({ date, ...nothing })),
		{ date: "2026-11-18", total_hits: 2, suspicious_hits: 1, avg_score: 42.5 },
		{ date: "2026-11-19", total_hits: 3, suspicious_hits: 1, avg_score: 11.67 },
		{ date: "2026-11-20", ...nothing },
		{ date: "2026-11-21", total_hits: 1, suspicious_hits: 0, avg_score: 15 },
	]);
	assert.equal((await overview(2)).distribution.total_hits, 1);
	assert.deepEqual(scoresOf(await sessions()), [100, 85]);
});

test("a site without hits, next to one with some, has zeros everywhere, for 30 days unless told otherwise", async () => {
	await send([100], { site: await createSite(here.app, here.owner) });
	const { data } = await here.call("GET /bot-stats/overview");
	const counts = { score_0: 0, score_1_30: 0, score_31_60: 0, score_61_80: 0, score_81_100: 0, total_hits: 0 };
	assert.deepEqual(data.distribution, { ...counts, avg_score: 0, suspicious_percentage: 0 });
	assert.deepEqual([data.top_flags, data.daily_trend.length, await sessions()], [[], 30, []]);
});

test("a hit above a low threshold leaves the reports and stays in the statistics, whatever its score", async () => {
	assert.equal((await here.call(`PATCH /sites/${here.site}`, { bot_threshold: 15 })).status, 200);
	await send([0, 15, 20, 35]);
	const { total_hits, score_0, score_1_30, score_31_60 } = (await overview(1)).distribution;
	assert.deepEqual([total_hits, score_0, score_1_30, score_31_60], [4, 1, 2, 1]);
	assert.equal(await pageViews(), 2);
});

test("a session shows its highest score, the flags of all its hits, when it was seen and the country of its visit", async () => {
	await send([35]);
	here.app.clock.advance(60_000);
	await send([75, 85]);
	here.app.clock.advance(60_000);
	// The hit of 35 is among the bot hits too, with the country that it came from; the visit keeps its own.
	await send([35, 85], { timezone: "Europe/Lisbon" });
	const [bot, session, ...others] = await sessions();
	assert.deepEqual(others, []);
	assert.match(session.session_id, /^\d{1,20}$/);
	assert.deepEqual(session, {
		session_id: session.session_id,
		max_score: 75,
		flags: ["platform_mismatch", "missing_accept_language", "incomplete_accept_encoding"],
		hit_count: 3,
		first_seen: "2026-11-21T12:00:00.000Z",
		last_seen: "2026-11-21T12:02:00.000Z",
		user_agent: chrome,
		country: "ES",
	});
	// One that is not in the reports has the country of its last hit.
	assert.deepEqual([bot.max_score, bot.country, bot.hit_count], [85, "PT", 2]);
});

test("sessions come by score, equal ones by id; min_score itself is not enough; limit cuts the rest", async () => {
	for (const [index, score] of ([35, 75, 85, 100, 0, 30, 85, 85, 85] as const).entries())
		await send([score], { ip: `203.0.113.${index + 1}` });
	const scores = async (query: string) => scoresOf(await sessions(query));
	const high = [100, 85, 85, 85, 85, 75];
	assert.deepEqual(await scores(""), high);
	assert.deepEqual(await scores("min_score=35"), high);
	assert.deepEqual(await scores("min_score=34"), [...high, 35]);
	assert.deepEqual(await scores("min_score=100"), []);
	assert.deepEqual(await scores("min_score=1&limit=2"), [100, 85]);
	const all = await sessions("min_score=1");
	const ids = all.slice(1, 5).map(({ session_id }: { session_id: string }) => session_id);
	assert.deepEqual(ids, ids.toSorted());
	const mild = all.at(-1);
	assert.deepEqual([mild.max_score, mild.user_agent, mild.flags], [30, "", ["sec_fetch_inconsistent"]]);
});
