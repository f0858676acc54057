import assert from "node:assert/strict";
import { test } from "node:test";
import { sendHit } from "../../../../test/support/hits.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { DAY, HOUR, MINUTE, steadyHours, views, watchSites } from "../../../../test/support/watched-sites.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";

const START = Date.parse("2026-11-22T12:00:00.000Z");
const MIDNIGHT = Date.parse("2026-11-22T00:00:00.000Z");
const above = { condition_type: "absolute_threshold", threshold_value: 5 };
const goal = { ...above, alert_type: "goal_reached", custom_condition: { period: "day" } };

let isAway = false;
const watched = watchSites({
	wrapEventStore: (store) => ({
		...store,
		insert: (rows) => {
			if (isAway) throw new ServiceError("database_unavailable");
			return store.insert(rows);
		},
	}),
});

const types = (site: string) => watched.events(site).map(({ type }) => type);
const change = (site: string, rule: number | undefined, body: object) =>
	watched.call("PATCH", `/alerts/rules/${rule}?account_id=${site}`, body);
/** Four visitors, one after the other. */
const sendHits = async (site: string, first: object = {}) => {
	for (let visitor = 0; visitor < 4; visitor++) {
		const hit = { site, url: "https://shop.example/", ip: `203.0.113.${visitor}` };
		await sendHit(watched.app, visitor === 0 ? { ...hit, ...first } : hit);
	}
};

test("a drop opens one incident, which is resolved when the condition was false for one full window", async () => {
	const { store, lookOften, history, state } = watched;
	const site = await watched.site();
	const id = await watched.rule(site, { alert_type: "traffic_drop" });
	await store([
		...steadyHours(site, START, 8 * 24, 12),
		...views(site, START, START + HOUR, 4),
		...views(site, START + HOUR, START + 4 * HOUR, 36),
	]);
	// The hour until 12:40 has 7 views, 4 of the hour before and 3 of this one; the hour until 12:41 has one less.
	await lookOften(START, START + 40 * MINUTE, 10 * MINUTE);
	assert.deepEqual([await state(site, id), types(site)], ["ok", []]);
	await lookOften(START + 41 * MINUTE, START + 65 * MINUTE, 6 * MINUTE);
	assert.deepEqual([await state(site, id), types(site)], ["firing", ["alert.triggered"]]);
	const [alert, ...others] = await history(site);
	const found = { status: "active", baseline_value: 12, change_percentage: -50, severity: "warning", current_value: 6 };
	assert.deepEqual(others, []);
	assert.partialDeepStrictEqual(alert, found);
	await lookOften(START + 70 * MINUTE, START + 150 * MINUTE, 5 * MINUTE);
	assert.deepEqual([await state(site, id), types(site)], ["ok", ["alert.triggered", "alert.resolved"]]);
	assert.equal((await history(site))[0]?.status, "resolved");
});

test("an incident that fires again before a full calm window stays open, and calm counts anew", async () => {
	const site = await watched.site();
	const id = await watched.rule(site, { ...above, comparison_window: "15m" });
	const [first, again] = [START, START + 31 * MINUTE];
	await watched.store([...views(site, first, first + 15 * MINUTE, 8), ...views(site, again, again + 14 * MINUTE, 8)]);
	for (const minute of [15, 31, 45, 61, 70]) await watched.look(START + minute * MINUTE);
	assert.deepEqual([await watched.state(site, id), types(site)], ["firing", ["alert.triggered"]]);
	await watched.look(START + 76 * MINUTE);
	assert.deepEqual(types(site), ["alert.triggered", "alert.resolved"]);
});

test("nothing fires for a site without traffic, nor before there are three windows to compare with; silence is found once", async () => {
	const { store, look, state } = watched;
	const site = await watched.site();
	const drop = await watched.rule(site, { alert_type: "traffic_drop" });
	const silent = await watched.rule(site, { ...above, threshold_direction: "decrease", threshold_value: 0 });
	const jump = await watched.rule(site, { condition_type: "rate_of_change" });
	const states = () => Promise.all([drop, silent, jump].map((id) => state(site, id)));
	await look(START);
	assert.deepEqual(await states(), ["insufficient_data", "insufficient_data", "insufficient_data"]);
	// Two windows of the same time of day, then silence that is no news yet for the one and real for the other.
	await store([
		...steadyHours(site, START, 50, 12),
		...views(site, START + DAY + 3 * HOUR, START + DAY + 5 * HOUR, 24),
	]);
	await look(START + 2 * HOUR);
	assert.deepEqual(await states(), ["insufficient_data", "firing", "insufficient_data"]);
	assert.deepEqual(types(site), ["alert.triggered"]);
	await look(START + DAY + 2 * HOUR);
	assert.deepEqual(await states(), ["firing", "firing", "insufficient_data"]);
	for (const hours of [4, 5]) await look(START + DAY + hours * HOUR);
	assert.deepEqual(types(site), ["alert.triggered", "alert.triggered", "alert.resolved", "alert.resolved"]);
});

test("windows keep to the clock of the site when summer time begins", async () => {
	const site = await watched.site("Europe/Madrid");
	const id = await watched.rule(site, { alert_type: "custom", threshold_value: 1 });
	// Visitors come from 9:00 to 10:00 of their clock: 08:00 UTC until 28 March 2026, 07:00 from the 29th on.
	const days = [24, 25, 26, 27, 28, 29, 30, 31].map((day) => Date.parse(`2026-03-${day}T0${day < 29 ? 8 : 7}:00:00Z`));
	await watched.store(days.flatMap((from) => views(site, from, from + HOUR, 10)));
	for (const from of days.slice(5)) await watched.look(from + HOUR);
	assert.deepEqual([await watched.state(site, id), await watched.history(site)], ["ok", []]);
});

test("a rule that is switched off, removed or of an inactive site is not looked at, ends its incident, and leaves its history", async () => {
	const { call, store, look, history } = watched;
	const [site, still] = [await watched.site(), await watched.site()];
	const ids = await Array.fromAsync(["Off", "Gone", "Never"], (name) => watched.rule(site, { ...above, name }));
	await watched.rule(still, above);
	await store([...views(site, START, START + HOUR, 5), ...views(still, START, START + HOUR, 5)]);
	await call("PATCH", `/sites/${still}`, { is_active: false });
	await change(site, ids[2], { is_active: false });
	await look(START + HOUR);
	await change(site, ids[0], { is_active: false });
	await call("DELETE", `/alerts/rules/${ids[1]}?account_id=${site}`);
	await watched.app.jobs.runDue();
	const found = (await history(site)).map(({ rule_name, status }) => `${rule_name}: ${status}`);
	assert.deepEqual(found, ["Gone: resolved", "Off: resolved"]);
	assert.deepEqual(types(site), ["alert.triggered", "alert.triggered", "alert.resolved", "alert.resolved"]);
	assert.deepEqual(await history(still), []);
});

test("sources, conversions and filters are measured as the rule says", async () => {
	const { store, look, state } = watched;
	const site = await watched.site();
	const custom = (custom_condition: object) => ({ alert_type: "custom", metric: "custom", custom_condition });
	const google = { alert_type: "source_change", custom_condition: { utm_source: "google" } };
	const sales = custom({ metric: "revenue", conversion_type: "purchase" });
	const pages = custom({ metric: "page_views", filters: "path:eq:/a%2Cb" });
	const rate = { metric: "conversion_rate" };
	// Each measure with a threshold that it just reaches, and with one that it does not.
	const rules = [
		...[3, 4].map((threshold_value) => ({ ...google, threshold_value })),
		...[30.5, 30.6].map((threshold_value) => ({ ...sales, threshold_value })),
		...[2, 3].map((threshold_value) => ({ ...pages, threshold_value })),
		...[40, 40.1].map((threshold_value) => ({ ...rate, threshold_value })),
	];
	const ids = await Array.fromAsync(rules, (rule) => watched.rule(site, { ...above, ...rule }));
	const sale = { page_view: 0, conversion: 1, kind: "conversion", event_type: "purchase", revenue: 15.25 } as const;
	await store([
		...views(site, START, START + HOUR, 3, { entrance: 1, utm_source: "google" }),
		...views(site, START, START + HOUR, 2, { entrance: 1, utm_source: "bing", path: "/a,b" }),
		...views(site, START, START + HOUR, 2, sale),
		...views(site, START, START + HOUR, 1, { ...sale, event_type: "refund", conversion: 0, revenue: 7 }),
	]);
	await look(START + HOUR);
	const states = await Promise.all(ids.map((id) => state(site, id)));
	assert.deepEqual(states, ["firing", "ok", "firing", "ok", "firing", "ok", "firing", "ok"]);
});

const reached = (site: string) =>
	watched
		.events(site)
		.flatMap((event) => (event.type === "goal.reached" ? [[event.data.period_start, event.data.current_value]] : []));
const lateHits = (site: string, count = 5) =>
	watched.store(views(site, MIDNIGHT - MINUTE, MIDNIGHT, count, { date: "2026-11-21" }));

test("a pause over midnight loses no goal, and finds none that was not reached; a goal is told with its period", async () => {
	const [site, short] = [await watched.site(), await watched.site()];
	const id = await watched.rule(site, { ...goal, custom_condition: { period: "day", goal_name: "Five a day" } });
	await watched.rule(short, goal);
	await watched.look(MIDNIGHT - HOUR);
	await lateHits(site);
	await lateHits(short, 4);
	await watched.look(MIDNIGHT + HOUR);
	await watched.look(MIDNIGHT + HOUR + MINUTE);
	const [event, ...others] = watched.events(site);
	assert.equal(event?.type, "goal.reached");
	assert.deepEqual(event.data, {
		...{ goal_id: id, goal_name: "Five a day", metric: "pageviews", conversion_type: null },
		...{ target_value: 5, current_value: 5 },
		...{ period_start: "2026-11-21T00:00:00.000Z", reached_at: "2026-11-22T01:00:10.000Z" },
	});
	assert.deepEqual([others, watched.events(short)], [[], []]);
	const [mail] = await mailbox(watched.app).to("ann@example.com");
	assert.match(mail?.text ?? "", /Page views: 5 since the start of the day, target 5/);
	const found = { status: "resolved", severity: "info", period_end: "2026-11-22T00:00:00.000Z" };
	assert.partialDeepStrictEqual((await watched.history(site))[0], found);
});

test("the values of goals in their current periods are shown to whoever asks for them, with one request for all", async () => {
	const site = await watched.site("America/New_York");
	const month = { ...goal, threshold_value: 50, custom_condition: { period: "month" } };
	const ids = [await watched.rule(site, goal), await watched.rule(site, month), await watched.rule(site, above)];
	// Midnight in UTC is 19:00 of the day before in New York.
	await watched.store([
		...views(site, MIDNIGHT, MIDNIGHT + HOUR, 3, { date: "2026-11-21" }),
		...views(site, MIDNIGHT + 6 * HOUR, MIDNIGHT + 7 * HOUR, 4, { date: "2026-11-22" }),
	]);
	watched.app.clock.set("2026-11-22T12:00:00.000Z");
	const progress = async (more = "") => {
		const { rules } = await watched.call("GET", `/alerts/rules?account_id=${site}${more}`);
		return ids.map((id) => rules.find((rule: { id: number }) => rule.id === id).progress);
	};
	assert.deepEqual(await progress("&include_progress=true"), [4, 7, undefined]);
	assert.deepEqual(await progress(), [undefined, undefined, undefined]);
});

test("a rule that was off, or is another one since, looks at no day of before", async () => {
	const [off, changed] = [await watched.site(), await watched.site()];
	const ids = [await watched.rule(off, goal), await watched.rule(changed, goal)];
	await watched.look(MIDNIGHT - 2 * HOUR);
	for (const site of [off, changed]) await lateHits(site);
	await change(off, ids[0], { is_active: false });
	watched.app.clock.set(new Date(MIDNIGHT + HOUR / 2).toISOString());
	await change(off, ids[0], { is_active: true });
	await change(changed, ids[1], { threshold_value: 4 });
	await watched.look(MIDNIGHT + HOUR);
	assert.deepEqual([reached(off), reached(changed)], [[], []]);
});

test("a goal of the last minute of a day is reached on that day of the site's clock, also of 23 and 25 hours, once", async () => {
	const site = await watched.site("Europe/Madrid");
	await watched.rule(site, goal);
	// Clocks go forward on 29 March 2026 and back on 25 October 2026, at 01:00 UTC.
	for (const [date, from, until] of [
		["2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
		["2026-10-25", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
	] as const) {
		const end = Date.parse(until);
		await watched.store(views(site, end - MINUTE, end, 5, { date }));
		await watched.look(end);
		await watched.look(end + MINUTE);
		assert.deepEqual(reached(site).at(-1), [from, 5]);
	}
	assert.equal(reached(site).length, 2);
});

test("a rule that becomes a goal ends its incident, and its cooldown holds no goal back", async () => {
	const site = await watched.site();
	const id = await watched.rule(site, { ...above, cooldown_minutes: 1440 });
	await watched.store(views(site, START - HOUR, START, 8, { date: "2026-11-22" }));
	await watched.look(START);
	await change(site, id, goal);
	await watched.look(START + MINUTE);
	const found = (await watched.history(site)).map(({ status, alert_type }) => `${alert_type}: ${status}`);
	assert.deepEqual(found, ["goal_reached: resolved", "traffic_spike: resolved"]);
	assert.equal(await watched.state(site, id), "ok");
});

test("while hits wait for the event store no rule is looked at; afterwards they count", async () => {
	const site = await watched.site();
	const id = await watched.rule(site, { alert_type: "traffic_drop" });
	await watched.store(steadyHours(site, START, 8 * 24, 4));
	isAway = true;
	watched.app.clock.set(new Date(START + 30 * MINUTE).toISOString());
	await sendHits(site);
	await watched.look(START + HOUR);
	const rule = await watched.call("GET", `/alerts/rules/${id}?account_id=${site}`);
	assert.deepEqual([rule.last_evaluated_at, await watched.history(site)], [null, []]);
	isAway = false;
	await watched.app.collector?.flush();
	await watched.look(START + HOUR);
	assert.deepEqual([await watched.state(site, id), await watched.history(site)], ["ok", []]);
});

test("refused hits are measured where they arrive", async () => {
	const site = await watched.site();
	const errors = { alert_type: "error_rate", condition_type: "absolute_threshold", comparison_window: "15m" };
	const ids = await Array.fromAsync([25, 26], (share) => watched.rule(site, { ...errors, threshold_value: share }));
	watched.app.clock.set(new Date(START + 5 * MINUTE).toISOString());
	await sendHits(site, { token: "wrong" });
	await watched.look(START + 10 * MINUTE);
	assert.deepEqual(await Promise.all(ids.map((id) => watched.state(site, id))), ["firing", "ok"]);
	assert.equal((await watched.history(site))[0]?.current_value, 25);
});
