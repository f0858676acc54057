import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../../../../../migrations/metadata/tables/index.ts";
import { webhookApp } from "../../../../../test/support/webhook-app.ts";
import { uuid } from "../../../../platform/lib/ids.ts";
import { newDelivery } from "../sending/enqueue-attempt.ts";
import { insertDeliveries } from "./deliveries-store.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

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
const bulk = (body: object) => hooks.call("POST /webhooks/bulk/replay", { body });

test("a replay is a new delivery of the same event, byte for byte; what succeeded asks for force", async () => {
	const { id, deliveryId, delivery } = await delivered("/again", 200);
	const replay = (body?: object) => hooks.call(`POST /webhooks/${id}/deliveries/${deliveryId}/replay`, { body });
	for (const body of [undefined, {}, { force: false }]) assert.equal((await replay(body)).code, "conflict");
	const answer = await replay({ force: true });
	assert.deepEqual([answer.status, answer.body.success], [200, true]);
	const { new_delivery_id: newId } = answer.body;
	assert.notEqual(newId, deliveryId);
	const waiting = await hooks.latest(id);
	const found = [waiting.delivery_id, waiting.status, waiting.attempt_number, waiting.event_id];
	assert.deepEqual(found, [newId, "pending", 0, delivery.event_id]);
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
	const many = await bulk({ delivery_ids: [deliveryId], force: true });
	assert.deepEqual(many.body, { replayed: 0, skipped: 0, errors: [`${deliveryId}: the endpoint is switched off`] });
	assert.equal((await hooks.deliveriesOf(id)).length, 1);
});

test("replays of many take each id once, skip successes, name unknown ids, and have five attempts of their own", async () => {
	const good = await delivered("/good", 200);
	const failing = await delivered("/failing", 500);
	const unknown = "00000000-0000-4000-8000-000000000000";
	const ids = [good.deliveryId, failing.deliveryId, failing.deliveryId, unknown];
	const answer = await bulk({ delivery_ids: ids });
	assert.deepEqual([answer.status, answer.body], [200, { replayed: 1, skipped: 1, errors: [`${unknown}: not found`] }]);
	assert.deepEqual((await bulk({ delivery_ids: ids, force: true })).body.replayed, 2);
	await hooks.app.jobs.runDue();
	assert.deepEqual([hooks.got("/good").length, (await hooks.deliveriesOf(failing.id)).length], [3, 3]);
	await exhaust();
	assert.equal(hooks.got("/failing").length, 15);
});

test("deliveries can be listed by state and in pages, newest first", async () => {
	const { id } = await hooks.endpoint("/listed");
	for (let sent = 0; sent < 3; sent++) await hooks.announce();
	hooks.receiver.answers("/listed", { status: 500 });
	await hooks.announce();
	const list = async (query: string) => (await hooks.call(`GET /webhooks/${id}/deliveries${query}`)).body;
	const { total, deliveries }: { total: number; deliveries: { status: string }[] } = await list("");
	const states = deliveries.map(({ status }) => status);
	assert.deepEqual([total, states], [4, ["retrying", "success", "success", "success"]]);
	assert.deepEqual([(await list("?status=success")).total, (await list("?status=pending")).total], [3, 0]);
	const page = await list("?status=success&limit=2&offset=1");
	assert.deepEqual([page.total, page.deliveries.length], [3, 2]);
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
	assert.equal((await stats("?hours=720")).stats.total_deliveries, 4);
});

test("deliveries are kept for 30 days, and secrets that no longer sign are forgotten", async () => {
	const { id } = await hooks.endpoint("/kept");
	await hooks.announce();
	await hooks.call(`POST /webhooks/${id}/rotate-secret`);
	await hooks.later(29 * DAY);
	assert.equal((await hooks.deliveriesOf(id)).length, 1);
	await hooks.announce();
	await hooks.later(2 * DAY);
	assert.equal((await hooks.deliveriesOf(id)).length, 1);
	const endpoints = hooks.app.metadata.withTables<Tables>().selectFrom("webhook_endpoints").where("id", "=", id);
	assert.deepEqual(await endpoints.select("sealed_previous_secret").execute(), [{ sealed_previous_secret: null }]);
	await hooks.later(31 * DAY);
	assert.deepEqual(await hooks.deliveriesOf(id), []);
});

test("an endpoint keeps its latest 1,000 deliveries that have ended, and those that wait; others keep theirs", async () => {
	const other = await hooks.endpoint("/other");
	await hooks.announce();
	const { id } = await hooks.endpoint("/replayed");
	const told = { endpoint_id: id, event_id: uuid(), event_type: "export.completed", payload: "{}" } as const;
	const now = hooks.app.clock.now();
	const rows = Array.from({ length: 1_010 }, (_, n) => {
		const status = n < 5 ? "pending" : "success";
		return { ...newDelivery(told, now), status, response_body: String(n) } as const;
	});
	for (let from = 0; from < rows.length; from += 101) {
		await insertDeliveries(hooks.app.metadata, rows.slice(from, from + 101));
	}
	await hooks.later(HOUR);
	const { deliveries, total } = (await hooks.call(`GET /webhooks/${id}/deliveries?limit=100&offset=910`)).body;
	assert.equal(total, 1_005);
	const last = deliveries.slice(-6).map(({ status }: { status: string }) => status);
	assert.deepEqual(last, ["success", ...Array(5).fill("pending")]);
	assert.equal((await hooks.deliveriesOf(other.id)).length, 1);
});
