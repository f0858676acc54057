import assert from "node:assert/strict";
import { after, test } from "node:test";
import { signIn } from "../../../../test/support/accounts.ts";
import { codeOf, messageOf } from "../../../../test/support/refusals.ts";
import { giveSiteRole } from "../../../../test/support/site-roles.ts";
import { HOUR, views, watchedSites } from "../../../../test/support/watched-sites.ts";
import { unsent } from "./incidents.ts";
import { addressesOf } from "./rule-fields.ts";
import { alertHistory, alertRules } from "./store.ts";

const START = Date.parse("2026-11-22T12:00:00.000Z");
const slack = "https://hooks.slack.example/services/T/B/hidden";
const custom = "https://hooks.example/?key=hidden";
const urls = { slack_webhook_url: slack, custom_webhook_url: custom };

const watched = await watchedSites();
const site = await watched.site();
after(() => watched.app.close());

const rules = (id?: number) => `/alerts/rules${id === undefined ? "" : `/${id}`}?account_id=${site}`;
const refusalOf = async (method: "POST" | "PATCH", url: string, body: object) => {
	const answer = await watched.ask(method, url, body);
	return [answer.statusCode, answer.json().error?.detail?.[0].field];
};

test("a rule without a word more than its name watches for half as many page views again", async () => {
	const rule = await watched.call("POST", rules(), { name: " Watch ", is_active: false });
	assert.partialDeepStrictEqual(rule, {
		...{ name: "Watch", alert_type: "traffic_spike", metric: "pageviews", condition_type: "percentage_change" },
		...{ threshold_value: 50, threshold_direction: "both", baseline_period: "7d", comparison_window: "1h" },
		...{ cooldown_minutes: 60, is_active: true, state: "ok", notify_email: true, notify_slack: false },
		...{ notify_webhook: false, created_by: 1 },
	});
	assert.deepEqual(rule.email_recipients, []);
	const onErrors = await watched.call("POST", rules(), { name: "Watch", alert_type: "error_rate" });
	assert.equal(onErrors.baseline_period, "24h");
	await watched.call("DELETE", rules(onErrors.id));
	assert.deepEqual(await watched.call("GET", rules(rule.id)), rule);
	const changed = await watched.call("PATCH", rules(rule.id), { threshold_value: 80, is_active: false });
	assert.deepEqual([changed.threshold_value, changed.is_active, changed.name], [80, false, "Watch"]);
	assert.deepEqual(await watched.call("GET", rules()), { rules: [], total: 0 });
	assert.equal((await watched.call("GET", `${rules()}&include_inactive=true`)).total, 1);
	await watched.call("DELETE", rules(rule.id));
	assert.equal((await watched.ask("GET", rules(rule.id))).statusCode, 404);
});

/** Watches refused hits, which are known for a day. */
const refusals = { alert_type: "error_rate", baseline_period: "24h" };

/** What the schema of the body does not tell. */
const wrong: readonly (readonly [field: string, body: object])[] = [
	["baseline_period", { baseline_period: "24h", comparison_window: "24h" }],
	["comparison_window", { alert_type: "error_rate", condition_type: "absolute_threshold", comparison_window: "24h" }],
	["comparison_window", { ...refusals, comparison_window: "6h" }],
	["comparison_window", { ...refusals, condition_type: "std_deviation", comparison_window: "6h" }],
	["baseline_period", { alert_type: "error_rate", baseline_period: "7d" }],
	["baseline_period", { ...refusals, baseline_period: "30d" }],
	["custom_condition.metric", { metric: "custom" }],
	["custom_condition.utm_source", { alert_type: "source_change" }],
	["custom_condition.period", { alert_type: "goal_reached", condition_type: "absolute_threshold" }],
	["condition_type", { alert_type: "goal_reached", custom_condition: { period: "day" } }],
	["custom_condition.conversion_type", { custom_condition: { conversion_type: "purchase" } }],
	["custom_condition.filters", { custom_condition: { filters: "path:like:x" } }],
	["email_recipients.0", { email_recipients: ["a@example.com\nBcc: b@example.com"] }],
	["slack_webhook_url", { notify_slack: true }],
	["custom_webhook_url", { notify_webhook: true }],
	["slack_webhook_url", { slack_webhook_url: "http://hooks.example/x" }],
];
test("a wrong rule is rejected with its field", async () => {
	for (const [field, body] of wrong) {
		const refused = await refusalOf("POST", rules(), { name: "Watch", ...body });
		assert.deepEqual(refused, [422, `body.${field}`], JSON.stringify(body).slice(0, 90));
	}
});

test("a change is judged together with what stays; an old rule that can never fire can be switched off", async () => {
	const long = await watched.rule(site, { comparison_window: "24h" });
	const refused = (id: number, body: object) => refusalOf("PATCH", rules(id), body);
	assert.deepEqual(await refused(long, { baseline_period: "24h" }), [422, "body.baseline_period"]);
	assert.deepEqual(await refused(long, { metric: null }), [422, "body.metric"]);
	const id = await watched.rule(site, refusals);
	assert.deepEqual(await refused(id, { comparison_window: "6h" }), [422, "body.comparison_window"]);
	assert.deepEqual(await refused(id, { baseline_period: "7d" }), [422, "body.baseline_period"]);
	await alertRules.update(watched.app.metadata, { id: id }, { baseline_period: "7d" });
	assert.equal((await refused(id, { name: "Renamed" }))[0], 422);
	assert.equal((await watched.call("PATCH", rules(id), { is_active: false })).is_active, false);
	assert.equal((await refused(id, { is_active: true }))[0], 422);
	for (const condition_type of ["rate_of_change", "absolute_threshold"]) {
		await watched.rule(site, { ...refusals, comparison_window: "6h", condition_type });
	}
});

const rowOf = async (id: number) => {
	const row = await alertRules.find(watched.app.metadata, { id });
	assert.ok(row);
	return row;
};
const opened = async (id: number) => addressesOf(watched.app.config, await rowOf(id));

test("a viewer sees where a rule posts, but not the address itself", async () => {
	const { app } = watched;
	const rule = await watched.call("POST", rules(), { name: "Watch", ...urls });
	assert.deepEqual([rule.slack_webhook_url, rule.custom_webhook_url], ["https://hooks.slack.example/…", custom]);
	const { userId, headers } = await signIn(app, { email: "viewer@example.com", name: "Viewer" });
	await giveSiteRole(app, site, userId, "viewer");
	const answer = await app.inject({ url: `/api/v1${rules(rule.id)}`, headers });
	assert.ok(!answer.body.includes("hidden"));
	const shown = answer.json();
	assert.equal(shown.slack_webhook_url, "https://hooks.slack.example/…");
	assert.equal(shown.custom_webhook_url, "https://hooks.example/…");
});

test("addresses are stored sealed, for their site alone, and appear in no log", async () => {
	const id = await watched.rule(site, urls);
	assert.ok(!JSON.stringify(await rowOf(id)).includes("hidden"));
	assert.deepEqual(await opened(id), urls);
	const foreign = await watched.rule(await watched.site(), {});
	await alertRules.update(
		watched.app.metadata,
		{ id: foreign },
		{ sealed_slack_url: (await rowOf(id)).sealed_slack_url },
	);
	assert.equal((await opened(foreign)).slack_webhook_url, null);
	await alertRules.update(watched.app.metadata, { id: foreign }, { sealed_slack_url: null });
	await watched.call("DELETE", rules(id));
	const { logs } = (await watched.call("GET", `/audit/logs?resource_type=alert_rule&account_id=${site}`)).data;
	assert.ok(logs.length > 0 && !JSON.stringify(logs).includes("hidden"));
	assert.ok(!watched.app.logLines.join("").includes("hidden"));
});

test("a masked address that comes back changes nothing, another one and null do", async () => {
	const id = await watched.rule(site, { slack_webhook_url: slack, notify_slack: true });
	const change = (body: object) => watched.call("PATCH", rules(id), body);
	const shown = await change({ name: "Renamed" });
	await change({ ...shown, description: null, custom_condition: null });
	assert.equal((await opened(id)).slack_webhook_url, slack);
	await change({ slack_webhook_url: "https://hooks.slack.example/services/other" });
	assert.equal((await opened(id)).slack_webhook_url, "https://hooks.slack.example/services/other");
	await change({ notify_slack: false, slack_webhook_url: null });
	assert.equal((await opened(id)).slack_webhook_url, null);
});

test("an alert is acknowledged, closed, and not found again within the cooldown", async () => {
	const own = await watched.site();
	const above = { condition_type: "absolute_threshold", threshold_value: 5 };
	const id = await watched.rule(own, above);
	await watched.store(views(own, START, START + 3 * HOUR, 24));
	await watched.look(START + HOUR);
	const [alert] = await watched.history(own);
	const set = (body: object) => watched.ask("PATCH", `/alerts/history/${alert?.id}?account_id=${own}`, body);
	const acknowledged = (await set({ notes: "Looking\ninto it" })).json();
	const told = [acknowledged.status, acknowledged.notes, acknowledged.acknowledged_by, acknowledged.resolved_at];
	assert.deepEqual(told, ["acknowledged", "Looking\ninto it", 1, null]);
	assert.equal(await watched.state(own, id), "firing");
	assert.equal((await set({ status: "active" })).statusCode, 422);
	const dismissed = (await set({ status: "false_positive" })).json();
	assert.deepEqual([dismissed.status, dismissed.resolved_at], ["false_positive", "2026-11-22T13:00:10.000Z"]);
	assert.equal((await set({ notes: "Noise" })).json().status, "false_positive");
	for (const status of ["acknowledged", "resolved"]) {
		assert.deepEqual(codeOf(await set({ status })), [409, "conflict"], status);
	}
	await watched.look(START + HOUR + 60_000);
	assert.equal((await watched.history(own)).length, 1, "quiet for the cooldown");
	const triggers = (day: number, week: number, month: number) =>
		({ total_triggers_24h: day, total_triggers_7d: week, total_triggers_30d: month }) as const;
	const stats = () => watched.call("GET", `/alerts/stats?account_id=${own}`);
	const last = { most_triggered_rule: "Watch", last_trigger: "2026-11-22T13:00:10.000Z" };
	assert.deepEqual(await stats(), { active_rules: 1, unacknowledged_alerts: 0, ...last, ...triggers(1, 1, 1) });
	const listed = (query: string) => watched.call("GET", `/alerts/history?account_id=${own}&${query}`);
	assert.equal((await listed(`rule_id=${id}&status=false_positive`)).total, 1);
	assert.equal((await listed("status=active")).total, 0);
	assert.deepEqual(await listed("offset=1"), { alerts: [], total: 1 });
	await watched.look(START + 2 * HOUR + 60_000);
	assert.equal((await watched.history(own)).length, 2, "another one once the cooldown is over");
	for (const [day, counts] of Object.entries({ 25: triggers(0, 2, 2), 30: triggers(0, 0, 2) })) {
		watched.app.clock.set(`2026-11-${day}T12:00:00.000Z`);
		assert.partialDeepStrictEqual(await stats(), counts);
	}
});

test("alerts are listed by the days on which they began, both included, in the site's time zone", async () => {
	const own = await watched.site("America/New_York");
	// The last and first moments of days in New York, where clocks went back on 2026-11-01.
	const moments = [
		...["2026-11-01T03:59:59.999Z", "2026-11-01T04:00:00.000Z"],
		...["2026-11-02T04:59:59.999Z", "2026-11-02T05:00:00.000Z"],
	] as const;
	const drop = { rule_name: "Gone", alert_type: "traffic_drop", metric: "pageviews", severity: "warning" } as const;
	const values = { current_value: 1, baseline_value: 4, expected_value: 4, change_percentage: -75, context: null };
	for (const at of moments.map((moment) => Date.parse(moment))) {
		const times = { period_start: at, period_end: at, triggered_at: at };
		const found = { rule_id: 2_000_000_000, site_id: own, status: "active", ...drop, ...values, ...times } as const;
		await alertHistory.insert(watched.app.metadata, { ...unsent, ...found });
	}
	const ask = (query: string) => watched.ask("GET", `/alerts/history?account_id=${own}&${query}`);
	const listed = async (query: string) =>
		(await ask(query)).json().alerts.map(({ triggered_at }: { triggered_at: string }) => triggered_at);
	const [before, first, last, after] = moments;
	assert.deepEqual(await listed("from_date=2026-11-01&to_date=2026-11-01"), [last, first]);
	assert.deepEqual(await listed("from_date=2026-11-01"), [after, last, first]);
	assert.deepEqual(await listed("to_date=2026-11-01"), [last, first, before]);
	assert.deepEqual(await listed("to_date=2026-11-01&status=resolved"), []);
	const turned = await ask("from_date=2026-11-02&to_date=2026-11-01");
	assert.deepEqual(messageOf(turned), [400, "from_date must not be after to_date"]);
});
