import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { sendHits, type TestHit } from "../../../../test/support/hits.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const NOON = "2026-11-21T12:00:00.000Z";
const chrome =
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const bingbot =
	"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/142.0.0.0 Safari/537.36";

/** Hits of a visitor, by the score that they get. */
const visitors = {
	0: {},
	15: { headers: { "accept-encoding": "gzip" } },
	20: { headers: { "accept-language": "" } },
	35: { headers: { "accept-encoding": "gzip", "accept-language": "" } },
	75: { headers: { "accept-encoding": "gzip", "accept-language": "", "sec-ch-ua-platform": '"Linux"' } },
	85: { userAgent: bingbot },
	100: { userAgent: bingbot, headers: { "accept-language": "" } },
} as const satisfies Record<number, Partial<TestHit>>;

let app: TestApp;
let owner: Session;
/** Each test has a site of its own, where it is seven in the morning. */
let site: string;
before(async () => {
	app = await testApp();
	owner = await signIn(app);
});
beforeEach(async () => {
	app.clock.set(NOON);
	site = await createSite(app, owner, { timezone: "America/New_York" });
});
after(() => app.close());

/** Sends hits of these scores, all from one address. */
const send = (scores: readonly (keyof typeof visitors)[], more: Partial<TestHit> = {}) =>
	sendHits(
		app,
		scores.map((score) => ({ site, url: "https://shop.example/", ...visitors[score], ...more })),
	);

async function get(path: string) {
	const response = await app.inject({ url: `/api/v1/bot-stats/${path}`, headers: owner.headers });
	return { status: response.statusCode, ...response.json() };
}

const overview = async (days: number) => (await get(`overview?account_id=${site}&days=${days}`)).data;
const sessions = async (more = "") => (await get(`suspicious-sessions?account_id=${site}${more}`)).data;

test("every hit is in the distribution, those that reports leave out too", async () => {
	await send([0, 0, 15, 20, 35, 75, 85, 100]);
	const { distribution } = await overview(1);
	assert.deepEqual(distribution, {
		score_0: 2,
		score_1_30: 2,
		score_31_60: 1,
		score_61_80: 1,
		score_81_100: 2,
		total_hits: 8,
		avg_score: 41.25,
		suspicious_percentage: 50,
	});
	const report = await app.inject({
		url: `/api/v1/stats/overview?site_id=${site}&period=today`,
		headers: owner.headers,
	});
	assert.equal(report.json().data.traffic.page_views, 6);
});

test("the trend has a point for each day of the site, and days without hits are zero", async () => {
	app.clock.set("2026-11-19T04:30:00.000Z");
	await send([0, 100]);
	app.clock.set("2026-11-19T05:30:00.000Z");
	await send([0, 0, 35]);
	app.clock.set(NOON);
	await send([15]);
	const data = await overview(5);
	assert.deepEqual([data.period_start, data.period_end], ["2026-11-17", "2026-11-21"]);
	assert.deepEqual(data.daily_trend, [
		{ date: "2026-11-17", total_hits: 0, suspicious_hits: 0, avg_score: 0 },
		{ date: "2026-11-18", total_hits: 2, suspicious_hits: 1, avg_score: 50 },
		{ date: "2026-11-19", total_hits: 3, suspicious_hits: 1, avg_score: 11.67 },
		{ date: "2026-11-20", total_hits: 0, suspicious_hits: 0, avg_score: 0 },
		{ date: "2026-11-21", total_hits: 1, suspicious_hits: 0, avg_score: 15 },
	]);
	assert.equal((await overview(2)).distribution.total_hits, 1);
});

test("the flags are counted once a hit and come by their number, each with its description", async () => {
	await send([15, 35, 35, 75, 85, 100]);
	assert.deepEqual((await overview(1)).top_flags, [
		{
			flag: "incomplete_accept_encoding",
			count: 4,
			description: "The accepted compressions are not those of a browser",
		},
		{ flag: "missing_accept_language", count: 4, description: "No preferred language was sent" },
		{
			flag: "known_bot_pattern",
			count: 2,
			description: "The user agent names a crawler, a script library, a load tool or a monitor",
		},
		{ flag: "platform_mismatch", count: 1, description: "The platform client hint contradicts the user agent" },
	]);
});

test("a site without hits, next to one with some, has zeros everywhere, for 30 days unless told otherwise", async () => {
	await send([100], { site: await createSite(app, owner) });
	const { data } = await get(`overview?account_id=${site}`);
	assert.deepEqual(data.distribution, {
		score_0: 0,
		score_1_30: 0,
		score_31_60: 0,
		score_61_80: 0,
		score_81_100: 0,
		total_hits: 0,
		avg_score: 0,
		suspicious_percentage: 0,
	});
	assert.deepEqual(data.top_flags, []);
	assert.equal(data.daily_trend.length, 30);
	assert.deepEqual(await sessions(), []);
});

test("purchases with products and engaged visits count once a hit", async () => {
	await send([0, 0]);
	await send([35], { event: "purchase", amount: 5, properties: { items: [{ sku: "a" }, { sku: "b" }] } });
	const { distribution } = await overview(1);
	assert.deepEqual([distribution.total_hits, distribution.score_0, distribution.score_31_60], [3, 2, 1]);
});

test("a hit above a low threshold leaves the reports and stays in the statistics, whatever its score", async () => {
	const changed = await app.inject({
		method: "PATCH",
		url: `/api/v1/sites/${site}`,
		headers: owner.headers,
		payload: { bot_threshold: 10 },
	});
	assert.equal(changed.statusCode, 200);
	await send([0, 15, 20, 35]);
	const { distribution } = await overview(1);
	assert.deepEqual(
		[distribution.total_hits, distribution.score_0, distribution.score_1_30, distribution.score_31_60],
		[4, 1, 2, 1],
	);
	const report = await app.inject({
		url: `/api/v1/stats/overview?site_id=${site}&period=today`,
		headers: owner.headers,
	});
	assert.equal(report.json().data.traffic.page_views, 1);
});

test("a session shows its highest score, the flags of all its hits, and when it was seen", async () => {
	await send([35]);
	app.clock.advance(60_000);
	await send([0]);
	app.clock.advance(60_000);
	await send([75], { timezone: "Europe/Lisbon" });
	const [session, ...others] = await sessions();
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
});

test("the country of a session that is not in the reports is that of its last hit", async () => {
	await send([85]);
	app.clock.advance(1000);
	await send([85], { timezone: "Europe/Lisbon" });
	assert.deepEqual(
		(await sessions()).map((session: { country: string; hit_count: number }) => [session.country, session.hit_count]),
		[["PT", 2]],
	);
});

test("sessions come by their highest score; min_score itself is not enough; limit cuts the rest", async () => {
	await send([35], { ip: "203.0.113.1" });
	await send([75], { ip: "203.0.113.2" });
	await send([85, 85], { ip: "203.0.113.3" });
	await send([100], { ip: "203.0.113.4" });
	await send([0], { ip: "203.0.113.5" });
	await send([15], { ip: "203.0.113.6" });
	const scores = async (more: string) =>
		(await sessions(more)).map(({ max_score }: { max_score: number }) => max_score);
	assert.deepEqual(await scores(""), [100, 85, 75]);
	assert.deepEqual(await scores("&min_score=35"), [100, 85, 75]);
	assert.deepEqual(await scores("&min_score=34"), [100, 85, 75, 35]);
	assert.deepEqual(await scores("&min_score=1"), [100, 85, 75, 35, 15]);
	assert.deepEqual(await scores("&min_score=100"), []);
	assert.deepEqual(await scores("&min_score=1&limit=2"), [100, 85]);
	const [, , , , mild] = await sessions("&min_score=1");
	assert.deepEqual([mild.user_agent, mild.flags], ["", ["incomplete_accept_encoding"]]);
});

test("sessions of equal scores come by their id", async () => {
	for (const ip of ["203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.113.4"]) await send([85], { ip });
	const ids = (await sessions()).map(({ session_id }: { session_id: string }) => session_id);
	assert.equal(ids.length, 4);
	assert.deepEqual(ids, ids.toSorted());
});

test("sessions of more than seven days ago are not listed, and are in the totals of their day", async () => {
	app.clock.set("2026-11-14T11:59:59.000Z");
	await send([85], { ip: "203.0.113.1" });
	app.clock.set("2026-11-14T12:00:01.000Z");
	await send([100], { ip: "203.0.113.2" });
	app.clock.set(NOON);
	assert.deepEqual(
		(await sessions()).map(({ max_score }: { max_score: number }) => max_score),
		[100],
	);
	assert.deepEqual((await overview(8)).daily_trend[0], {
		date: "2026-11-14",
		total_hits: 2,
		suspicious_hits: 2,
		avg_score: 92.5,
	});
});

const faulty = [
	["overview?account_id=shop&days=0", "query.days"],
	["overview?account_id=shop&days=91", "query.days"],
	["overview?account_id=shop&days=1.5", "query.days"],
	["overview?account_id=shop&days=30;DROP TABLE bot_hits", "query.days"],
	["overview", "query.account_id"],
	["overview?site_id=shop", "query.account_id"],
	["suspicious-sessions?account_id=shop&min_score=0", "query.min_score"],
	["suspicious-sessions?account_id=shop&min_score=101", "query.min_score"],
	["suspicious-sessions?account_id=shop&min_score=", "query.min_score"],
	["suspicious-sessions?account_id=shop&limit=0", "query.limit"],
	["suspicious-sessions?account_id=shop&limit=101", "query.limit"],
	["suspicious-sessions?account_id=shop&limit=ten", "query.limit"],
] as const;

test("a wrong or missing parameter answers 422 on its field", async () => {
	for (const [path, field] of faulty) {
		const { status, error } = await get(path.replace("account_id=shop", `account_id=${site}`));
		const fields = error.detail.map((fault: { field: string }) => fault.field);
		assert.deepEqual([status, error.code, fields], [422, "validation_error", [field]], path);
	}
});
