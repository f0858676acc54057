import assert from "node:assert/strict";
import { test } from "node:test";
import { lookAt, visitsOn } from "../../../../../test/support/lens.ts";
import { watchSites } from "../../../../../test/support/watched-sites.ts";

const watched = watchSites();

const NOON = "T12:00:00Z";
const sales = { page_view: 0, entrance: 0, engaged: 0, kind: "conversion" } as const;

/** Two weeks: visits fall from 2,100 to 1,260, orders from 70 of 50 to 56 of 50. */
async function shop(): Promise<string> {
	watched.app.clock.set("2026-11-22T12:00:00Z");
	const site = await watched.site();
	const mail = { channel: "Email", country: "ES", device: "mobile" } as const;
	await watched.store([
		...visitsOn(site, `2026-11-23${NOON}`, 14, 120, { channel: "Direct", country: "MX" }),
		...visitsOn(site, `2026-11-23${NOON}`, 7, 60, mail),
		...visitsOn(site, `2026-11-16${NOON}`, 7, 180, mail),
		...visitsOn(site, `2026-11-23${NOON}`, 7, 0, { ...sales, channel: "Direct", conversion: 8, revenue: 400 }),
		...visitsOn(site, `2026-11-16${NOON}`, 7, 0, { ...sales, channel: "Email", conversion: 10, revenue: 500 }),
	]);
	return site;
}

test("a report of the week is made on Monday, with figures, channels, funnel, audience, insights and what to do", async () => {
	const site = await shop();
	const none = await watched.ask("GET", `/lens/reports/latest/weekly?account_id=${site}`);
	assert.equal(none.statusCode, 404);
	await lookAt(watched, "2026-11-23T06:00:00Z");
	await lookAt(watched, "2026-11-23T07:00:00Z");
	const list = await watched.call("GET", `/lens/reports?account_id=${site}&report_type=weekly`);
	const [{ id, created_at: _, ...listed }] = list.reports;
	assert.equal(list.total, 1);
	assert.deepEqual(listed, {
		report_type: "weekly",
		period_start: "2026-11-16",
		period_end: "2026-11-22",
		period_label: "16\u2009–\u200922 November 2026",
		status: "completed",
		view_count: 0,
		revenue: 2800,
		revenue_change: -20,
		conversions: 56,
		insight_count: 5,
	});
	const report = await watched.call("GET", `/lens/reports/${id}?account_id=${site}`);
	assert.equal(report.view_count, 1);
	assert.deepEqual(report.key_metrics.entrances, {
		current: 1260,
		previous: 2100,
		change_pct: -40,
		change_abs: -840,
		trend: "down",
		unit: "count",
	});
	assert.deepEqual(report.key_metrics.aov, {
		current: 50,
		previous: 50,
		change_pct: 0,
		change_abs: 0,
		trend: "flat",
		unit: "currency",
	});
	assert.deepEqual(report.channel_performance, {
		channels: [
			{
				channel: "Direct",
				revenue: 2800,
				conversions: 56,
				entrances: 840,
				conversion_rate: 6.67,
				revenue_share: 100,
				change_pct: 0,
				trend: "flat",
				recommendation: null,
			},
			{
				channel: "Email",
				revenue: 0,
				conversions: 0,
				entrances: 420,
				conversion_rate: 0,
				revenue_share: 0,
				change_pct: -66.67,
				trend: "down",
				recommendation: "Check what changed in Email: budgets, rankings, links, tagging.",
			},
		],
		top_performer: "Direct",
		biggest_decline: "Email",
		total_revenue: 2800,
	});
	assert.deepEqual(report.funnel_health, {
		steps: [
			{ name: "Visits", count: 1260, drop_off_pct: 0, vs_previous: null },
			{ name: "Visits with a second page", count: 630, drop_off_pct: 50, vs_previous: 0 },
			{ name: "Conversions", count: 56, drop_off_pct: 91.11, vs_previous: -2.22 },
		],
		overall_conversion_rate: 4.44,
		vs_previous: 1.11,
		biggest_leak: "Conversions",
		recommendation: 'Look at the pages before "Conversions": what people expect there, and what holds them up.',
	});
	assert.deepEqual(report.audience_insights.countries, [
		{ value: "MX", share: 66.67, change: 26.67 },
		{ value: "ES", share: 33.33, change: -26.67 },
	]);
	assert.equal(
		report.audience_insights.shifts.find(({ dimension }: { dimension: string }) => dimension === "country").description,
		"Mexico: 66.7 % of the visits, 40 % before",
	);
	const { red, yellow, green, ...worth } = report.top_insights;
	assert.deepEqual(
		[red, yellow, green].map((list) => list.map(({ title }: { title: string }) => title)),
		[
			["Visits fell by 40 %", "Email: 66.7 % fewer visits", "Spain: 33.3 % of the visits, 60 % before"],
			["mobile converts at less than half the rate of desktop"],
			["Mexico: 66.7 % of the visits, 40 % before"],
		],
	);
	assert.equal(worth.insight_count, 5);
	assert.equal(report.action_items[0].priority, "high");
	assert.equal(
		report.executive_summary,
		"Visits: 1,260, 40 % less than before. Conversions: 56, 20 % less than before. Revenue: 2,800.00 EUR, 20 % less than before. 4 insights want attention.",
	);
});

test("a report that is asked for again keeps its id, and one whose period has not ended is refused", async () => {
	const site = await shop();
	watched.app.clock.set("2026-11-24T09:00:00Z");
	const generate = (body: object) => watched.ask("POST", `/lens/reports/generate?account_id=${site}`, body);
	const first = (await generate({ report_type: "weekly", period_end: "2026-11-20" })).json();
	assert.deepEqual(
		[first.period_start, first.period_end, first.key_metrics.entrances.current, first.key_metrics.entrances.previous],
		["2026-11-14", "2026-11-20", 5 * 180 + 2 * 300, 5 * 300],
	);
	assert.equal((await generate({ report_type: "weekly", period_end: "2026-11-20" })).json().id, first.id);
	const month = (await generate({ report_type: "monthly" })).json();
	assert.deepEqual(
		[month.period_start, month.period_end, month.period_label],
		["2026-10-01", "2026-10-31", "October 2026"],
	);
	assert.equal(month.executive_summary, "Nothing was counted in this period.");
	for (const [body, message] of [
		[{ report_type: "weekly", period_end: "2026-11-24" }, "Must be a day that has ended"],
		[{ report_type: "monthly", period_end: "2026-11-01" }, "Must be a day of a month that has ended"],
	] as const) {
		const refused = await generate(body);
		assert.equal(refused.statusCode, 422);
		const [{ field, message: told }] = refused.json().error.detail;
		assert.deepEqual([field, told], ["body.period_end", message]);
	}
	assert.equal((await generate({ report_type: "weekly", period_end: "2026-02-30" })).statusCode, 422);
});

test("the month is told on its first day, and a site without visits gets no report", async () => {
	const [busy, empty] = [await shop(), await watched.site()];
	await lookAt(watched, "2026-12-01T06:00:00Z");
	const types = async (site: string) =>
		(await watched.call("GET", `/lens/reports?account_id=${site}`)).reports.map(
			({ report_type: type, period_label: label }: Record<string, string>) => `${type} ${label}`,
		);
	assert.deepEqual(await types(busy), ["monthly November 2026", "weekly 23\u2009–\u200929 November 2026"]);
	assert.deepEqual(await types(empty), []);
});
