import assert from "node:assert/strict";
import { test } from "node:test";
import { insightsOf, lookAt, visitsOn } from "../../../../../test/support/lens.ts";
import { DAY, watchSites } from "../../../../../test/support/watched-sites.ts";
import { forgetInsights } from "../index.ts";

/** Monday, six in the morning in London. */
const MONDAY = "2026-11-23T06:00:00Z";
const NOON = "T12:00:00Z";

const watched = watchSites();

/** A site that lost two thirds of its visits by mail, and with them 40 % of all. */
async function shop(timezone = "UTC"): Promise<string> {
	watched.app.clock.set("2026-11-22T20:00:00Z");
	const site = await watched.site(timezone);
	await watched.store([
		...visitsOn(site, `2026-11-23${NOON}`, 14, 120, { channel: "Direct", utm_source: "(direct)" }),
		...visitsOn(site, `2026-11-23${NOON}`, 7, 60, { channel: "Email", utm_source: "news" }),
		...visitsOn(site, `2026-11-16${NOON}`, 7, 180, { channel: "Email", utm_source: "news" }),
	]);
	return site;
}
const titles = (insights: { title: string }[]) => insights.map(({ title }) => title);
const mark = (site: string, id: string, how: string) =>
	watched.call("PATCH", `/lens/insights/${id}/${how}?account_id=${site}`);

test("what rules find is told with its evidence, the worst first", async () => {
	const site = await shop();
	await lookAt(watched, MONDAY);
	const insights = await insightsOf(watched, site);
	assert.deepEqual(titles(insights), ["Visits fell by 40 %", "Email: 66.7 % fewer visits"]);
	const [{ id, created_at, expires_at, ...drop }, email] = insights;
	assert.match(id, /^[0-9a-f-]{36}$/);
	assert.equal(Date.parse(expires_at) - Date.parse(created_at), 30 * DAY);
	assert.deepEqual(drop, {
		account_id: site,
		insight_type: "anomaly",
		severity: "red",
		category: "traffic",
		title: "Visits fell by 40 %",
		description: "Visits: 1,260 in the last 7 days, 2,100 in the 7 before.",
		recommendation:
			"See which sources and landing pages lost visits. When all of them did, check that every page still has the snippet.",
		economic_impact: null,
		source_tool: "overview",
		source_rule: "traffic_drop",
		related_entity: null,
		deep_link: `/sites/${site}/why?from=2026-11-16&to=2026-11-22&metric=entrances`,
		metadata: { is_open: true, last_found_on: "2026-11-22", currency: "EUR" },
		read_at: null,
		dismissed_at: null,
		is_read: false,
		is_dismissed: false,
		is_locked: false,
		locked_tier: null,
		evidence: {
			unit: "count",
			current_value: 1260,
			current_interval: { low: 1192.32, high: 1331.52 },
			baseline_value: 2100,
			baseline_interval: { low: 2012.08, high: 2191.76 },
			change_percentage: -40,
			threshold: 20,
			confidence: "high",
			days_with_data: 14,
			events: 3360,
			conversions: null,
			compared_with: null,
			period: { start: "2026-11-16", end: "2026-11-22" },
			baseline_period: { start: "2026-11-09", end: "2026-11-15" },
		},
	});
	assert.equal(email.severity, "red");
	assert.equal(
		email.deep_link,
		`/sites/${site}/why?from=2026-11-16&to=2026-11-22&metric=entrances&f=channel_group%3Aeq%3AEmail`,
	);
	assert.deepEqual(await watched.call("GET", `/lens/insights/${id}?account_id=${site}`), insights[0]);
});

test("an insight that lasts is one: it is brought up to date, and ends when it was not found for a week", async () => {
	const site = await shop();
	await lookAt(watched, MONDAY);
	const [first] = await insightsOf(watched, site);
	await watched.store(visitsOn(site, `2026-12-12${NOON}`, 19, 180, { channel: "Direct" }));
	await lookAt(watched, "2026-11-24T06:00:00Z");
	const [again, ...others] = await insightsOf(watched, site, "&insight_type=anomaly&severity=red");
	assert.equal(again.id, first.id);
	assert.equal(others.filter(({ source_rule }: { source_rule: string }) => source_rule === "traffic_drop").length, 0);
	assert.equal(again.metadata.last_found_on, "2026-11-23");
	for (const day of [26, 28]) await lookAt(watched, `2026-11-${day}T06:00:00Z`);
	const open = async () =>
		(await watched.call("GET", `/lens/insights/${first.id}?account_id=${site}`)).metadata.is_open;
	assert.equal(await open(), true);
	await lookAt(watched, "2026-12-09T06:00:00Z");
	assert.equal(await open(), false);
	await lookAt(watched, "2026-12-23T06:00:01Z");
	const gone = await watched.ask("GET", `/lens/insights/${first.id}?account_id=${site}`);
	assert.equal(gone.statusCode, 404, "after 30 days");
});

test("reading, putting away and what people think of it are noted; what was put away does not come back", async () => {
	const site = await shop();
	await lookAt(watched, MONDAY);
	const [drop] = await insightsOf(watched, site);
	const summary = () => watched.call("GET", `/lens/insights/summary?account_id=${site}`);
	const counts = { total_count: 2, unread_count: 2, red_count: 2, yellow_count: 0, green_count: 0 };
	assert.deepEqual(await summary(), { ...counts, has_critical: true });
	assert.equal((await mark(site, drop.id, "read")).is_read, true);
	assert.deepEqual(titles(await insightsOf(watched, site, "&unread=true")), ["Email: 66.7 % fewer visits"]);
	assert.equal((await summary()).unread_count, 1);
	assert.equal((await mark(site, drop.id, "unread")).read_at, null);
	const feedback = `/lens/insights/${drop.id}/feedback?account_id=${site}`;
	assert.deepEqual(await watched.call("POST", feedback, { feedback_type: "helpful" }), { success: true });
	await watched.call("POST", feedback, { feedback_type: "already_known", comment: "a sale ended" });
	const { rows } = await watched.app.metadata
		.withTables<{ lens_feedback: { rule: string; feedback_type: string; comment: string | null; site_id: string } }>()
		.selectFrom("lens_feedback")
		.select(["rule", "feedback_type", "comment"])
		.where("site_id", "=", site)
		.execute()
		.then((found) => ({ rows: found }));
	assert.deepEqual(rows, [{ rule: "traffic_drop", feedback_type: "already_known", comment: "a sale ended" }]);
	assert.equal((await mark(site, drop.id, "dismiss")).is_dismissed, true);
	await lookAt(watched, "2026-11-24T06:00:00Z");
	const left = await insightsOf(watched, site);
	assert.ok(!left.some(({ source_rule }: { source_rule: string }) => source_rule === "traffic_drop"));
	assert.equal((await insightsOf(watched, site, "&include_dismissed=true")).length, left.length + 1);
	const refused = await watched.ask("POST", feedback, { feedback_type: "great" });
	assert.equal(refused.json().error.detail[0].field, "body.feedback_type");
});

test("insights are grouped by rule, type, or the value that they are about", async () => {
	const site = await shop();
	await lookAt(watched, MONDAY);
	const groups = async (by: string) =>
		(await watched.call("GET", `/lens/insights/grouped?account_id=${site}&group_by=${by}`)).groups.map(
			(group: Record<string, unknown>) => [group["group_key"], group["group_title"], group["insight_count"]],
		);
	assert.deepEqual(await groups("source_rule"), [
		["channel_drop", "Channels with fewer visits", 1],
		["traffic_drop", "Fewer visits", 1],
	]);
	assert.deepEqual(await groups("insight_type"), [["anomaly", "anomaly", 2]]);
	const { name } = (await watched.call("GET", `/sites/${site}`)).data;
	assert.deepEqual(await groups("related_entity"), [
		["", name, 1],
		["Email", "Email", 1],
	]);
});

test("texts are in the language of the user", async () => {
	const site = await shop();
	await lookAt(watched, MONDAY);
	await watched.call("PATCH", "/users/me/preferences", { language: "es" });
	const insights = await insightsOf(watched, site);
	await watched.call("PATCH", "/users/me/preferences", { language: "en" });
	assert.deepEqual(titles(insights), ["Las visitas bajaron un 40 %", "Email: 66,7 % menos de visitas"]);
});

test("when nothing arrives any more, that alone is told", async () => {
	watched.app.clock.set("2026-11-22T20:00:00Z");
	const [silent, slow] = [await watched.site(), await watched.site()];
	await watched.store([
		...visitsOn(silent, `2026-11-21${NOON}`, 14, 60),
		...visitsOn(slow, `2026-11-21${NOON}`, 14, 30),
	]);
	await lookAt(watched, MONDAY);
	assert.deepEqual(titles(await insightsOf(watched, silent)), ["No hits for 24 hours"]);
	assert.ok(!titles(await insightsOf(watched, slow)).includes("No hits for 24 hours"));
});

test("days that are deleted take the insights and reports along that rest on them", async () => {
	const site = await shop();
	await lookAt(watched, MONDAY);
	const forget = (from: string, to: string) =>
		forgetInsights(watched.app, {
			site: { id: site, timezone: "UTC" },
			days: { from, to, until: watched.app.clock.now() },
		});
	const left = async () => [
		(await insightsOf(watched, site)).length,
		(await watched.call("GET", `/lens/reports?account_id=${site}`)).total,
	];
	assert.deepEqual(await left(), [2, 1]);
	await forget("2026-11-01", "2026-11-08");
	assert.deepEqual(await left(), [2, 1]);
	await forget("2026-11-09", "2026-11-09");
	assert.deepEqual(await left(), [0, 0]);
});
