import assert from "node:assert/strict";
import { test } from "node:test";
import { webhookApp } from "../../../../../test/support/webhook-app.ts";

const [MINUTE, HOUR] = [60_000, 3_600_000];

const hooks = webhookApp();

/** An endpoint with one delivery, which got this answer. */
const delivered = async (path: string, status: number) => {
	hooks.receiver.answers(path, { status });
	const { id } = await hooks.endpoint(path);
	await hooks.announce();
	const { delivery_id: deliveryId, ...delivery } = await hooks.latest(id);
	return { id, deliveryId, delivery };
};
const exhaust = async () => {
	for (const wait of [1, 4, 25, 90]) await hooks.later(wait * MINUTE);
};

test("the first good test verifies; it says that it is one, and is signed and logged as events are", async () => {
	const { id } = await hooks.endpoint("/tested");
	const answer = await hooks.call(`POST /webhooks/${id}/test`);
	const { delivery_id: deliveryId, response_time_ms: time, ...rest } = answer.body;
	assert.deepEqual([answer.status, rest], [200, { success: true, response_status: 200, verified: true }]);
	assert.ok(Number.isInteger(time));
	const [call] = hooks.got("/tested");
	const payload = JSON.parse(call?.body ?? "");
	assert.deepEqual([payload.event, payload.account_id, payload.data], ["alert.triggered", "shop", { test: true }]);
	assert.match(String(call?.headers["x-service-signature"]), /^sha256=[0-9a-f]{64}$/);
	assert.match(String(call?.headers["webhook-signature"]), /^v1,/);
	const logged = (await hooks.call(`GET /webhooks/${id}/deliveries/${deliveryId}`)).body;
	assert.deepEqual(
		[logged.status, logged.attempt_number, logged.max_attempts, logged.event_id, logged.payload],
		["success", 1, 5, payload.event_id, payload],
	);
	assert.equal((await hooks.call(`GET /webhooks/${id}/deliveries/${deliveryId}/logs`)).body.length, 1);
	assert.equal((await hooks.call(`GET /webhooks/${id}`)).body.is_verified, true);
});

test("a test may name its event and carry sample values; other names are refused", async () => {
	const { id } = await hooks.endpoint("/samples");
	const fields: Record<string, string[]> = {
		"alert.triggered": [
			...["alert_id", "current_value", "expected_value", "message", "metric", "rule_name", "severity", "test"],
			...["threshold_percent", "triggered_at"],
		],
		"alert.resolved": [
			...["alert_id", "current_value", "expected_value", "metric", "resolved_at", "rule_name", "severity", "test"],
			"triggered_at",
		],
		"export.completed": [
			"download_url",
			"expires_at",
			"export_id",
			"export_type",
			"file_size_bytes",
			"row_count",
			"test",
		],
		"export.failed": ["error_message", "export_id", "export_type", "failed_at", "test"],
		"goal.reached": [
			...["conversion_type", "current_value", "goal_id", "goal_name", "metric", "period_start", "reached_at"],
			...["target_value", "test"],
		],
	};
	for (const [type, names] of Object.entries(fields)) {
		await hooks.call(`POST /webhooks/${id}/test`, { body: { event_type: type, include_sample_context: true } });
		const payload = JSON.parse(hooks.got("/samples").at(-1)?.body ?? "");
		assert.deepEqual([payload.event, Object.keys(payload.data).sort()], [type, names]);
		assert.equal(payload.data.test, true);
		const { triggered_at: from, resolved_at: to, expires_at: until } = payload.data;
		if (to !== undefined) assert.ok(from < to, "an alert is resolved after it was triggered");
		if (until !== undefined) assert.ok(until > payload.timestamp, "a link works for a while");
	}
	const wrong = await hooks.call(`POST /webhooks/${id}/test`, { body: { event_type: "site.deleted" } });
	assert.deepEqual([wrong.status, wrong.faults], [422, ["body.event_type"]]);
});

test("a bad test answers 200 with the reason, is not tried again, and counts among no failures", async () => {
	hooks.receiver.answers("/bad", { status: 500 });
	const { id } = await hooks.endpoint("/bad");
	const {
		delivery_id: deliveryId,
		response_time_ms: _,
		...rest
	} = (await hooks.call(`POST /webhooks/${id}/test`)).body;
	assert.deepEqual(rest, {
		success: false,
		response_status: 500,
		verified: false,
		error_type: "http_status",
		error_message: "The receiver answered 500",
	});
	await hooks.later(3 * HOUR);
	assert.equal(hooks.got("/bad").length, 1);
	assert.equal((await hooks.call(`GET /webhooks/${id}/deliveries/${deliveryId}`)).body.status, "failed");
	const { last_failure_at: failureAt, is_active: isActive } = (await hooks.call(`GET /webhooks/${id}`)).body;
	assert.deepEqual([failureAt, isActive], [null, true]);
	hooks.receiver.answers("/bad", "drop");
	const dropped = (await hooks.call(`POST /webhooks/${id}/test`)).body;
	assert.deepEqual([dropped.success, dropped.response_status, dropped.error_type], [false, null, "connection"]);
	hooks.receiver.answers("/bad", { status: 410 });
	await hooks.call(`POST /webhooks/${id}/test`);
	assert.equal((await hooks.call(`GET /webhooks/${id}`)).body.is_active, true);
});

test("an endpoint that is off can be tested; one that was verified stays so when a test fails", async () => {
	const { id } = await hooks.endpoint("/off");
	await hooks.call(`PATCH /webhooks/${id}`, { body: { is_active: false } });
	assert.equal((await hooks.call(`POST /webhooks/${id}/test`, { body: {} })).body.success, true);
	hooks.receiver.answers("/off", { status: 404 });
	const again = (await hooks.call(`POST /webhooks/${id}/test`)).body;
	assert.deepEqual([again.success, again.verified], [false, true]);
});

test("a replay is a new delivery of the same event, byte for byte; what succeeded asks for force", async () => {
	const { id, deliveryId, delivery } = await delivered("/again", 200);
	const replay = (body?: object) => hooks.call(`POST /webhooks/${id}/deliveries/${deliveryId}/replay`, { body });
	for (const body of [undefined, {}, { force: false }]) assert.equal((await replay(body)).code, "conflict");
	assert.deepEqual((await replay({ force: "yes" })).faults, ["body.force"]);
	const answer = await replay({ force: true });
	assert.deepEqual([answer.status, answer.body.success], [200, true]);
	const { new_delivery_id: newId } = answer.body;
	assert.notEqual(newId, deliveryId);
	const waiting = await hooks.latest(id);
	assert.deepEqual(
		[waiting.delivery_id, waiting.status, waiting.attempt_number, waiting.event_id],
		[newId, "pending", 0, delivery.event_id],
	);
	await hooks.app.jobs.runDue();
	const [first, second, ...more] = hooks.got("/again");
	assert.deepEqual([second?.body, more], [first?.body, []]);
	assert.equal(second?.headers["webhook-id"], first?.headers["webhook-id"]);
	assert.equal((await hooks.latest(id)).status, "success");
});

test("a replay of what failed has five attempts of its own", async () => {
	const { id, deliveryId } = await delivered("/never", 500);
	await exhaust();
	assert.equal((await hooks.latest(id)).status, "failed");
	await hooks.call(`POST /webhooks/${id}/deliveries/${deliveryId}/replay`);
	await hooks.app.jobs.runDue();
	await exhaust();
	const [replayed, original] = await hooks.deliveriesOf(id);
	assert.deepEqual([replayed.status, replayed.attempt_number], ["failed", 5]);
	assert.deepEqual([original.status, original.attempt_number], ["failed", 5]);
	assert.equal(hooks.got("/never").length, 10);
});

test("an endpoint that is off replays nothing", async () => {
	const { id, deliveryId } = await delivered("/shut", 200);
	await hooks.call(`PATCH /webhooks/${id}`, { body: { is_active: false } });
	const one = await hooks.call(`POST /webhooks/${id}/deliveries/${deliveryId}/replay`, { body: { force: true } });
	assert.equal(one.code, "conflict");
	const bulk = await hooks.call("POST /webhooks/bulk/replay", { body: { delivery_ids: [deliveryId], force: true } });
	assert.deepEqual(bulk.body, { replayed: 0, skipped: 0, errors: [`${deliveryId}: the endpoint is switched off`] });
	assert.equal((await hooks.deliveriesOf(id)).length, 1);
});

test("several replays at once: each id once, what succeeded is skipped, what is unknown is named", async () => {
	const good = await delivered("/good", 200);
	const failing = await delivered("/failing", 500);
	const unknown = "00000000-0000-4000-8000-000000000000";
	const ids = [good.deliveryId, failing.deliveryId, failing.deliveryId, unknown];
	const bulk = (body: object) => hooks.call("POST /webhooks/bulk/replay", { body });
	const answer = await bulk({ delivery_ids: ids });
	assert.deepEqual([answer.status, answer.body], [200, { replayed: 1, skipped: 1, errors: [`${unknown}: not found`] }]);
	assert.deepEqual((await bulk({ delivery_ids: ids, force: true })).body.replayed, 2);
	await hooks.app.jobs.runDue();
	assert.deepEqual([hooks.got("/good").length, (await hooks.deliveriesOf(failing.id)).length], [3, 3]);
	for (const [delivery_ids, field] of [
		[[], "body.delivery_ids"],
		[Array(101).fill(unknown), "body.delivery_ids"],
		[["7"], "body.delivery_ids.0"],
		["7", "body.delivery_ids"],
	]) {
		assert.deepEqual((await bulk({ delivery_ids })).faults, [field]);
	}
});

test("deliveries can be listed by state and in pages, newest first", async () => {
	const { id } = await hooks.endpoint("/listed");
	for (let sent = 0; sent < 3; sent++) await hooks.announce();
	hooks.receiver.answers("/listed", { status: 500 });
	await hooks.announce();
	const list = async (query: string) => (await hooks.call(`GET /webhooks/${id}/deliveries${query}`)).body;
	const all = await list("");
	assert.deepEqual(
		[all.total, all.deliveries.map((row: { status: string }) => row.status)],
		[4, ["retrying", "success", "success", "success"]],
	);
	assert.deepEqual(
		all.deliveries.map((row: { id: number }) => row.id),
		all.deliveries.map((row: { id: number }) => row.id).toSorted((a: number, b: number) => b - a),
	);
	assert.deepEqual([(await list("?status=success")).total, (await list("?status=pending")).total], [3, 0]);
	const page = await list("?status=success&limit=2&offset=1");
	assert.deepEqual([page.total, page.deliveries.length], [3, 2]);
	for (const [query, field] of [
		["status=done", "query.status"],
		["limit=0", "query.limit"],
		["limit=201", "query.limit"],
		["offset=-1", "query.offset"],
	]) {
		const answer = await hooks.call(`GET /webhooks/${id}/deliveries?${query}`);
		assert.deepEqual([answer.status, answer.faults], [422, [field]]);
	}
});

test("the figures count the deliveries of the last hours, the rate those that have ended", async () => {
	const { id } = await hooks.endpoint("/counted");
	const stats = async (query = "") => (await hooks.call(`GET /webhooks/${id}/stats${query}`)).body;
	const none = { total_deliveries: 0, successful: 0, failed: 0, pending: 0, success_rate: 0, avg_response_time_ms: 0 };
	assert.deepEqual((await stats()).stats, none);
	hooks.receiver.answers("/counted", { status: 500 });
	await hooks.announce();
	await exhaust();
	await hooks.later(22 * HOUR);
	hooks.receiver.answers("/counted", { status: 200 });
	await hooks.announce();
	await hooks.announce();
	hooks.receiver.answers("/counted", { status: 500 });
	await hooks.announce();
	const { endpoint, stats: figures, recent_failures: failures } = await stats("?hours=48");
	const { avg_response_time_ms: time, ...counts } = figures;
	assert.deepEqual(counts, { total_deliveries: 4, successful: 2, failed: 1, pending: 1, success_rate: 66.67 });
	assert.ok(time >= 0);
	assert.equal(endpoint.id, id);
	const [failed] = await hooks.deliveriesOf(id, "?status=failed");
	assert.deepEqual(failures, [
		{
			delivery_id: failed.delivery_id,
			error_type: "http_status",
			error_message: "The receiver answered 500",
			created_at: failed.created_at,
		},
	]);
	const recent = await stats();
	assert.deepEqual([recent.stats.total_deliveries, recent.stats.success_rate, recent.recent_failures], [3, 100, []]);
	for (const query of ["?hours=0", "?hours=721", "?hours=x"]) {
		assert.deepEqual((await hooks.call(`GET /webhooks/${id}/stats${query}`)).faults, ["query.hours"]);
	}
	assert.equal((await stats("?hours=720")).stats.total_deliveries, 4);
});
