import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { letAgree } from "../../../../test/support/agreed-recipients.ts";
import { finishDeletions, removeFilesAtOnce } from "../../../../test/support/deletions.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { mailsTo } from "../../../../test/support/mail-reports.ts";
import { DAY, runJobAt, watchSites } from "../../../../test/support/watched-sites.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";

/** Monday, six in the morning in London. */
const MONDAY = "2026-11-23T06:00:00Z";
const owner = "ann@example.com";

/** The site of each question to the event store. */
const questions: unknown[] = [];
const watched = watchSites({
	wrapEventStore: (store) => ({
		...store,
		query: (query) => {
			questions.push(query.params?.["site"]);
			return store.query(query);
		},
	}),
});

// The sites of one test would be looked at in all further ones.
afterEach(() => watched.app.metadata.withTables<Tables>().updateTable("sites").set({ is_active: 0 }).execute());

/** So many visits on each of some days before noon of a day, half of them with a second page: one row a day. */
const visitsOn = (site: string, day: string, days: number, each: number, values: Partial<EventRow> = {}): EventRow[] =>
	Array.from({ length: days }, (_, index) => {
		const ts = Date.parse(`${day}T12:00:00Z`) - (index + 1) * DAY;
		return pageviewRow({ site, ts, entrance: each, engaged: each / 2, page_view: each * 2, ...values });
	});
/** Lets the sites whose morning has come be looked at, as at a moment. */
const lookAt = (moment: string) => runJobAt(watched.app, "lens-mornings", moment);
const get = (site: string, path: string) =>
	watched.call("GET", `/lens/${path}${path.includes("?") ? "&" : "?"}account_id=${site}`);
const insightsOf = async (site: string, query = "") => (await get(site, `insights${query}`)).insights;
const shown = (list: readonly Readonly<Record<string, unknown>>[], ...fields: readonly string[]) =>
	list.map((one) => fields.map((field) => one[field]).join(", "));
const titles = (insights: Parameters<typeof shown>[0]) => shown(insights, "title");
const nameOf = async (site: string): Promise<string> => (await watched.call("GET", `/sites/${site}`)).data.name;

const whyOf = (site: string) => `/sites/${site}/why?from=2026-11-16&to=2026-11-22&metric=entrances`;

/** A new site on a Sunday. */
function newSite(timezone?: string): Promise<string> {
	watched.app.clock.set("2026-11-22T12:00:00Z");
	return watched.site(timezone);
}

/** A site that lost two thirds of its visits by mail, and with them 40 % of all. */
async function shop(direct: Partial<EventRow> = {}, byMail: Partial<EventRow> = {}): Promise<string> {
	const site = await newSite();
	const mail = { channel: "Email", utm_source: "news", ...byMail };
	await watched.store([
		...visitsOn(site, "2026-11-23", 14, 120, { channel: "Direct", utm_source: "(direct)", ...direct }),
		...visitsOn(site, "2026-11-23", 7, 60, mail),
		...visitsOn(site, "2026-11-16", 7, 180, mail),
	]);
	return site;
}

/** The same without channels, and with settings. */
async function fallenSite(settings?: object, timezone?: string): Promise<string> {
	const site = await newSite(timezone);
	if (settings !== undefined) await watched.call("PATCH", `/lens/settings?account_id=${site}`, settings);
	await watched.store([...visitsOn(site, "2026-11-23", 7, 180), ...visitsOn(site, "2026-11-16", 7, 300)]);
	return site;
}

test("insights are told with their evidence, the worst first or in groups, in the language of the user", async () => {
	const site = await shop();
	await lookAt(MONDAY);
	const insights = await insightsOf(site);
	assert.deepEqual(titles(insights), ["Visits fell by 40 %", "Email: 66.7 % fewer visits"]);
	const [drop, email] = insights;
	assert.partialDeepStrictEqual(drop, {
		...{ insight_type: "anomaly", severity: "red", category: "traffic", source_rule: "traffic_drop" },
		...{ description: "Visits: 1,260 in the last 7 days, 2,100 in the 7 before.", related_entity: null },
		...{ deep_link: whyOf(site), metadata: { is_open: true, last_found_on: "2026-11-22", currency: "EUR" } },
	});
	assert.deepEqual([email.severity, email.deep_link], ["red", `${whyOf(site)}&f=channel_group%3Aeq%3AEmail`]);
	assert.deepEqual(drop.evidence, {
		...{ unit: "count", current_value: 1260, baseline_value: 2100, change_percentage: -40, threshold: 20 },
		current_interval: { low: 1192.32, high: 1331.52 },
		baseline_interval: { low: 2012.08, high: 2191.76 },
		...{ confidence: "high", days_with_data: 14, events: 3360, conversions: null, compared_with: null },
		period: { start: "2026-11-16", end: "2026-11-22" },
		baseline_period: { start: "2026-11-09", end: "2026-11-15" },
	});
	assert.deepEqual(await get(site, `insights/${drop.id}`), drop);
	for (const [by, ...groups] of [
		["source_rule", "channel_drop, Channels with fewer visits, 1", "traffic_drop, Fewer visits, 1"],
		["insight_type", "anomaly, anomaly, 2"],
		["related_entity", `, ${await nameOf(site)}, 1`, "Email, Email, 1"],
	]) {
		const grouped = await get(site, `insights/grouped?group_by=${by}`);
		assert.deepEqual(shown(grouped.groups, "group_key", "group_title", "insight_count"), groups);
	}
	await watched.call("PATCH", "/users/me/preferences", { language: "es" });
	const spanish = ["Las visitas bajaron un 40 %", "Email: 66,7 % menos de visitas"];
	assert.deepEqual(titles(await insightsOf(site)), spanish);
	await watched.call("PATCH", "/users/me/preferences", { language: "en" });
});

test("an insight that lasts is one: it is brought up to date, and ends when it was not found for a week", async () => {
	const site = await shop();
	await lookAt(MONDAY);
	const [first] = await insightsOf(site);
	await watched.store(visitsOn(site, "2026-12-12", 19, 180, { channel: "Direct" }));
	await lookAt("2026-11-24T06:00:00Z");
	const drops = (await insightsOf(site)).filter((one: { source_rule: string }) => one.source_rule === "traffic_drop");
	assert.deepEqual([drops.length, drops[0].id, drops[0].metadata.last_found_on], [1, first.id, "2026-11-23"]);
	const open = async () => (await get(site, `insights/${first.id}`)).metadata.is_open;
	for (const day of [26, 28]) await lookAt(`2026-11-${day}T06:00:00Z`);
	assert.equal(await open(), true);
	await lookAt("2026-12-09T06:00:00Z");
	assert.equal(await open(), false);
	await lookAt("2026-12-23T06:00:01Z");
	const gone = await watched.ask("GET", `/lens/insights/${first.id}?account_id=${site}`);
	assert.equal(gone.statusCode, 404, "after 30 days");
});

test("reading, putting away and what people think of it are noted; what was put away does not come back", async () => {
	const site = await shop();
	await lookAt(MONDAY);
	const [drop] = await insightsOf(site);
	const mark = (how: string) => watched.call("PATCH", `/lens/insights/${drop.id}/${how}?account_id=${site}`);
	const counts = { total_count: 2, unread_count: 2, red_count: 2, yellow_count: 0, green_count: 0 };
	assert.deepEqual(await get(site, "insights/summary"), { ...counts, has_critical: true });
	assert.equal((await mark("read")).is_read, true);
	assert.deepEqual(titles(await insightsOf(site, "?unread=true")), ["Email: 66.7 % fewer visits"]);
	assert.equal((await get(site, "insights/summary")).unread_count, 1);
	assert.equal((await mark("unread")).read_at, null);
	const feedback = `/lens/insights/${drop.id}/feedback?account_id=${site}`;
	await watched.call("POST", feedback, { feedback_type: "helpful" });
	await watched.call("POST", feedback, { feedback_type: "already_known", comment: "a sale ended" });
	const given = watched.app.metadata.withTables<Tables>().selectFrom("lens_feedback").where("site_id", "=", site);
	const noted = { rule: "traffic_drop", feedback_type: "already_known", comment: "a sale ended" };
	assert.deepEqual(await given.select(["rule", "feedback_type", "comment"]).execute(), [noted]);
	assert.equal((await mark("dismiss")).is_dismissed, true);
	await lookAt("2026-11-24T06:00:00Z");
	const left = await insightsOf(site);
	assert.ok(!left.some(({ source_rule }: { source_rule: string }) => source_rule === "traffic_drop"));
	assert.equal((await insightsOf(site, "?include_dismissed=true")).length, left.length + 1);
});

test("when nothing arrives any more, that alone is told", async () => {
	const site = await newSite();
	await watched.store(visitsOn(site, "2026-11-21", 14, 60));
	await lookAt(MONDAY);
	assert.deepEqual(titles(await insightsOf(site)), ["No hits for 24 hours"]);
});

test("days that are deleted take the insights and reports along that rest on them", async () => {
	await removeFilesAtOnce(watched.app);
	const site = await shop();
	await lookAt(MONDAY);
	const leftWithout = async (from: string, to: string) => {
		await watched.call("DELETE", `/sites/${site}/data`, { from, to, confirm: site });
		await finishDeletions(watched.app);
		return [(await insightsOf(site)).length, (await get(site, "reports")).total];
	};
	assert.deepEqual(await leftWithout("2026-11-01", "2026-11-08"), [2, 1]);
	assert.deepEqual(await leftWithout("2026-11-09", "2026-11-09"), [0, 0]);
});

/** Visits fall from 2,100 to 1,260, orders from 70 of 50 to 56 of 50. */
async function sellingShop(): Promise<string> {
	const site = await shop({ country: "MX" }, { country: "ES", device: "mobile" });
	const sale = { page_view: 0, entrance: 0, engaged: 0, kind: "conversion" } as const;
	await watched.store([
		...visitsOn(site, "2026-11-23", 7, 0, { ...sale, channel: "Direct", conversion: 8, revenue: 400 }),
		...visitsOn(site, "2026-11-16", 7, 0, { ...sale, channel: "Email", conversion: 10, revenue: 500 }),
	]);
	return site;
}

test("a report of the week is made on Monday, with figures, channels, funnel, audience, insights and what to do", async () => {
	const site = await sellingShop();
	assert.equal((await watched.ask("GET", `/lens/reports/latest/weekly?account_id=${site}`)).statusCode, 404);
	for (const hour of ["06", "07"]) await lookAt(`2026-11-23T${hour}:00:00Z`);
	const list = await get(site, "reports?report_type=weekly");
	const [{ id, created_at: _, ...listed }] = list.reports;
	assert.equal(list.total, 1);
	assert.deepEqual(listed, {
		...{ report_type: "weekly", period_start: "2026-11-16", period_end: "2026-11-22" },
		...{ period_label: "16\u2009–\u200922 November 2026", status: "completed", view_count: 0 },
		...{ revenue: 2800, revenue_change: -20, conversions: 56, insight_count: 5 },
	});
	const { view_count, key_metrics, action_items, ...report } = await get(site, `reports/${id}`);
	const entrances = { current: 1260, previous: 2100, change_pct: -40, change_abs: -840, trend: "down", unit: "count" };
	assert.deepEqual([view_count, key_metrics.entrances, action_items[0].priority], [1, entrances, "high"]);
	const recommendation = "Check what changed in Email: budgets, rankings, links, tagging.";
	assert.deepEqual(report.channel_performance, {
		...{ top_performer: "Direct", biggest_decline: "Email", total_revenue: 2800 },
		channels: [
			{
				...{ channel: "Direct", entrances: 840, change_pct: 0, trend: "flat", recommendation: null },
				...{ revenue: 2800, conversions: 56, conversion_rate: 6.67, revenue_share: 100 },
			},
			{
				...{ channel: "Email", entrances: 420, change_pct: -66.67, trend: "down", recommendation },
				...{ revenue: 0, conversions: 0, conversion_rate: 0, revenue_share: 0 },
			},
		],
	});
	const { recommendation: advice, ...funnel } = report.funnel_health;
	assert.deepEqual(funnel, {
		...{ overall_conversion_rate: 4.44, vs_previous: 1.11, biggest_leak: "Conversions" },
		steps: [
			{ name: "Visits", count: 1260, drop_off_pct: 0, vs_previous: null },
			{ name: "Visits with a second page", count: 630, drop_off_pct: 50, vs_previous: 0 },
			{ name: "Conversions", count: 56, drop_off_pct: 91.11, vs_previous: -2.22 },
		],
	});
	assert.match(advice, /^Look at the pages before "Conversions"/);
	const { countries, shifts } = report.audience_insights;
	assert.deepEqual(shown(countries, "value", "share", "change"), ["MX, 66.67, 26.67", "ES, 33.33, -26.67"]);
	const mexico = "Mexico: 66.7 % of the visits, 40 % before";
	assert.ok(shown(shifts, "dimension", "description").includes(`country, ${mexico}`));
	const { red, yellow, green } = report.top_insights;
	const spain = "Spain: 33.3 % of the visits, 60 % before";
	assert.deepEqual(titles(red), ["Visits fell by 40 %", "Email: 66.7 % fewer visits", spain]);
	assert.deepEqual(titles(yellow), [
		"Visits on phones convert at less than half the rate of those on desktop computers",
	]);
	assert.deepEqual(titles(green), [mexico]);
	assert.equal(
		report.executive_summary,
		"Visits: 1,260, 40 % less than before. Conversions: 56, 20 % less than before. Revenue: 2,800.00 EUR, 20 % less than before. 4 insights want attention.",
	);
});

test("a report that is asked for again keeps its id, and one whose period has not ended is refused", async () => {
	const site = await sellingShop();
	watched.app.clock.set("2026-11-24T09:00:00Z");
	const generate = (body: object) => watched.ask("POST", `/lens/reports/generate?account_id=${site}`, body);
	const week = { report_type: "weekly", period_end: "2026-11-20" };
	const first = (await generate(week)).json();
	const days = { period_start: "2026-11-14", period_end: "2026-11-20" };
	const entrances = { current: 5 * 180 + 2 * 300, previous: 5 * 300 };
	assert.partialDeepStrictEqual(first, { ...days, key_metrics: { entrances } });
	assert.equal((await generate(week)).json().id, first.id);
	assert.partialDeepStrictEqual((await generate({ report_type: "monthly" })).json(), {
		...{ period_start: "2026-10-01", period_end: "2026-10-31", period_label: "October 2026" },
		executive_summary: "Nothing was counted in this period.",
	});
	for (const [report_type, period_end, expected] of [
		["weekly", "2026-11-24", "Must be a day that has ended"],
		["monthly", "2026-11-01", "Must be a day of a month that has ended"],
	] as const) {
		const [{ field, message }] = (await generate({ report_type, period_end })).json().error.detail;
		assert.deepEqual([field, message], ["body.period_end", expected]);
	}
	assert.equal((await generate({ ...week, period_end: "2026-02-30" })).statusCode, 422);
});

test("the month is told on its first day, and a site without visits gets no report, which takes three questions", async () => {
	const [busy, empty] = [await shop(), await newSite()];
	await lookAt("2026-12-01T06:00:00Z");
	const labels = async (site: string) => shown((await get(site, "reports")).reports, "period_label");
	assert.deepEqual(await labels(busy), ["November 2026", "23\u2009–\u200929 November 2026"]);
	assert.deepEqual(await labels(empty), []);
	// One for insights, one for the week and one for the month.
	assert.equal(questions.filter((site) => site === empty).length, 3);
});

const digests = async (to: string, site: string) => {
	const name = await nameOf(site);
	return (await mailsTo(watched.app, to)).filter(({ subject }) => subject.startsWith(`${name}:`));
};

test("a red insight is mailed to the owners, once, with a way to it", async () => {
	const site = await fallenSite();
	for (const hour of ["06", "18"]) await lookAt(`2026-11-23T${hour}:00:00Z`);
	const [mail, ...others] = await digests(owner, site);
	assert.deepEqual([mail?.subject, others], [`${await nameOf(site)}: Visits fell by 40 %`, []]);
	assert.ok(mail?.text.includes("Visits: 1,260 in the last 7 days, 2,100 in the 7 before."));
	assert.ok(mail?.links.some((link) => link.endsWith(whyOf(site))));
	await watched.store(visitsOn(site, "2026-11-24", 1, 180));
	await lookAt("2026-11-24T06:00:00Z");
	assert.equal((await digests(owner, site)).length, 1, "what lasts is not told again");
});

test("an insight that gets worse is unread again and mailed", async () => {
	const site = await newSite();
	await watched.store([...visitsOn(site, "2026-11-16", 7, 300), ...visitsOn(site, "2026-11-23", 7, 234)]);
	await lookAt(MONDAY);
	const [mild] = await insightsOf(site);
	assert.deepEqual([mild.severity, (await digests(owner, site)).length], ["yellow", 0]);
	await watched.call("PATCH", `/lens/insights/${mild.id}/read?account_id=${site}`);
	await watched.store(visitsOn(site, "2026-11-26", 3, 20));
	await lookAt("2026-11-26T06:00:00Z");
	const { severity, is_read: isRead } = await get(site, `insights/${mild.id}`);
	assert.deepEqual([severity, isRead, (await digests(owner, site)).length], ["red", false, 1]);
});

test("recipients who unsubscribed, or never agreed, get no insight; yellow ones are mailed only where the settings ask for it", async () => {
	const [agreed, left, stranger, curious] = ["yes@a.example", "left@a.example", "new@a.example", "all@a.example"];
	const site = await fallenSite({ email_recipients: [agreed, left, stranger] });
	await letAgree(watched.app, site, [agreed, left]);
	await lookAt(MONDAY);
	const sent = () =>
		Promise.all([agreed, left, stranger, owner].map(async (email) => (await digests(email, site)).length));
	// The insight, and the report of the week.
	assert.deepEqual(await sent(), [2, 2, 0, 0]);
	const [mail] = await digests(left, site);
	const out = mail?.links.find((one) => one.includes("/mail-reports/unsubscribe")) ?? "";
	const url = out.slice(out.indexOf("/mail-reports"));
	const headers = { "content-type": "application/x-www-form-urlencoded" };
	assert.equal((await watched.app.inject({ method: "POST", url, headers, payload: "" })).statusCode, 200);
	await watched.store(visitsOn(site, "2026-11-30", 7, 140));
	await lookAt("2026-11-30T06:00:00Z");
	assert.deepEqual(await sent(), [3, 2, 0, 0], "the report of the next week; a fall of 22 % is yellow");

	const wishing = await fallenSite({ notify_on_yellow: true, notify_on_red: false, email_recipients: [curious] });
	await letAgree(watched.app, wishing, [curious]);
	await watched.store(visitsOn(wishing, "2026-11-23", 7, 50));
	await lookAt(MONDAY);
	const mails = await digests(curious, wishing);
	const subjects = mails.map(({ subject }) => subject.replace(/^[^:]*: /, "")).sort();
	assert.deepEqual(subjects, ["Visits fell by 23.3 %", "weekly report, 1,610 visits, 16 – 22 Nov 2026"]);
	const report = mails.find(({ subject }) => subject.includes("weekly report"));
	assert.match(report?.text ?? "", /^1,610 visits, 23.3 % fewer than the week before\.$/m);
});

test("sites are looked at at six of their own clock; a morning that was missed is made up for once", async () => {
	const site = await fallenSite(undefined, "Asia/Tokyo");
	await lookAt("2026-11-22T20:59:00Z");
	assert.equal((await insightsOf(site)).length, 0);
	await lookAt("2026-11-22T21:00:00Z");
	assert.equal((await insightsOf(site)).length, 1);
	const late = await fallenSite();
	await lookAt("2026-11-25T23:00:00Z");
	const [insight] = await insightsOf(late);
	assert.equal(insight.metadata.last_found_on, "2026-11-24", "as of Wednesday's morning");
});

test("a site is looked at as often as its settings say, or not at all", async () => {
	const settings = [{ is_enabled: false }, { analysis_frequency: "manual" }, { analysis_frequency: "weekly" }];
	const sites = await Array.fromAsync(settings, (one) => fallenSite(one));
	const counts = async (site: string) => `${(await insightsOf(site)).length} ${(await get(site, "reports")).total}`;
	await lookAt(MONDAY);
	assert.deepEqual(await Promise.all(sites.map(counts)), ["0 0", "0 0", "1 1"]);
	await lookAt("2026-11-25T06:00:00Z");
	const [, manual = "", weekly = ""] = sites;
	const [insight] = await insightsOf(weekly);
	assert.equal(insight.metadata.last_found_on, "2026-11-22", "next on Monday");
	await watched.call("POST", `/lens/reports/generate?account_id=${manual}`, { report_type: "weekly" });
	assert.equal((await insightsOf(manual)).length, 1, "who asks for a report asks for a look");
});

test("settings have their defaults, and change by parts", async () => {
	const site = await newSite();
	const url = `/lens/settings?account_id=${site}`;
	const { data: usual } = await watched.call("GET", url);
	assert.deepEqual(usual, {
		...{ account_id: site, is_enabled: true, analysis_frequency: "daily", email_recipients: [] },
		...{ notify_email: true, notify_on_red: true, notify_on_yellow: false, notify_on_green: false },
		...{ created_at: null, updated_at: null },
	});
	const { data } = await watched.call("PATCH", url, { notify_on_green: true, email_recipients: ["A@b.example"] });
	const [created_at, updated_at] = ["2026-11-22T12:00:00.000Z", "2026-11-22T12:00:00.000Z"];
	const changes = { notify_on_green: true, email_recipients: ["a@b.example"] };
	assert.deepEqual(data, { ...usual, ...changes, created_at, updated_at });
});
