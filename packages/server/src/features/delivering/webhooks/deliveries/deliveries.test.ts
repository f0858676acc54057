import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../../../../../migrations/metadata/tables/index.ts";
import { auditTrail } from "../../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import { webhookApp } from "../../../../../test/support/webhook-app.ts";
import type { Received } from "../../../../../test/support/webhook-receiver.ts";
import { ownSignature, standardVerified } from "../../../../../test/support/webhook-signatures.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

const hooks = webhookApp();

const tables = () => hooks.app.metadata.withTables<Tables>();
const endpoint = async (id: string) => (await hooks.call(`GET /webhooks/${id}`)).body;
const change = async (id: string, body: object) => (await hooks.call(`PATCH /webhooks/${id}`, { body })).body;
const logOf = async (id: string, deliveryId: string) =>
	(await hooks.call(`GET /webhooks/${id}/deliveries/${deliveryId}/logs`)).body;
/** Receivers and subjects of the mails after so many. */
const mailsSince = async (count: number) =>
	(await mailbox(hooks.app).all()).slice(count).map(({ to, subject }) => `${to}: ${subject}`);
/** How the latest delivery of an endpoint stands, and when it is tried next. */
const standing = async (id: string) => {
	const { status, attempt_number, next_retry_at } = await hooks.latest(id);
	return [status, attempt_number, next_retry_at];
};
/** An endpoint whose receiver answers so, with the delivery of one event. */
const sentTo = async (path: string, reply: Parameters<typeof hooks.receiver.answers>[1], fields: object = {}) => {
	hooks.receiver.answers(path, reply);
	const made = await hooks.endpoint(path, fields);
	await hooks.announce();
	return made;
};
/** A moment some time after another. */
const after = (moment: number, ms: number) => new Date(moment + ms).toISOString();

test("an event of its site becomes one signed call that both kinds of verification accept", async () => {
	const { secret } = await hooks.endpoint("/signed", {
		headers: { "X-Shop": "42", "user-agent": "mine" },
		event_types: ["export.failed"],
	});
	await hooks.endpoint("/deaf", { event_types: ["goal.reached", "export.completed"] });
	for (const site of ["far", "blog", "shop"]) await hooks.announce(site);
	const [call, ...others] = hooks.got("/signed");
	assert.ok(call !== undefined && others.length === 0, `${others.length} other calls`);
	assert.deepEqual(hooks.got("/deaf"), []);
	const { event_id: eventId, ...event } = JSON.parse(call.body);
	assert.deepEqual(event, {
		...{ event: "export.failed", timestamp: hooks.now(), account_id: "shop" },
		data: { export_id: "e1", export_type: "pages", error_message: "Ünglück", failed_at: "2026-11-21T12:00:00.000Z" },
	});
	const { headers } = call;
	const found = [call.method, headers["content-type"], headers["x-shop"], headers["user-agent"], headers["webhook-id"]];
	assert.deepEqual(found, ["POST", "application/json", "42", "mine", eventId]);
	assert.equal(headers["x-service-timestamp"], String(Date.parse(hooks.now()) / 1000));
	assert.equal(headers["x-service-signature"], ownSignature(secret, call));
	assert.equal(headers["x-service-signature-previous"], undefined);
	assert.deepEqual(standardVerified(secret, call), { event_id: eventId, ...event });
	assert.equal(standardVerified(secret, { ...call, body: `${call.body} ` }), null);
	assert.equal(standardVerified(`whsec_${Buffer.alloc(32).toString("base64")}`, call), null);
	const request = hooks.sent.findLast(({ url }) => url.endsWith("/signed"));
	assert.deepEqual([request?.timeoutMs, request?.maxBytes, request?.excess], [30_000, 10_240, "cut"]);
});

test("a delivery tells what was sent, what came back and when", async () => {
	const headers = { "x-note": "hi", "set-cookie": ["session=secret"] };
	const { id } = await sentTo("/tells", { status: 201, headers, body: `a\0b${"x".repeat(20_000)}` });
	const delivery = await hooks.latest(id);
	const { response_headers: kept, delivery_id: deliveryId, response_time_ms } = delivery;
	assert.deepEqual([kept["x-note"], kept["set-cookie"]], ["hi", undefined]);
	const { body = "" } = hooks.got("/tells")[0] ?? {};
	assert.partialDeepStrictEqual(delivery, {
		...{ endpoint_id: id, event_id: JSON.parse(body).event_id, event_type: "export.failed" },
		...{ payload_size_bytes: Buffer.byteLength(body), status: "success", attempt_number: 1, max_attempts: 5 },
		...{ next_retry_at: null, error_type: null, error_message: null },
		...{ response_status_code: 201, created_at: hooks.now(), completed_at: hooks.now() },
	});
	const single = (await hooks.call(`GET /webhooks/${id}/deliveries/${deliveryId}`)).body;
	const response_body = `a\uFFFDb${"x".repeat(10_237)}`;
	assert.deepEqual(single, { ...delivery, payload: JSON.parse(body), response_body });
	const [attempt, ...more] = await logOf(id, deliveryId);
	assert.deepEqual(more, []);
	assert.partialDeepStrictEqual(attempt, {
		...{ attempt_number: 1, attempted_at: hooks.now(), success: true, request_method: "POST" },
		...{ request_url: `${hooks.receiver.url}/tells`, response_status_code: 201, response_time_ms },
	});
	const { last_delivery_at, last_success_at, last_failure_at } = await endpoint(id);
	assert.deepEqual([last_delivery_at, last_success_at, last_failure_at], [hooks.now(), hooks.now(), null]);
});

test("a failing delivery is tried five times, 20 % late at most, with the same id and a fresh signature, and then given up", async () => {
	for (const lateness of [0, 1]) {
		hooks.lateness = lateness;
		const path = `/fails-${lateness}`;
		const { id, secret } = await sentTo(path, { status: 500 });
		const began = hooks.app.clock.now();
		const waits = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR].map((wait) => wait * (1 + 0.2 * lateness));
		for (const [index, wait] of waits.entries()) {
			assert.deepEqual(await standing(id), ["retrying", index + 1, after(began, wait)]);
			assert.equal((await hooks.latest(id)).error_message, "The receiver answered 500");
			await hooks.later(began + wait - hooks.app.clock.now() - 1);
			assert.equal(hooks.got(path).length, index + 1, "a moment before");
			await hooks.later(1);
			assert.equal(hooks.got(path).length, index + 2, "at the moment");
		}
		const over = await hooks.latest(id);
		assert.deepEqual([...(await standing(id)), over.completed_at], ["failed", 5, null, hooks.now()]);
		await hooks.later(30 * DAY - 3 * HOUR);
		const calls = hooks.got(path);
		const different = (of: (call: Received) => unknown) => new Set(calls.map(of)).size;
		const ids = different(({ headers }) => headers["webhook-id"]);
		const stamps = different(({ headers }) => headers["x-service-timestamp"]);
		assert.deepEqual([calls.length, different(({ body }) => body), ids, stamps], [5, 1, 1, 5]);
		for (const call of calls) assert.equal(call.headers["x-service-signature"], ownSignature(secret, call));
		const log = await logOf(id, over.delivery_id);
		const attempts = log.map(({ attempt_number, success }: Record<string, unknown>) => `${attempt_number} ${success}`);
		assert.deepEqual(attempts, ["5 false", "4 false", "3 false", "2 false", "1 false"]);
	}
	hooks.lateness = 0;
});

test("a delivery that succeeds on the way is over, and clears the record of failures", async () => {
	const { id } = await sentTo("/recovers", { status: 503 });
	const { last_failure_at, last_failure_reason } = await endpoint(id);
	assert.deepEqual([last_failure_at, last_failure_reason], [hooks.now(), "The receiver answered 503"]);
	hooks.receiver.answers("/recovers", { status: 204 });
	await hooks.later(MINUTE);
	const { completed_at, error_type, error_message } = await hooks.latest(id);
	assert.deepEqual([...(await standing(id)), completed_at], ["success", 2, null, hooks.now()]);
	assert.deepEqual([error_type, error_message], [null, null]);
	await hooks.later(3 * HOUR);
	assert.equal(hooks.got("/recovers").length, 2);
});

test("Retry-After puts the next attempt off on 429 and 503, by two hours at most; what makes no sense is not heeded", async () => {
	const put: [number, string, number][] = [
		[429, "600", 10 * MINUTE],
		[503, "7200", 2 * HOUR],
		[503, "86400", 2 * HOUR],
		[429, "10", MINUTE],
		[429, "soon", MINUTE],
		[429, "-5", MINUTE],
		[503, new Date(hooks.app.clock.now() + 30 * MINUTE).toUTCString(), 30 * MINUTE],
		[500, "600", MINUTE],
		[404, "600", MINUTE],
	];
	const ids = [];
	for (const [index, [status, retryAfter]] of put.entries()) {
		hooks.receiver.answers(`/later-${index}`, { status, headers: { "retry-after": retryAfter } });
		ids.push((await hooks.endpoint(`/later-${index}`)).id);
	}
	const began = hooks.app.clock.now();
	await hooks.announce();
	for (const [index, [status, retryAfter, wait]] of put.entries()) {
		assert.deepEqual(await standing(ids[index] ?? ""), ["retrying", 1, after(began, wait)], `${status} ${retryAfter}`);
	}
	const [often = "", late = ""] = ids;
	await hooks.later(10 * MINUTE);
	assert.deepEqual(await standing(often), ["retrying", 2, after(began, 20 * MINUTE)]);
	hooks.receiver.answers("/later-0", { status: 500 });
	await hooks.later(10 * MINUTE);
	assert.deepEqual(await standing(often), ["retrying", 3, after(began, 30 * MINUTE)]);
	// After an attempt that was put off beyond the time of the next, that comes a minute later and not at once.
	hooks.receiver.answers("/later-1", { status: 500 });
	await hooks.later(100 * MINUTE);
	assert.equal((await standing(late))[2], after(began, 121 * MINUTE));
});

test("each way to fail has its name; no redirect is followed, and no address inside a network is connected to", async () => {
	for (const [path, reply, type, status] of [
		["/redirects", { status: 302, headers: { location: `${hooks.receiver.url}/inside` } }, "redirect", 302],
		["/drops", "drop", "connection", null],
		["/teapot", { status: 418 }, "http_status", 418],
	] as const) {
		const { id } = await sentTo(path, reply);
		const { error_type, response_status_code, error_message } = await hooks.latest(id);
		assert.deepEqual([error_type, response_status_code, error_message === ""], [type, status, false], path);
	}
	// The routes would refuse this address, unless its name has turned inward since.
	const { id } = await hooks.endpoint("/inward");
	const url = `${hooks.receiver.url.replace("localhost", "127.0.0.1")}/inward`;
	await tables().updateTable("webhook_endpoints").set({ url }).where("id", "=", id).execute();
	await hooks.announce();
	assert.equal((await hooks.latest(id)).error_type, "blocked_address");
	assert.deepEqual([hooks.got("/inside"), hooks.got("/inward")], [[], []]);
});

test("410 ends the delivery and switches the endpoint off, with an audit entry and a mail to active owners alone", async () => {
	const dora = await hooks.app.user("Dora");
	await hooks.team.enlist(dora, "owner");
	await hooks.team.deactivate(dora);
	const before = (await mailsSince(0)).length;
	const { id } = await sentTo("/gone", { status: 410 }, { name: "Old hook" });
	assert.deepEqual(await standing(id), ["failed", 1, null]);
	const { is_active, disabled_reason } = await endpoint(id);
	assert.deepEqual([is_active, disabled_reason], [false, "gone"]);
	assert.deepEqual(await mailsSince(before), ["ann@example.com: Webhook Old hook was disabled"]);
	const { user, resource, details } = (await auditTrail(hooks.app, "webhook.updated")).at(-1) ?? {};
	assert.deepEqual([user, resource], [null, id]);
	assert.deepEqual(details, { is_active: [true, false], disabled_reason: [null, "gone"] });
	await hooks.announce();
	await hooks.later(3 * HOUR);
	assert.equal(hooks.got("/gone").length, 1);
	const back = await change(id, { is_active: true });
	assert.deepEqual([back.is_active, back.disabled_reason, back.last_failure_at], [true, null, null]);
});

test("failures before an endpoint was switched on again or got another address do not switch it off", async () => {
	hooks.receiver.answers("/moved", { status: 500 });
	const { id } = await sentTo("/anew", { status: 500 });
	await hooks.later(3 * HOUR);
	for (const is_active of [false, true]) await change(id, { is_active });
	await hooks.announce();
	await hooks.later(3 * DAY - 3 * HOUR);
	assert.equal((await endpoint(id)).is_active, true);
	await change(id, { url: `${hooks.receiver.url}/moved` });
	await hooks.later(3 * HOUR);
	assert.deepEqual([hooks.got("/moved").length, (await endpoint(id)).is_active], [2, true]);
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
	assert.equal((await endpoint(tried.id)).last_success_at, hooks.now());
	hooks.receiver.answers("/tried", { status: 500 });
	await hooks.announce();
	hooks.receiver.answers("/flaky", { status: 500 });
	await hooks.later(DAY - 1);
	await hooks.announce();
	const active = () => Promise.all([dead, flaky, tried].map(async ({ id }) => (await endpoint(id)).is_active));
	assert.deepEqual(await active(), [true, true, true]);
	await hooks.later(1);
	await hooks.announce();
	assert.deepEqual(await active(), [false, true, true]);
	assert.equal((await endpoint(dead.id)).disabled_reason, "failing");
	const calls = hooks.got("/dead").length;
	await hooks.later(3 * HOUR);
	assert.equal(hooks.got("/dead").length, calls, "nothing more is sent");
	const states = (await hooks.deliveriesOf(dead.id)).map((row: { status: string }) => row.status);
	assert.deepEqual([...new Set(states)], ["failed"]);
	assert.deepEqual(await mailsSince(before), ["ann@example.com: Webhook Dead was disabled"]);
});

test("a delivery to an endpoint that its users switch off fails when its time comes; switched on again before, it goes on", async () => {
	const { id } = await sentTo("/paused", { status: 500 });
	for (const is_active of [false, true]) await change(id, { is_active });
	await hooks.later(MINUTE);
	assert.equal((await hooks.latest(id)).attempt_number, 2);
	await change(id, { is_active: false });
	await hooks.later(4 * MINUTE);
	assert.partialDeepStrictEqual(await hooks.latest(id), {
		...{ status: "failed", attempt_number: 2, error_type: "http_status", completed_at: hooks.now() },
		error_message: "The endpoint is disabled",
	});
	await hooks.announce();
	assert.equal((await hooks.deliveriesOf(id)).length, 1, "no events while off");
	assert.equal(hooks.got("/paused").length, 2);
});

test("a delivery to an endpoint of a deleted site or organization fails when its time comes, and nothing new is told", async () => {
	hooks.receiver.answers("/ended", { status: 500 });
	const { id } = await hooks.endpoint("/ended");
	const set = (table: "sites" | "organizations", is_active: number) => {
		const owner = table === "sites" ? "shop" : hooks.team.orgId;
		return tables().updateTable(table).set({ is_active }).where("id", "=", owner).execute();
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
	const { id } = await sentTo("/removed", { status: 500 });
	await hooks.retire(id);
	await hooks.later(3 * HOUR);
	assert.equal(hooks.got("/removed").length, 1);
	assert.equal((await hooks.call(`GET /webhooks/${id}/deliveries`)).code, "not_found");
});

test("an event that is told twice is sent once", async () => {
	const { id } = await sentTo("/once", { status: 200 });
	const { event_id, created_at } = await hooks.latest(id);
	const { data } = JSON.parse(hooks.got("/once")[0]?.body ?? "");
	const event = { id: event_id, type: "export.failed", siteId: "shop", occurredAt: Date.parse(created_at), data };
	const told = tables()
		.selectFrom("jobs")
		.select((jobs) => jobs.fn.max("id").as("id"));
	const again = { state: "pending", due_at: hooks.app.clock.now(), payload: JSON.stringify(event) } as const;
	const latest = told.where("kind", "=", "domain-event");
	await tables().updateTable("jobs").set(again).where("id", "=", latest).execute();
	await hooks.app.jobs.runDue();
	assert.equal((await hooks.deliveriesOf(id)).length, 1);
	assert.equal(hooks.got("/once").length, 1);
});
