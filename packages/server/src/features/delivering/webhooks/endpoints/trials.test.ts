import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
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
	const alert = "alert_id current_value expected_value metric rule_name severity test triggered_at";
	const fields: Readonly<Record<string, string>> = {
		"alert.triggered": `${alert} message threshold_percent`,
		"alert.resolved": `${alert} resolved_at`,
		"export.completed": "download_url expires_at export_id export_type file_size_bytes row_count test",
		"export.failed": "error_message export_id export_type failed_at test",
		"goal.reached": "conversion_type current_value goal_id goal_name metric period_start reached_at target_value test",
	};
	const { event_types: types } = (await hooks.call("GET /webhooks/event-types")).body;
	const told = types.map(({ type }: { type: string }) => type);
	assert.deepEqual(told, Object.keys(fields));
	for (const [type, names] of Object.entries(fields)) {
		await hooks.call(`POST /webhooks/${id}/test`, { body: { event_type: type, include_sample_context: true } });
		const payload = JSON.parse(hooks.got("/samples").at(-1)?.body ?? "");
		assert.deepEqual([payload.event, Object.keys(payload.data).sort()], [type, names.split(" ").sort()]);
		assert.equal(payload.data.test, true);
		const { triggered_at: from, resolved_at: to, expires_at: until } = payload.data;
		if (to !== undefined) assert.ok(from < to, "an alert is resolved after it was triggered");
		if (until !== undefined) assert.ok(until > payload.timestamp, "a link works for a while");
	}
	const wrong = await hooks.call(`POST /webhooks/${id}/test`, { body: { event_type: "site.deleted" } });
	assert.deepEqual([wrong.status, wrong.faults], [422, ["body.event_type"]]);
});

test("a bad test answers 200 with the reason, is not tried again, counts among no failures, and leaves a webhook verified", async () => {
	hooks.receiver.answers("/bad", { status: 500 });
	const { id } = await hooks.endpoint("/bad");
	const bad = (await hooks.call(`POST /webhooks/${id}/test`)).body;
	assert.deepEqual(
		[bad.success, bad.response_status, bad.verified, bad.error_type, bad.error_message],
		[false, 500, false, "http_status", "The receiver answered 500"],
	);
	await hooks.later(3 * HOUR);
	assert.equal(hooks.got("/bad").length, 1);
	assert.equal((await hooks.call(`GET /webhooks/${id}/deliveries/${bad.delivery_id}`)).body.status, "failed");
	const { last_failure_at, is_active } = (await hooks.call(`GET /webhooks/${id}`)).body;
	assert.deepEqual([last_failure_at, is_active], [null, true]);
	hooks.receiver.answers("/bad", "drop");
	const dropped = (await hooks.call(`POST /webhooks/${id}/test`)).body;
	assert.deepEqual([dropped.success, dropped.response_status, dropped.error_type], [false, null, "connection"]);
	await hooks.call(`PATCH /webhooks/${id}`, { body: { is_active: false } });
	hooks.receiver.answers("/bad", { status: 200 });
	const tested = () => hooks.call(`POST /webhooks/${id}/test`, { body: {} });
	assert.equal((await tested()).body.success, true, "an endpoint that is off can be tested");
	await hooks.call(`PATCH /webhooks/${id}`, { body: { is_active: true } });
	hooks.receiver.answers("/bad", { status: 410 });
	assert.equal((await tested()).body.verified, true);
	assert.equal((await hooks.call(`GET /webhooks/${id}`)).body.is_active, true);
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

test("an endpoint that is off replays nothing", async () => {
	const { id, deliveryId } = await delivered("/shut", 200);
	await hooks.call(`PATCH /webhooks/${id}`, { body: { is_active: false } });
	const one = await hooks.call(`POST /webhooks/${id}/deliveries/${deliveryId}/replay`, { body: { force: true } });
	assert.equal(one.code, "conflict");
	const bulk = await hooks.call("POST /webhooks/bulk/replay", { body: { delivery_ids: [deliveryId], force: true } });
	assert.deepEqual(bulk.body, { replayed: 0, skipped: 0, errors: [`${deliveryId}: the endpoint is switched off`] });
	assert.equal((await hooks.deliveriesOf(id)).length, 1);
});

test("replays of many take each id once, skip successes, name unknown ids, and have five attempts of their own", async () => {
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
	await exhaust();
	assert.equal(hooks.got("/failing").length, 15);
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
	const { total, deliveries }: { total: number; deliveries: { id: number; status: string }[] } = await list("");
	const states = deliveries.toSorted((one, other) => other.id - one.id).map(({ status }) => status);
	assert.deepEqual([total, states], [4, ["retrying", "success", "success", "success"]]);
	assert.equal(deliveries[0]?.status, "retrying");
	assert.deepEqual([(await list("?status=success")).total, (await list("?status=pending")).total], [3, 0]);
	const page = await list("?status=success&limit=2&offset=1");
	assert.deepEqual([page.total, page.deliveries.length], [3, 2]);
	for (const query of ["status=done", "limit=0", "limit=201", "offset=-1"]) {
		const { faults } = await hooks.call(`GET /webhooks/${id}/deliveries?${query}`);
		assert.deepEqual(faults, [`query.${query.split("=")[0]}`]);
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
	const { stats: figures, recent_failures: failures } = await stats("?hours=48");
	const { avg_response_time_ms: _, ...counts } = figures;
	assert.deepEqual(counts, { total_deliveries: 4, successful: 2, failed: 1, pending: 1, success_rate: 66.67 });
	const [{ delivery_id, created_at }] = await hooks.deliveriesOf(id, "?status=failed");
	const failure = { error_type: "http_status", error_message: "The receiver answered 500" };
	assert.deepEqual(failures, [{ delivery_id, created_at, ...failure }]);
	const recent = await stats();
	assert.deepEqual([recent.stats.total_deliveries, recent.stats.success_rate, recent.recent_failures], [3, 100, []]);
	for (const query of ["?hours=0", "?hours=721", "?hours=x"]) {
		assert.deepEqual((await hooks.call(`GET /webhooks/${id}/stats${query}`)).faults, ["query.hours"]);
	}
	assert.equal((await stats("?hours=720")).stats.total_deliveries, 4);
});

const guide = readFileSync(new URL("../../../../../../../docs/webhooks.md", import.meta.url), "utf8");
const languages = [
	["js", "node", "sample.mjs"],
	["python", "python3", "sample.py"],
	["php", "php", "sample.php"],
	["ruby", "ruby", "sample.rb"],
] as const;

const directory = mkdtempSync(join(tmpdir(), "footfall-samples-"));
after(() => rmSync(directory, { recursive: true, force: true }));

for (const [fence, program, file] of languages) {
	const command = program === "node" ? process.execPath : program;
	const isMissing = spawnSync(command, ["--version"]).error !== undefined;
	test(`the sample in ${fence} tells real requests from forged ones`, {
		skip: isMissing && `${program} is not on this machine`,
	}, async () => {
		const [, code] = new RegExp(`\`\`\`${fence}\n(.*?)\`\`\``, "s").exec(guide) ?? [];
		assert.ok(code);
		writeFileSync(join(directory, file), code);
		// Samples ask the machine for the time.
		hooks.app.clock.set(new Date().toISOString());
		const { secret } = await hooks.endpoint(`/${fence}`);
		await hooks.announce();
		const [call] = hooks.got(`/${fence}`);
		assert.ok(call);
		const says = (given: { body?: string; secret?: string; timestamp?: string } = {}): string => {
			const env = {
				PATH: process.env.PATH ?? "",
				WEBHOOK_SECRET: given.secret ?? secret,
				SIGNATURE: String(call.headers["x-service-signature"]),
				TIMESTAMP: given.timestamp ?? String(call.headers["x-service-timestamp"]),
			};
			const input = given.body ?? call.body;
			const run = spawnSync(command, [join(directory, file)], { env, input, encoding: "utf8" });
			assert.equal(run.stderr, "");
			return run.stdout.trim();
		};
		assert.equal(says(), "authentic");
		assert.equal(says({ body: `${call.body} ` }), "forged");
		assert.equal(says({ secret: "whsec_other" }), "forged");
		assert.equal(says({ timestamp: String(Number(call.headers["x-service-timestamp"]) + 1) }), "forged");
		assert.equal(says({ timestamp: "1700000000" }), "forged");
	});
}
