import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { signIn } from "../../../../test/support/accounts.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { giveSiteRole } from "../../../../test/support/site-roles.ts";
import { HOUR, views, type WatchedSites, watchedSites } from "../../../../test/support/watched-sites.ts";

const START = Date.parse("2026-11-22T12:00:00.000Z");

let watched: WatchedSites;
let site: string;
before(async () => {
	watched = await watchedSites();
	site = await watched.site();
});
after(() => watched.app.close());

const rules = (id?: number | string) => `/alerts/rules${id === undefined ? "" : `/${id}`}?account_id=${site}`;

test("a rule without a word more than its name watches for half as many page views again", async () => {
	const rule = await watched.call("POST", rules(), { name: " Watch " });
	assert.deepEqual(rule, {
		id: rule.id,
		account_id: site,
		name: "Watch",
		description: null,
		alert_type: "traffic_spike",
		metric: "pageviews",
		condition_type: "percentage_change",
		threshold_value: 50,
		threshold_direction: "both",
		baseline_period: "7d",
		comparison_window: "1h",
		custom_condition: null,
		notify_email: true,
		notify_slack: false,
		notify_webhook: false,
		email_recipients: [],
		slack_webhook_url: null,
		custom_webhook_url: null,
		cooldown_minutes: 60,
		is_active: true,
		state: "ok",
		last_evaluated_at: null,
		trigger_count: 0,
		last_triggered_at: null,
		created_by: 1,
		created_at: "2026-11-21T12:00:00.000Z",
		updated_at: null,
	});
	assert.deepEqual(await watched.call("GET", rules(rule.id)), rule);
	const changed = await watched.call("PATCH", rules(rule.id), { threshold_value: 80, is_active: false });
	assert.deepEqual([changed.threshold_value, changed.is_active, changed.name], [80, false, "Watch"]);
	assert.deepEqual(await watched.call("GET", rules()), { rules: [], total: 0 });
	assert.equal((await watched.call("GET", `${rules()}&include_inactive=true`)).total, 1);
	await watched.call("DELETE", rules(rule.id));
	assert.equal((await watched.ask("GET", rules(rule.id))).statusCode, 404);
});

test("a new rule is looked at, whatever is said of it; switching off is a change", async () => {
	const rule = await watched.call("POST", rules(), { name: "Watch", is_active: false });
	assert.equal(rule.is_active, true);
	await watched.call("DELETE", rules(rule.id));
});

test("a rule on refused hits needs no baseline period: it is that of a day", async () => {
	const rule = await watched.call("POST", rules(), { name: "Refused", alert_type: "error_rate" });
	assert.equal(rule.baseline_period, "24h");
	await watched.call("DELETE", rules(rule.id));
});

/** Watches refused hits, which are known for a day. */
const refusals = { alert_type: "error_rate", baseline_period: "24h" };

const wrong: readonly (readonly [field: string, body: object])[] = [
	["name", { name: "" }],
	["name", { name: "x".repeat(256) }],
	["description", { description: "x".repeat(1001) }],
	["alert_type", { alert_type: "weather" }],
	["metric", { metric: "page_views" }],
	["threshold_value", { threshold_value: -1 }],
	["threshold_value", { threshold_value: 10_001 }],
	["cooldown_minutes", { cooldown_minutes: 4 }],
	["cooldown_minutes", { cooldown_minutes: 1441 }],
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
	["email_recipients", { email_recipients: Array.from({ length: 11 }, (_, index) => `a${index}@example.com`) }],
	["email_recipients.0", { email_recipients: ["a@example.com\nBcc: b@example.com"] }],
	["slack_webhook_url", { notify_slack: true }],
	["custom_webhook_url", { notify_webhook: true }],
	["slack_webhook_url", { slack_webhook_url: "http://hooks.example/x" }],
	["custom_webhook_url", { custom_webhook_url: "https://127.0.0.1/x" }],
	["custom_webhook_url", { custom_webhook_url: `https://hooks.example/${"x".repeat(500)}` }],
];
test("a wrong rule is rejected with its field", async () => {
	for (const [field, body] of wrong) {
		const answer = await watched.ask("POST", rules(), { name: "Watch", ...body });
		const title = JSON.stringify(body).slice(0, 90);
		assert.equal(answer.statusCode, 422, title + answer.body);
		assert.equal(answer.json().error.detail[0].field, `body.${field}`, title);
	}
});

test("a change is judged together with what stays", async () => {
	const { id } = await watched.call("POST", rules(), { name: "Watch", comparison_window: "24h" });
	const answer = await watched.ask("PATCH", rules(id), { baseline_period: "24h" });
	assert.equal(answer.json().error.detail[0].field, "body.baseline_period");
	assert.equal((await watched.ask("PATCH", rules(id), { metric: null })).statusCode, 422);
	await watched.call("DELETE", rules(id));
});

test("a rule on refused hits that can never fire is not made by a change either, and an old one can be switched off", async () => {
	const { id } = await watched.call("POST", rules(), { name: "Watch", ...refusals });
	for (const body of [{ comparison_window: "6h" }, { baseline_period: "7d" }]) {
		const answer = await watched.ask("PATCH", rules(id), body);
		assert.deepEqual([answer.statusCode, answer.json().error.detail[0].field], [422, `body.${Object.keys(body)[0]}`]);
	}
	await watched.app.metadata
		.withTables<Tables>()
		.updateTable("alert_rules")
		.set({ baseline_period: "7d" })
		.where("id", "=", id)
		.execute();
	assert.equal((await watched.ask("PATCH", rules(id), { name: "Renamed" })).statusCode, 422);
	assert.equal((await watched.call("PATCH", rules(id), { is_active: false })).is_active, false);
	assert.equal((await watched.ask("PATCH", rules(id), { is_active: true })).statusCode, 422);
	for (const body of [
		{ comparison_window: "6h", condition_type: "rate_of_change" },
		{ comparison_window: "6h", condition_type: "absolute_threshold" },
		{ comparison_window: "1h" },
	]) {
		const made = await watched.call("POST", rules(), { name: "Watch", ...refusals, ...body });
		await watched.call("DELETE", rules(made.id));
	}
	await watched.call("DELETE", rules(id));
});

test("who may only look sees where a rule posts, but not the address itself", async () => {
	const { app } = watched;
	const urls = {
		slack_webhook_url: "https://hooks.slack.example/services/T/B/secret",
		custom_webhook_url: "https://hooks.example/?key=secret",
	};
	const { id } = await watched.call("POST", rules(), { name: "Watch", ...urls });
	const viewer = await signIn(app, { email: "viewer@example.com", name: "Viewer" });
	const seen = () => app.inject({ method: "GET", url: `/api/v1${rules(id)}`, headers: viewer.headers });
	assert.equal((await seen()).statusCode, 403);
	await giveSiteRole(app, site, viewer.userId, "viewer");
	const answer = await seen();
	assert.equal(answer.statusCode, 200, answer.body);
	assert.ok(!answer.body.includes("secret"));
	assert.deepEqual(
		[answer.json().slack_webhook_url, answer.json().custom_webhook_url],
		["https://hooks.slack.example/…", "https://hooks.example/…"],
	);
	const change = {
		method: "PATCH",
		url: `/api/v1${rules(id)}`,
		headers: viewer.headers,
		payload: { name: "x" },
	} as const;
	assert.equal((await app.inject(change)).statusCode, 403);
	await watched.call("DELETE", rules(id));
});

test("a site has at most 100 rules, also when two are added at once", async () => {
	const full = await watched.site();
	const url = `/alerts/rules?account_id=${full}`;
	for (let count = 0; count < 99; count++) await watched.rule(full, {});
	const answers = await Promise.all([1, 2].map(() => watched.ask("POST", url, { name: "Last" })));
	assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, 409]);
});

test("what a rule found is acknowledged, closed, and never opened again", async () => {
	const own = await watched.site();
	const above = { condition_type: "absolute_threshold", threshold_value: 5 };
	const id = await watched.rule(own, above);
	await insertRows(watched.app.eventStore, views(own, START, START + HOUR, 8));
	await watched.look(START + HOUR);
	const [alert] = await watched.history(own);
	const set = (body: object) => watched.ask("PATCH", `/alerts/history/${alert?.id}?account_id=${own}`, body);
	const acknowledged = (await set({ notes: "Looking\ninto it" })).json();
	assert.deepEqual(
		[acknowledged.status, acknowledged.notes, acknowledged.acknowledged_by, acknowledged.resolved_at],
		["acknowledged", "Looking\ninto it", 1, null],
	);
	assert.equal(await watched.state(own, id), "firing");
	assert.equal((await set({ status: "active" })).statusCode, 422);
	const dismissed = (await set({ status: "false_positive" })).json();
	assert.deepEqual([dismissed.status, dismissed.resolved_at], ["false_positive", "2026-11-22T13:00:10.000Z"]);
	assert.equal((await set({ notes: "Noise" })).json().status, "false_positive");
	for (const status of ["acknowledged", "resolved"]) {
		const answer = await set({ status });
		assert.deepEqual([answer.statusCode, answer.json().error.code], [409, "conflict"], status);
	}
	const foreign = await watched.ask("PATCH", `/alerts/history/${alert?.id}?account_id=${site}`, {});
	assert.equal(foreign.statusCode, 404);
	await watched.look(START + HOUR + 60_000);
	assert.equal((await watched.history(own)).length, 1, "quiet for the cooldown");
	const stats = await watched.call("GET", `/alerts/stats?account_id=${own}`);
	assert.deepEqual(stats, {
		active_rules: 1,
		total_triggers_24h: 1,
		total_triggers_7d: 1,
		total_triggers_30d: 1,
		unacknowledged_alerts: 0,
		most_triggered_rule: "Watch",
		last_trigger: "2026-11-22T13:00:10.000Z",
	});
	const listed = (query: string) => watched.call("GET", `/alerts/history?account_id=${own}&${query}`);
	assert.equal((await listed(`rule_id=${id}&status=false_positive`)).total, 1);
	assert.equal((await listed("status=active")).total, 0);
	assert.deepEqual(await listed("offset=1"), { alerts: [], total: 1 });
});
