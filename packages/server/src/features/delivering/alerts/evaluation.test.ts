import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY, HOUR, MINUTE, steadyHours, views, watchSites } from "../../../../test/support/watched-sites.ts";

import { listRules, noteLook } from "./store.ts";

const START = Date.parse("2026-11-22T12:00:00.000Z");

const watched = watchSites();

const types = (site: string) => watched.events(site).map(({ type }) => type);

test("a drop opens one incident, which is resolved when the condition was false for one full window", async () => {
	const { store, look, lookOften, history, state } = watched;
	const site = await watched.site();
	const id = await watched.rule(site, { alert_type: "traffic_drop" });
	await store([
		...steadyHours(site, START, 8 * 24, 12),
		...views(site, START, START + HOUR, 4),
		...views(site, START + HOUR, START + 4 * HOUR, 36),
	]);
	await look(START);
	assert.deepEqual([await state(site, id), types(site)], ["ok", []]);
	// The hour until 12:40 has 7 views, 4 of the hour before and 3 of this one; the hour until 12:41 has one less.
	await lookOften(START + 10 * MINUTE, START + 40 * MINUTE, 10 * MINUTE);
	assert.deepEqual(types(site), []);
	await look(START + 41 * MINUTE);
	await lookOften(START + 45 * MINUTE, START + 65 * MINUTE, 5 * MINUTE);
	assert.deepEqual(types(site), ["alert.triggered"]);
	const [alert, ...others] = await history(site);
	assert.ok(alert);
	assert.equal(others.length, 0);
	assert.deepEqual(
		[alert.status, alert.baseline_value, alert.change_percentage, alert.severity, alert.current_value],
		["active", 12, -50, "warning", 6],
	);
	assert.equal(await state(site, id), "firing");
	await lookOften(START + 70 * MINUTE, START + 150 * MINUTE, 5 * MINUTE);
	assert.deepEqual(types(site), ["alert.triggered", "alert.resolved"]);
	assert.equal((await history(site))[0]?.status, "resolved");
	assert.equal(await state(site, id), "ok");
});

test("a spike opens one incident however long it lasts, and nothing opens again within the cooldown", async () => {
	const { store, look, lookOften, history } = watched;
	const site = await watched.site();
	await watched.rule(site, { cooldown_minutes: 90 });
	await store([
		...steadyHours(site, START, 8 * 24, 12),
		...views(site, START, START + 3 * HOUR, 90),
		...views(site, START + 3 * HOUR, START + 5 * HOUR, 24),
		...views(site, START + 5 * HOUR, START + 9 * HOUR, 160),
	]);
	await lookOften(START, START + 30 * MINUTE, 10 * MINUTE);
	await lookOften(START + HOUR, START + 3 * HOUR, 30 * MINUTE);
	assert.deepEqual(types(site), ["alert.triggered"]);
	const [alert] = await history(site);
	assert.deepEqual([alert?.severity, alert?.change_percentage], ["warning", 50]);
	await lookOften(START + 3 * HOUR, START + 5 * HOUR, 10 * MINUTE);
	// From 15:50 on there are fewer than 18 in the hour before; one window later it is over, and quiet until 18:20.
	assert.deepEqual(types(site), ["alert.triggered", "alert.resolved"]);
	assert.equal((await history(site))[0]?.resolved_at, "2026-11-22T16:50:10.000Z");
	await lookOften(START + 5.1 * HOUR, START + 6.3 * HOUR, 30 * MINUTE);
	assert.deepEqual(types(site), ["alert.triggered", "alert.resolved"], "quiet");
	await look(START + 6 * HOUR + 21 * MINUTE);
	assert.equal((await history(site)).length, 2);
});

test("silence is found once and stays open until somebody comes", async () => {
	const { store, lookOften, history } = watched;
	const site = await watched.site();
	await watched.rule(site, { alert_type: "traffic_drop" });
	await watched.rule(site, {
		name: "Nobody",
		condition_type: "absolute_threshold",
		threshold_direction: "decrease",
		threshold_value: 0,
		comparison_window: "15m",
	});
	await store([...steadyHours(site, START, 8 * 24, 12), ...views(site, START + 3 * HOUR, START + 6 * HOUR, 36)]);
	await lookOften(START, START + 3 * HOUR, 10 * MINUTE);
	const found = await history(site);
	assert.deepEqual(
		found.map(({ rule_name, status, current_value }) => [rule_name, status, current_value]),
		[
			["Watch", "active", 6],
			["Nobody", "active", 0],
		],
	);
	await lookOften(START + 3 * HOUR, START + 5 * HOUR, 10 * MINUTE);
	const after = await history(site);
	assert.deepEqual(
		after.map(({ status }) => status),
		["resolved", "resolved"],
	);
	assert.equal(types(site).length, 4);
});

test("nothing fires for a site without traffic, nor before there are three windows to compare with", async () => {
	const { store, look, state } = watched;
	const site = await watched.site();
	const drop = await watched.rule(site, { alert_type: "traffic_drop" });
	const silence = await watched.rule(site, {
		condition_type: "absolute_threshold",
		threshold_direction: "decrease",
		threshold_value: 0,
	});
	const jump = await watched.rule(site, { condition_type: "rate_of_change" });
	const states = () => Promise.all([drop, silence, jump].map((id) => state(site, id)));
	await look(START);
	assert.deepEqual(await states(), ["insufficient_data", "insufficient_data", "insufficient_data"]);
	// Two windows of the same time of day, then silence that is no news yet for the one and real for the other.
	await store(steadyHours(site, START, 50, 12));
	await look(START + 2 * HOUR);
	assert.deepEqual(await states(), ["insufficient_data", "firing", "insufficient_data"]);
	assert.deepEqual(types(site), ["alert.triggered"]);
	await look(START + DAY + 2 * HOUR);
	assert.deepEqual(await states(), ["firing", "firing", "insufficient_data"]);
});

test("windows keep to the clock of the site when summer time begins", async () => {
	const { store, look, history } = watched;
	const site = await watched.site("Europe/Madrid");
	await watched.rule(site, { alert_type: "custom", threshold_value: 1 });
	// Visitors come from 9:00 to 10:00 of their clock: 08:00 UTC until 28 March 2026, 07:00 from the 29th on.
	const days = Array.from({ length: 10 }, (_, index) => {
		const local = Temporal.PlainDate.from("2026-03-24").add({ days: index });
		return local.toZonedDateTime({ timeZone: "Europe/Madrid", plainTime: "09:00" }).epochMilliseconds;
	});
	await store(days.flatMap((from) => views(site, from, from + HOUR, 10)));
	for (const from of days.slice(4)) await look(from + HOUR);
	assert.deepEqual(await history(site), []);
	const [entry] = (await watched.call("GET", `/alerts/rules?account_id=${site}`)).rules;
	assert.equal(entry.state, "ok");
});

test("rules of an inactive site and rules that are switched off are not looked at", async () => {
	const { call, store, look, history } = watched;
	const [still, off] = [await watched.site(), await watched.site()];
	const above = { condition_type: "absolute_threshold", threshold_value: 1 };
	await watched.rule(still, above);
	const id = await watched.rule(off, above);
	await store([...views(still, START, START + HOUR, 5), ...views(off, START, START + HOUR, 5)]);
	await call("PATCH", `/sites/${still}`, { is_active: false });
	await call("PATCH", `/alerts/rules/${id}?account_id=${off}`, { is_active: false });
	await look(START + HOUR);
	assert.deepEqual([await history(still), await history(off)], [[], []]);
});

test("a rule that is switched off or removed ends its incident, and the history stays", async () => {
	const { call, store, look, history } = watched;
	const site = await watched.site();
	const above = { condition_type: "absolute_threshold", threshold_value: 1 };
	const [one, two] = [await watched.rule(site, above), await watched.rule(site, { ...above, name: "Gone" })];
	await store(views(site, START, START + HOUR, 5));
	await look(START + HOUR);
	await call("PATCH", `/alerts/rules/${one}?account_id=${site}`, { is_active: false });
	await call("DELETE", `/alerts/rules/${two}?account_id=${site}`);
	await watched.app.jobs.runDue();
	const found = await history(site);
	assert.deepEqual(
		found.map(({ rule_name, status }) => [rule_name, status]),
		[
			["Gone", "resolved"],
			["Watch", "resolved"],
		],
	);
	assert.deepEqual(types(site), ["alert.triggered", "alert.triggered", "alert.resolved", "alert.resolved"]);
});

test("sources, conversions and filters are measured as the rule says", async () => {
	const { store, look, state } = watched;
	const site = await watched.site();
	const above = (value: number, more: object) =>
		watched.rule(site, { condition_type: "absolute_threshold", threshold_value: value, ...more });
	const custom = (custom_condition: object) => ({ alert_type: "custom", metric: "custom", custom_condition });
	const ids = [
		await above(3, { alert_type: "source_change", custom_condition: { utm_source: "google" } }),
		await above(4, { alert_type: "source_change", custom_condition: { utm_source: "google" } }),
		await above(30.5, custom({ metric: "revenue", conversion_type: "purchase" })),
		await above(30.6, custom({ metric: "revenue", conversion_type: "purchase" })),
		await above(2, custom({ metric: "page_views", filters: "path:eq:/a%2Cb" })),
		await above(3, custom({ metric: "page_views", filters: "path:eq:/a%2Cb" })),
		await above(40, { metric: "conversion_rate" }),
		await above(40.1, { metric: "conversion_rate" }),
	];
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

test("a goal is reached once in each period of the site's clock, and is no incident", async () => {
	const { store, look, lookOften, history } = watched;
	const site = await watched.site("Asia/Tokyo");
	const goal = { alert_type: "goal_reached", condition_type: "absolute_threshold", threshold_value: 10 };
	const id = await watched.rule(site, { ...goal, custom_condition: { period: "day", goal_name: "Ten a day" } });
	// 15:00 UTC is midnight in Tokyo.
	await store([
		...views(site, START, START + 2 * HOUR, 12, { date: "2026-11-22" }),
		...views(site, START + 3 * HOUR, START + 4 * HOUR, 9, { date: "2026-11-23" }),
	]);
	await lookOften(START + 2 * HOUR, START + 3 * HOUR, 10 * MINUTE);
	await look(START + 4 * HOUR);
	assert.deepEqual(types(site), ["goal.reached"]);
	assert.deepEqual(watched.events(site)[0]?.data, {
		goal_id: id,
		goal_name: "Ten a day",
		metric: "pageviews",
		conversion_type: null,
		target_value: 10,
		current_value: 12,
		period_start: "2026-11-21T15:00:00.000Z",
		reached_at: "2026-11-22T14:00:10.000Z",
	});
	const [entry, ...others] = await history(site);
	assert.deepEqual([entry?.status, entry?.severity, others.length], ["resolved", "info", 0]);
	await store(views(site, START + 5 * HOUR, START + 5 * HOUR + MINUTE, 1, { date: "2026-11-23" }));
	await lookOften(START + 6 * HOUR, START + 7 * HOUR, 30 * MINUTE);
	assert.deepEqual(types(site), ["goal.reached", "goal.reached"]);
});

test("of two processes that look at the same time one notes what it found, and the other leaves it as it is", async () => {
	const { app, store, look } = watched;
	const site = await watched.site();
	const id = await watched.rule(site, { condition_type: "absolute_threshold", threshold_value: 5 });
	await store(views(site, START, START + HOUR, 8));
	const read = async () => (await listRules(app.metadata, site, true)).filter((rule) => rule.id === id);
	const asOneRead = await read();
	await look(START + HOUR);
	assert.equal(await watched.state(site, id), "firing");
	const note = (rules: Awaited<ReturnType<typeof read>>, until: number) =>
		app.metadata.transaction().execute((trx) => noteLook(trx, rules, until));
	assert.deepEqual([...(await note(asOneRead, START + HOUR - MINUTE))], []);
	const [rule] = await read();
	assert.equal(rule?.last_evaluated_at, START + HOUR);
	assert.deepEqual([...(await note(await read(), START + HOUR + MINUTE))], [id]);
});
