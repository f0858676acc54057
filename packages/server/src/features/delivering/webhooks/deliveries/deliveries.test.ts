import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../../../../../migrations/metadata/tables/index.ts";
import { webhookApp } from "../../../../../test/support/webhook-app.ts";
import { openWebhookReceiver, type Received } from "../../../../../test/support/webhook-receiver.ts";
import { ownSignature, standardVerified } from "../../../../../test/support/webhook-signatures.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

const hooks = webhookApp();

const logOf = async (id: string, deliveryId: string) =>
	(await hooks.call(`GET /webhooks/${id}/deliveries/${deliveryId}/logs`)).body;
const only = (path: string): Received => {
	const [call, ...more] = hooks.got(path);
	assert.ok(call !== undefined && more.length === 0, `${hooks.got(path).length} calls of ${path}`);
	return call;
};

test("an event becomes one signed call that both kinds of verification accept", async () => {
	const { secret } = await hooks.endpoint("/signed", {
		headers: { "X-Shop": "42", "user-agent": "mine" },
		event_types: ["export.failed"],
	});
	await hooks.endpoint("/deaf", { event_types: ["goal.reached", "export.completed"] });
	await hooks.announce();
	const call = only("/signed");
	assert.deepEqual(hooks.got("/deaf"), []);
	const { event_id: eventId, ...event } = JSON.parse(call.body);
	assert.deepEqual(event, {
		...{ event: "export.failed", timestamp: hooks.now(), account_id: "shop" },
		data: { export_id: "e1", export_type: "pages", error_message: "Ünglück", failed_at: "2026-11-21T12:00:00.000Z" },
	});
	const { headers } = call;
	assert.deepEqual(
		[call.method, headers["content-type"], headers["x-shop"], headers["user-agent"], headers["webhook-id"]],
		["POST", "application/json", "42", "mine", eventId],
	);
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
	hooks.receiver.answers("/tells", {
		status: 201,
		headers: { "x-note": "hi", "set-cookie": ["session=secret"] },
		body: `a\0b${"x".repeat(20_000)}`,
	});
	const { id } = await hooks.endpoint("/tells");
	await hooks.announce();
	const delivery = await hooks.latest(id);
	const { response_headers: headers, delivery_id: deliveryId, created_at, completed_at } = delivery;
	assert.deepEqual([headers["x-note"], headers["set-cookie"]], ["hi", undefined]);
	const { body } = only("/tells");
	assert.deepEqual(
		[delivery.endpoint_id, delivery.event_id, delivery.event_type, delivery.payload_size_bytes],
		[id, JSON.parse(body).event_id, "export.failed", Buffer.byteLength(body)],
	);
	assert.deepEqual([delivery.status, delivery.attempt_number, delivery.max_attempts], ["success", 1, 5]);
	const { next_retry_at, error_type, error_message } = delivery;
	assert.deepEqual([next_retry_at, error_type, error_message], [null, null, null]);
	assert.deepEqual([delivery.response_status_code, created_at, completed_at], [201, hooks.now(), hooks.now()]);
	const single = (await hooks.call(`GET /webhooks/${id}/deliveries/${deliveryId}`)).body;
	const response_body = `a\uFFFDb${"x".repeat(10_237)}`;
	assert.deepEqual(single, { ...delivery, payload: JSON.parse(body), response_body });
	const [attempt, ...more] = await logOf(id, deliveryId);
	assert.deepEqual([more, attempt.attempt_number, attempt.attempted_at, attempt.success], [[], 1, hooks.now(), true]);
	assert.deepEqual(
		[attempt.request_method, attempt.request_url, attempt.response_status_code, attempt.response_time_ms],
		["POST", `${hooks.receiver.url}/tells`, 201, delivery.response_time_ms],
	);
	const { last_delivery_at, last_success_at, last_failure_at } = (await hooks.call(`GET /webhooks/${id}`)).body;
	assert.deepEqual([last_delivery_at, last_success_at, last_failure_at], [hooks.now(), hooks.now(), null]);
});

test("a failing delivery is tried five times, 20 % late at most, with the same id and a fresh signature, and then given up", async () => {
	for (const lateness of [0, 1]) {
		hooks.lateness = lateness;
		const path = `/fails-${lateness}`;
		hooks.receiver.answers(path, { status: 500, body: "no" });
		const { id, secret } = await hooks.endpoint(path);
		const began = hooks.app.clock.now();
		await hooks.announce();
		const waits = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR].map((wait) => wait * (1 + 0.2 * lateness));
		for (const [index, wait] of waits.entries()) {
			const waiting = await hooks.latest(id);
			assert.deepEqual(
				[waiting.status, waiting.attempt_number, waiting.next_retry_at, waiting.error_message],
				["retrying", index + 1, new Date(began + wait).toISOString(), "The receiver answered 500"],
			);
			await hooks.later(began + wait - hooks.app.clock.now() - 1);
			assert.equal(hooks.got(path).length, index + 1, "a moment before");
			await hooks.later(1);
			assert.equal(hooks.got(path).length, index + 2, "at the moment");
		}
		const over = await hooks.latest(id);
		assert.deepEqual(
			[over.status, over.attempt_number, over.next_retry_at, over.completed_at],
			["failed", 5, null, hooks.now()],
		);
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
	hooks.receiver.answers("/recovers", { status: 503 });
	const { id } = await hooks.endpoint("/recovers");
	await hooks.announce();
	const endpoint = (await hooks.call(`GET /webhooks/${id}`)).body;
	assert.equal(endpoint.last_failure_at, hooks.now());
	assert.equal(endpoint.last_failure_reason, "The receiver answered 503");
	hooks.receiver.answers("/recovers", { status: 204 });
	await hooks.later(MINUTE);
	const delivery = await hooks.latest(id);
	assert.deepEqual(
		[delivery.status, delivery.attempt_number, delivery.completed_at, delivery.error_type, delivery.error_message],
		["success", 2, hooks.now(), null, null],
	);
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
		const { next_retry_at: next } = await hooks.latest(ids[index] ?? "");
		assert.equal(next, new Date(began + wait).toISOString(), `${status} ${retryAfter}`);
	}
	await hooks.later(10 * MINUTE);
	assert.equal((await hooks.latest(ids[0] ?? "")).next_retry_at, new Date(began + 20 * MINUTE).toISOString());
	hooks.receiver.answers("/later-0", { status: 500 });
	await hooks.later(10 * MINUTE);
	const third = await hooks.latest(ids[0] ?? "");
	assert.deepEqual([third.attempt_number, third.next_retry_at], [3, new Date(began + 30 * MINUTE).toISOString()]);
	// After an attempt that was put off beyond the time of the next, that comes a minute later and not at once.
	hooks.receiver.answers("/later-1", { status: 500 });
	await hooks.later(100 * MINUTE);
	assert.equal((await hooks.latest(ids[1] ?? "")).next_retry_at, new Date(began + 121 * MINUTE).toISOString());
});

test("each way to fail has its name", async () => {
	hooks.receiver.answers("/redirects", { status: 302, headers: { location: `${hooks.receiver.url}/inside` } });
	hooks.receiver.answers("/hangs", "hang");
	hooks.receiver.answers("/drops", "drop");
	hooks.receiver.answers("/teapot", { status: 418 });
	const untrusted = await openWebhookReceiver();
	const ways: [string, string, number | null, string | undefined][] = [
		["/redirects", "redirect", 302, undefined],
		["/hangs", "timeout", null, undefined],
		["/drops", "connection", null, undefined],
		["/teapot", "http_status", 418, undefined],
		["/dns", "dns", null, "https://does-not-exist.invalid/dns"],
		["/tls", "tls", null, `${untrusted.url}/tls`],
	];
	for (const [path, type, status, url] of ways) {
		const { id } = await hooks.endpoint(path);
		if (url !== undefined) await putUrl(id, url);
		await hooks.announce();
		const delivery = await hooks.latest(id);
		assert.partialDeepStrictEqual(
			delivery,
			{ status: "retrying", error_type: type, response_status_code: status },
			path,
		);
		assert.ok(delivery.error_message.length > 0);
		await hooks.retire(id);
	}
	await untrusted.close();
	assert.equal(hooks.got("/inside").length, 0, "redirects are not followed");
});

/** An address that the routes would refuse, as if its name had turned inward since. */
const putUrl = (id: string, url: string) =>
	hooks.app.metadata.withTables<Tables>().updateTable("webhook_endpoints").set({ url }).where("id", "=", id).execute();

test("an address inside a network is not connected to, even when it got past the routes", async () => {
	const { id } = await hooks.endpoint("/inward");
	const before = hooks.receiver.received.length;
	await putUrl(id, hooks.receiver.url.replace("localhost", "127.0.0.1"));
	await hooks.announce();
	const delivery = await hooks.latest(id);
	assert.deepEqual([delivery.status, delivery.error_type], ["retrying", "blocked_address"]);
	assert.equal(hooks.receiver.received.length, before);
});
