import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { insertAlert } from "./history-store.ts";
import { untouched } from "./incidents.ts";

let app: TestApp;
let ann: Session;
before(async () => {
	app = await testApp();
	ann = await signIn(app);
	await createSite(app, ann, { timezone: "America/New_York" });
	// The last and first moments of days in New York, where clocks went back on 2026-11-01.
	for (const at of [
		"2026-11-01T03:59:59.999Z",
		"2026-11-01T04:00:00.000Z",
		"2026-11-02T04:59:59.999Z",
		"2026-11-02T05:00:00.000Z",
	]) {
		await found(Date.parse(at));
	}
});
after(() => app.close());

/** Something that a rule found then; nothing but time makes it. */
const found = (at: number) =>
	insertAlert(app.metadata, {
		...untouched,
		rule_id: 2_000_000_000,
		rule_name: "Gone",
		site_id: "shop",
		alert_type: "traffic_drop",
		metric: "pageviews",
		severity: "warning",
		current_value: 1,
		baseline_value: 4,
		expected_value: 4,
		change_percentage: -75,
		context: null,
		period_start: at,
		period_end: at,
		triggered_at: at,
		status: "active",
	});
const ask = (query: string) =>
	app.inject({ url: `/api/v1/alerts/history?account_id=shop&${query}`, headers: ann.headers });
const listed = async (query: string) => {
	const { alerts, total } = (await ask(query)).json();
	assert.equal(alerts.length, total);
	return alerts.map(({ triggered_at }: { triggered_at: string }) => triggered_at);
};

test("alerts are listed by the days on which they began, both included, in the site's time zone", async () => {
	const day = ["2026-11-02T04:59:59.999Z", "2026-11-01T04:00:00.000Z"];
	assert.deepEqual(await listed("from_date=2026-11-01&to_date=2026-11-01"), day);
	assert.deepEqual(await listed("from_date=2026-11-01"), ["2026-11-02T05:00:00.000Z", ...day]);
	assert.deepEqual(await listed("to_date=2026-11-01"), [...day, "2026-11-01T03:59:59.999Z"]);
	assert.deepEqual(await listed("from_date=2026-11-03"), []);
	assert.deepEqual(await listed("to_date=2026-11-01&status=resolved"), []);
});

test("days that end before they begin, or are none, are refused", async () => {
	const turned = await ask("from_date=2026-11-02&to_date=2026-11-01");
	assert.deepEqual([turned.statusCode, turned.json().error.message], [400, "from_date must not be after to_date"]);
	for (const [query, field] of [
		["from_date=2026-02-30", "query.from_date"],
		["to_date=yesterday", "query.to_date"],
		["from_date=2026-11-01T00:00:00Z", "query.from_date"],
	]) {
		const answer = await ask(query ?? "");
		assert.deepEqual([answer.statusCode, answer.json().error.detail[0].field], [422, field]);
	}
});
