import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../../../../../migrations/metadata/tables/index.ts";
import { auditTrail } from "../../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import { webhookApp } from "../../../../../test/support/webhook-app.ts";
import { ownSignature, standardVerified } from "../../../../../test/support/webhook-signatures.ts";
import { uuid } from "../../../../platform/lib/ids.ts";
import { insertDeliveries } from "./deliveries-store.ts";
import { newDelivery } from "./new-delivery.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

const hooks = webhookApp();

/** Receivers and subjects of the mails after so many. */
const mailsSince = async (count: number) =>
	(await mailbox(hooks.app).all()).slice(count).map(({ to, subject }) => `${to}: ${subject}`);

test("410 ends the delivery and switches the endpoint off, with an audit entry and a mail to active owners alone", async () => {
	const dora = await hooks.app.user("Dora");
	await hooks.team.enlist(dora, "owner");
	await hooks.team.deactivate(dora);
	hooks.receiver.answers("/gone", { status: 410 });
	const { id } = await hooks.endpoint("/gone", { name: "Old hook" });
	const before = (await mailsSince(0)).length;
	await hooks.announce();
	const delivery = await hooks.latest(id);
	assert.deepEqual([delivery.status, delivery.attempt_number, delivery.next_retry_at], ["failed", 1, null]);
	const endpoint = (await hooks.call(`GET /webhooks/${id}`)).body;
	assert.deepEqual([endpoint.is_active, endpoint.disabled_reason], [false, "gone"]);
	assert.deepEqual(await mailsSince(before), ["ann@example.com: Webhook Old hook was disabled"]);
	const { user, resource, details } = (await auditTrail(hooks.app, "webhook.updated")).at(-1) ?? {};
	assert.deepEqual([user, resource], [null, id]);
	assert.deepEqual(details, { is_active: [true, false], disabled_reason: [null, "gone"] });
	await hooks.announce();
	await hooks.later(3 * HOUR);
	assert.equal(hooks.got("/gone").length, 1);
	const back = (await hooks.call(`PATCH /webhooks/${id}`, { body: { is_active: true } })).body;
	assert.deepEqual([back.is_active, back.disabled_reason, back.last_failure_at], [true, null, null]);
});

test("failures before an endpoint was switched on again or got another address do not switch it off", async () => {
	for (const path of ["/anew", "/moved"]) hooks.receiver.answers(path, { status: 500 });
	const { id } = await hooks.endpoint("/anew");
	const change = (body: object) => hooks.call(`PATCH /webhooks/${id}`, { body });
	const isActive = async () => (await hooks.call(`GET /webhooks/${id}`)).body.is_active;
	await hooks.announce();
	await hooks.later(3 * HOUR);
	for (const is_active of [false, true]) await change({ is_active });
	await hooks.announce();
	await hooks.later(3 * DAY - 3 * HOUR);
	assert.equal(await isActive(), true);
	await change({ url: `${hooks.receiver.url}/moved` });
	await hooks.later(3 * HOUR);
	assert.deepEqual([hooks.got("/moved").length, await isActive()], [2, true]);
});

test("an endpoint that nothing reached for three days is switched off with a mail, once; a success or a good test in between saves it", async () => {
	for (const path of ["/dead", "/flaky", "/tried"]) hooks.receiver.answers(path, { status: 500 });
	const dead = await hooks.endpoint("/dead", { name: "Dead" });
	const [flaky, tried] = [await hooks.endpoint("/flaky"), await hooks.endpoint("/tried")];
	const before = (await mailsSince(0)).length;
	await hooks.announce();
	await hooks.later(2 * DAY);
	for (const path of ["/flaky", "/tried"]) hooks.receiver.answers(path, { status: 200 });
	assert.equal((await hooks.call(`POST /webhooks/${tried.id}/test`)).body.success, true);
	assert.equal((await hooks.call(`GET /webhooks/${tried.id}`)).body.last_success_at, hooks.now());
	hooks.receiver.answers("/tried", { status: 500 });
	await hooks.announce();
	hooks.receiver.answers("/flaky", { status: 500 });
	await hooks.later(DAY - 1);
	await hooks.announce();
	const active = () =>
		Promise.all([dead, flaky, tried].map(async ({ id }) => (await hooks.call(`GET /webhooks/${id}`)).body.is_active));
	assert.deepEqual(await active(), [true, true, true]);
	await hooks.later(1);
	await hooks.announce();
	assert.deepEqual(await active(), [false, true, true]);
	assert.equal((await hooks.call(`GET /webhooks/${dead.id}`)).body.disabled_reason, "failing");
	const calls = hooks.got("/dead").length;
	await hooks.later(3 * HOUR);
	assert.equal(hooks.got("/dead").length, calls, "nothing more is sent");
	const states = (await hooks.deliveriesOf(dead.id)).map((row: { status: string }) => row.status);
	assert.deepEqual([...new Set(states)], ["failed"]);
	assert.deepEqual(await mailsSince(before), ["ann@example.com: Webhook Dead was disabled"]);
});

test("what waits for an endpoint that its users switch off fails when its time comes; switched on again before, it goes on", async () => {
	hooks.receiver.answers("/paused", { status: 500 });
	const { id } = await hooks.endpoint("/paused");
	await hooks.announce();
	const set = (active: boolean) => hooks.call(`PATCH /webhooks/${id}`, { body: { is_active: active } });
	await set(false);
	await set(true);
	await hooks.later(MINUTE);
	assert.equal((await hooks.latest(id)).attempt_number, 2);
	await set(false);
	await hooks.later(4 * MINUTE);
	const over = await hooks.latest(id);
	assert.deepEqual(
		[over.status, over.attempt_number, over.error_type, over.error_message, over.completed_at],
		["failed", 2, "http_status", "The endpoint is disabled", hooks.now()],
	);
	await hooks.announce();
	assert.equal((await hooks.deliveriesOf(id)).length, 1, "no events while off");
	assert.equal(hooks.got("/paused").length, 2);
});

test("what waits for an endpoint of a deleted site or organization fails when its time comes, and nothing new is told", async () => {
	hooks.receiver.answers("/ended", { status: 500 });
	const { id } = await hooks.endpoint("/ended");
	const set = (table: "sites" | "organizations", is_active: number) => {
		const owner = table === "sites" ? "shop" : hooks.team.orgId;
		const tables = hooks.app.metadata.withTables<Tables>();
		return tables.updateTable(table).set({ is_active }).where("id", "=", owner).execute();
	};
	for (const table of ["sites", "organizations"] as const) {
		await hooks.announce();
		const calls = hooks.got("/ended").length;
		await set(table, 0);
		await hooks.announce();
		await hooks.later(MINUTE);
		await set(table, 1);
		const [over] = await hooks.deliveriesOf(id);
		assert.deepEqual([over.status, over.error_message], ["failed", "The site was deleted"], table);
		assert.equal(hooks.got("/ended").length, calls, table);
	}
	assert.equal((await hooks.deliveriesOf(id)).length, 2);
});

test("an endpoint that is removed takes its log with it, and what waited is not sent", async () => {
	hooks.receiver.answers("/removed", { status: 500 });
	const { id } = await hooks.endpoint("/removed");
	await hooks.announce();
	assert.equal((await hooks.retire(id)).status, 204);
	await hooks.later(3 * HOUR);
	assert.equal(hooks.got("/removed").length, 1);
	assert.equal((await hooks.call(`GET /webhooks/${id}/deliveries`)).code, "not_found");
	assert.equal((await hooks.retire(id)).code, "not_found");
});

test("an event that is told twice is sent once", async () => {
	const { id } = await hooks.endpoint("/once");
	await hooks.announce();
	const { event_id, created_at } = await hooks.latest(id);
	const { data } = JSON.parse(hooks.got("/once")[0]?.body ?? "");
	const event = { id: event_id, type: "export.failed", siteId: "shop", occurredAt: Date.parse(created_at), data };
	const tables = hooks.app.metadata.withTables<Tables>();
	const told = tables.selectFrom("jobs").select((jobs) => jobs.fn.max("id").as("id"));
	const again = { state: "pending", due_at: hooks.app.clock.now(), payload: JSON.stringify(event) } as const;
	await tables
		.updateTable("jobs")
		.set(again)
		.where("id", "=", told.where("kind", "=", "domain-event"))
		.execute();
	await hooks.app.jobs.runDue();
	assert.equal((await hooks.deliveriesOf(id)).length, 1);
	assert.equal(hooks.got("/once").length, 1);
});

test("an event whose change is rolled back is never told; events of other sites stay there", async () => {
	const { id } = await hooks.endpoint("/alone");
	await assert.rejects(
		hooks.app.metadata.transaction().execute(async (trx) => {
			const data = { export_id: "e", export_type: "pages", error_message: "no", failed_at: hooks.now() };
			await hooks.app.events.announce(trx, { type: "export.failed", siteId: "shop", data });
			throw new Error("the change fails");
		}),
	);
	await hooks.announce("far");
	await hooks.announce("blog");
	await hooks.app.jobs.runDue();
	assert.equal(hooks.got("/alone").length, 0);
	assert.deepEqual(await hooks.deliveriesOf(id), []);
});

test("a new secret signs at once, the one before beside it for 24 hours, an older one never again", async () => {
	const { id, secret: first } = await hooks.endpoint("/rotates");
	const rotate = async () => (await hooks.call(`POST /webhooks/${id}/rotate-secret`)).body;
	/** The signature beside the first, and which of some secrets an independent library accepts. */
	const signed = async (latest: string, ...others: readonly string[]) => {
		await hooks.announce();
		const call = hooks.got("/rotates").at(-1);
		assert.ok(call);
		assert.equal(call.headers["x-service-signature"], ownSignature(latest, call));
		const beside = call.headers["x-service-signature-previous"];
		return [
			others.find((secret) => beside === ownSignature(secret, call)) ?? beside,
			...[latest, ...others].map((secret) => standardVerified(secret, call) !== null),
		];
	};
	const { new_secret: second, ...rotation } = await rotate();
	const end = hooks.app.clock.now() + DAY;
	assert.deepEqual(rotation, { previous_secret_expires_at: new Date(end).toISOString(), secret_version: 2 });
	const endpoint = (await hooks.call(`GET /webhooks/${id}`)).body;
	assert.deepEqual([endpoint.secret_last_4, endpoint.secret_version], [second.slice(-4), 2]);
	assert.equal(endpoint.previous_secret_expires_at, rotation.previous_secret_expires_at);
	assert.deepEqual(await signed(second, first), [first, true, true]);
	const { new_secret: third } = await rotate();
	assert.deepEqual(await signed(third, second, first), [second, true, true, false]);
	await hooks.later(DAY - SECOND);
	assert.deepEqual(await signed(third, second), [second, true, true]);
	await hooks.later(SECOND);
	assert.deepEqual(await signed(third, second), [undefined, true, false]);
	assert.equal((await hooks.call(`GET /webhooks/${id}`)).body.previous_secret_expires_at, null);
	const versions = await Promise.all(Array.from({ length: 5 }, rotate));
	assert.deepEqual(versions.map((made) => made.secret_version).sort(), [4, 5, 6, 7, 8]);
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
	const row = await endpoints.select("sealed_previous_secret").executeTakeFirstOrThrow();
	assert.equal(row.sealed_previous_secret, null);
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
