import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../../../../../migrations/metadata/tables/index.ts";
import { auditTrail } from "../../../../../test/support/audit-trail.ts";
import { type WebhookApp, webhookApp } from "../../../../../test/support/webhook-app.ts";
import { ownSignature, standardVerified } from "../../../../../test/support/webhook-signatures.ts";

const [HOUR, DAY] = [3_600_000, 86_400_000];

const hooks = webhookApp();

const body = (fields: object = {}) => ({
	name: "Hook",
	url: "https://hooks.example.com/in",
	event_types: ["export.failed"],
	...fields,
});
const get = async (id: string) => (await hooks.call(`GET /webhooks/${id}`)).body;
const change = (id: string, fields: object) => hooks.call(`PATCH /webhooks/${id}`, { body: fields });
const tested = (id: string, fields?: object) => hooks.call(`POST /webhooks/${id}/test`, { body: fields });

test("an endpoint is made with a secret that no later answer shows", async () => {
	const fields = { headers: { "X-Token": "let me in" }, description: "two\nlines" };
	const made = await hooks.call("POST /webhooks", { body: body({ ...fields, name: " Orders " }) });
	assert.equal(made.status, 201);
	const { secret, ...record } = made.body;
	assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
	const found = [record.name, record.headers, record.description, record.secret_last_4, record.secret_version];
	assert.deepEqual(found, ["Orders", fields.headers, fields.description, secret.slice(-4), 1]);
	assert.deepEqual([record.is_active, record.is_verified, record.created_by], [true, false, hooks.team.ann.id]);
	assert.deepEqual(await get(record.id), record);
	assert.deepEqual((await hooks.call("GET /webhooks")).body, { endpoints: [record], total: 1 });
	assert.ok(!hooks.app.logLines.join("\n").includes(secret));
	const rows = await hooks.app.metadata.withTables<Tables>().selectFrom("webhook_endpoints").selectAll().execute();
	for (const hidden of [secret.slice(6, 30), "let me in"]) assert.ok(!JSON.stringify(rows).includes(hidden));
});

test("an address that cannot be called, and a header that must not be sent, is refused with its field", async () => {
	const refused: [object, string][] = [
		[{ url: "http://hooks.example.com/" }, "body.url"],
		[{ url: "hooks.example.com" }, "body.url"],
		[{ headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`X-${i}`, "v"])) }, "body.headers"],
		...[
			...["Host", "content-type", "Content-Length", "Transfer-Encoding", "CONNECTION", "X-Service-Signature"],
			...["x-service-timestamp", "webhook-id", "Webhook-Signature", "Expect", "Upgrade", "X Y", "X_Y", "Ünicode"],
		].map((name): [object, string] => [{ headers: { [name]: "v" } }, `body.headers.${name}`]),
		[{ headers: { "X-A": "x".repeat(1001) } }, "body.headers.X-A"],
		[{ headers: { "X-A": "schön" } }, "body.headers.X-A"],
		[{ headers: { "X-A": "a\r\nHost: b" } }, "body.headers.X-A"],
		[{ headers: { "X-A": "1", "x-a": "2" } }, "body.headers.x-a"],
	];
	const { id } = await hooks.endpoint("/ok");
	for (const [fields, field] of refused) {
		for (const answer of [await hooks.call("POST /webhooks", { body: body(fields) }), await change(id, fields)]) {
			assert.deepEqual([answer.status, answer.faults], [422, [field]], JSON.stringify(fields).slice(0, 100));
		}
	}
});

test("a change touches what is given; another address is not verified, and what is off is not listed", async () => {
	const { id } = await hooks.endpoint("/ok", { headers: { "X-A": "1" }, description: "old" });
	assert.equal((await tested(id)).body.verified, true);
	const before = await get(id);
	const same = await change(id, { url: before.url, name: "New", unknown: 1 });
	const updated = { ...before, name: "New", updated_at: "2026-11-21T12:00:00.000Z" };
	assert.deepEqual([same.body, same.body.is_verified], [updated, true]);
	const url = `${hooks.receiver.url}/other`;
	const fields = { url, headers: {}, description: null, event_types: ["goal.reached"] };
	assert.deepEqual((await change(id, fields)).body, { ...updated, ...fields, is_verified: false });
	const off = (await change(id, { is_active: false })).body;
	assert.deepEqual([off.is_active, off.disabled_reason], [false, null]);
	const list = async (query = "") => (await hooks.call(`GET /webhooks${query}`)).body;
	assert.deepEqual([(await list()).total, (await list("?include_inactive=true")).total], [0, 1]);
	assert.equal((await change(id, { is_active: true })).body.is_active, true);
	for (const name of ["Second", "Last"]) {
		hooks.app.clock.advance(1000);
		await hooks.endpoint("/ok", { name });
	}
	const page = await list("?limit=2&offset=1");
	const listed = page.endpoints.map(({ name }: { name: string }) => name);
	assert.deepEqual([page.total, listed], [3, ["Second", "New"]]);
});

test("a plan without webhooks makes, tests, replays and hears nothing, but what is there can be read and removed", async () => {
	const { id } = await hooks.endpoint("/planned");
	await hooks.announce();
	const delivery = await hooks.latest(id);
	assert.equal(hooks.got("/planned").length, 1);
	await hooks.team.setPlan("growth");
	const refused: [string, object][] = [
		["POST /webhooks", body()],
		[`PATCH /webhooks/${id}`, { is_active: true }],
		[`POST /webhooks/${id}/test`, {}],
		[`POST /webhooks/${id}/deliveries/${delivery.delivery_id}/replay`, { force: true }],
		["POST /webhooks/bulk/replay", { delivery_ids: [delivery.delivery_id], force: true }],
	];
	for (const [route, given] of refused) {
		assert.deepEqual((await hooks.call(route, { body: given })).code, "forbidden", route);
	}
	await hooks.announce();
	assert.equal(hooks.got("/planned").length, 1);
	assert.equal((await get(id)).id, id);
	assert.equal((await change(id, { is_active: false })).status, 200);
	assert.equal((await hooks.call(`DELETE /webhooks/${id}`)).status, 204);
	await hooks.team.setPlan("scale");
	assert.equal((await hooks.call("POST /webhooks", { body: body() })).status, 201);
	await hooks.team.setPlan("enterprise");
});

test("a delivery of another site is unknown, also below an own endpoint and among several ids", async () => {
	const { id } = await hooks.endpoint("/ok");
	await hooks.announce();
	const { delivery_id: theirs } = await hooks.latest(id);
	const far = { as: hooks.team.stranger, site: "far" };
	const { body: own } = await hooks.call("POST /webhooks", { ...far, body: body() });
	assert.equal((await hooks.call(`GET /webhooks/${own.id}/deliveries/${theirs}`, far)).code, "not_found");
	const bulk = { delivery_ids: [theirs], force: true };
	const { body: replayed } = await hooks.call("POST /webhooks/bulk/replay", { ...far, body: bulk });
	assert.deepEqual(replayed, { replayed: 0, skipped: 0, errors: [`${theirs}: not found`] });
});

const key = async (...scopes: readonly string[]) => {
	const made = await hooks.app.call("POST /api-tokens", { as: hooks.team.ann, body: { name: "k", scopes } });
	return { headers: { "x-api-key": made.json().data.token } };
};
/** Gives Cleo a role on the site. */
const admit = async (role: "viewer" | "editor") => {
	const { ann, cleo } = hooks.team;
	await hooks.app.call(`DELETE /sites/shop/users/${cleo.id}`, { as: ann });
	const added = await hooks.app.call("POST /sites/shop/users", { as: ann, body: { user_id: cleo.id, role } });
	assert.equal(added.statusCode, 201, added.body);
};

test("header values and what follows the path of an address are shown to those who may change them, to others that there are some", async () => {
	hooks.receiver.answers("/in?token=xyz", { status: 307, headers: { location: "/moved?token=xyz" } });
	const headers = { Authorization: "Bearer xyz" };
	const { id } = await hooks.endpoint("/in?token=xyz", { headers });
	await hooks.announce();
	assert.equal(hooks.got("/in?token=xyz").length, 1);
	await admit("viewer");
	const log = `/webhooks/${id}/deliveries/${(await hooks.latest(id)).delivery_id}`;
	const [address, location] = [`"${hooks.receiver.url}/in?[hidden]"`, '"location":"/moved?[hidden]"'];
	const hidden = '"headers":{"Authorization":"[hidden]"}';
	for (const as of [hooks.team.cleo, await key("accounts:read")]) {
		for (const [path, ...expected] of [
			...["/webhooks", `/webhooks/${id}`, `/webhooks/${id}/stats`].map((of) => [of, address, hidden] as const),
			[`${log}/logs`, address] as const,
			...[`/webhooks/${id}/deliveries`, log].map((of) => [of, location] as const),
		]) {
			const shown = JSON.stringify((await hooks.call(`GET ${path}`, { as })).body);
			assert.ok(expected.every((text) => shown.includes(text)) && !shown.includes("xyz"), path);
		}
	}
	await admit("editor");
	const url = `${hooks.receiver.url}/in?token=xyz`;
	for (const as of [hooks.team.ann, hooks.team.cleo]) {
		const seen = async (path: string) => (await hooks.call(`GET ${path}`, { as })).body;
		const [[attempt], delivery, endpoint] = [await seen(`${log}/logs`), await seen(log), await seen(`/webhooks/${id}`)];
		assert.deepEqual([endpoint.url, attempt.request_url, endpoint.headers], [url, url, headers]);
		assert.equal(delivery.response_headers.location, "/moved?token=xyz");
	}
});

test("the link to an export's file is sent, and shown to those alone who may read exports", async () => {
	const { id } = await hooks.endpoint("/linked", { event_types: ["export.completed"] });
	const link = "https://stats.example/api/v1/exports/download/T0ken-T0ken?account_id=shop";
	const data = {
		...{ export_id: "e1", export_type: "pages", row_count: 1, file_size_bytes: 2 },
		...{ download_url: link, expires_at: "2026-11-22T12:00:00.000Z" },
	};
	await hooks.app.metadata
		.transaction()
		.execute((trx) => hooks.app.events.announce(trx, { type: "export.completed", siteId: "shop", data }));
	await hooks.app.jobs.runDue();
	const [call] = hooks.got("/linked");
	assert.deepEqual(JSON.parse(call?.body ?? "").data, data);
	await admit("viewer");
	const { delivery_id: deliveryId } = await hooks.latest(id);
	const shown = async (as: Parameters<WebhookApp["call"]>[1]) =>
		(await hooks.call(`GET /webhooks/${id}/deliveries/${deliveryId}`, as)).body.payload.data;
	for (const as of [hooks.team.ann, hooks.team.cleo, await key("accounts:read", "stats:read")]) {
		assert.deepEqual(await shown({ as }), data);
	}
	assert.deepEqual(await shown({ as: await key("accounts:read") }), {
		...data,
		download_url: "https://stats.example/api/v1/exports/download/[hidden]?account_id=shop",
	});
});

test("every change is in the audit log, without secrets, header values and the query of an address", async () => {
	const { id } = await hooks.endpoint("/ok?key=hush", { headers: { "X-Key": "hush" } });
	await change(id, { name: "Other", is_active: false });
	await hooks.call(`POST /webhooks/${id}/rotate-secret`);
	await hooks.retire(id);
	const trail = (await auditTrail(hooks.app, "webhook.")).filter(({ resource }) => resource === id);
	const [created, updated, rotated, deleted] = trail.map(({ details }) => details);
	const url = `${hooks.receiver.url}/ok?[hidden]`;
	const found = [created?.url, created?.headers];
	assert.deepEqual(found, [
		[null, url],
		[null, ["X-Key"]],
	]);
	assert.deepEqual(updated, { name: ["Hook", "Other"], is_active: [true, false] });
	assert.deepEqual([rotated, deleted?.url], [{ secret_version: [1, 2] }, [url, null]]);
	assert.doesNotMatch(JSON.stringify(trail), /hush|whsec_/);
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
	assert.partialDeepStrictEqual(await get(id), { ...rotation, secret_last_4: second.slice(-4) });
	assert.deepEqual(await signed(second, first), [first, true, true]);
	const { new_secret: third } = await rotate();
	assert.deepEqual(await signed(third, second, first), [second, true, true, false]);
	await hooks.later(DAY - 1000);
	assert.deepEqual(await signed(third, second), [second, true, true]);
	await hooks.later(1000);
	assert.deepEqual(await signed(third, second), [undefined, true, false]);
	assert.equal((await get(id)).previous_secret_expires_at, null);
	const versions = await Promise.all(Array.from({ length: 5 }, rotate));
	assert.deepEqual(versions.map((made) => made.secret_version).sort(), [4, 5, 6, 7, 8]);
});

test("the first good test verifies; it says that it is one, and is signed and logged as events are", async () => {
	const { id } = await hooks.endpoint("/tested");
	const answer = await tested(id);
	const { delivery_id: deliveryId, response_time_ms: time, ...rest } = answer.body;
	assert.deepEqual([answer.status, rest], [200, { success: true, response_status: 200, verified: true }]);
	assert.ok(Number.isInteger(time));
	const [call] = hooks.got("/tested");
	const payload = JSON.parse(call?.body ?? "");
	assert.deepEqual([payload.event, payload.account_id, payload.data], ["alert.triggered", "shop", { test: true }]);
	assert.match(String(call?.headers["x-service-signature"]), /^sha256=[0-9a-f]{64}$/);
	assert.match(String(call?.headers["webhook-signature"]), /^v1,/);
	const logged = (await hooks.call(`GET /webhooks/${id}/deliveries/${deliveryId}`)).body;
	const found = [logged.status, logged.attempt_number, logged.max_attempts, logged.event_id, logged.payload];
	assert.deepEqual(found, ["success", 1, 5, payload.event_id, payload]);
	assert.equal((await hooks.call(`GET /webhooks/${id}/deliveries/${deliveryId}/logs`)).body.length, 1);
	assert.equal((await get(id)).is_verified, true);
});

test("a test may name its event and carry sample values", async () => {
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
		await tested(id, { event_type: type, include_sample_context: true });
		const payload = JSON.parse(hooks.got("/samples").at(-1)?.body ?? "");
		assert.deepEqual([payload.event, Object.keys(payload.data).sort()], [type, names.split(" ").sort()]);
		assert.equal(payload.data.test, true);
		const { triggered_at: from, resolved_at: to, expires_at: until } = payload.data;
		if (to !== undefined) assert.ok(from < to, "an alert is resolved after it was triggered");
		if (until !== undefined) assert.ok(until > payload.timestamp, "a link works for a while");
	}
});

test("a bad test answers 200 with the reason, is not tried again, counts among no failures, and leaves a webhook verified", async () => {
	hooks.receiver.answers("/bad", { status: 500 });
	const { id } = await hooks.endpoint("/bad");
	const bad = (await tested(id)).body;
	const found = [bad.success, bad.response_status, bad.verified, bad.error_type, bad.error_message];
	assert.deepEqual(found, [false, 500, false, "http_status", "The receiver answered 500"]);
	await hooks.later(3 * HOUR);
	assert.equal(hooks.got("/bad").length, 1);
	assert.equal((await hooks.call(`GET /webhooks/${id}/deliveries/${bad.delivery_id}`)).body.status, "failed");
	const { last_failure_at, is_active } = await get(id);
	assert.deepEqual([last_failure_at, is_active], [null, true]);
	hooks.receiver.answers("/bad", "drop");
	const dropped = (await tested(id)).body;
	assert.deepEqual([dropped.success, dropped.response_status, dropped.error_type], [false, null, "connection"]);
	await change(id, { is_active: false });
	hooks.receiver.answers("/bad", { status: 200 });
	assert.equal((await tested(id, {})).body.success, true, "an endpoint that is off can be tested");
	await change(id, { is_active: true });
	hooks.receiver.answers("/bad", { status: 410 });
	assert.equal((await tested(id, {})).body.verified, true);
	assert.equal((await get(id)).is_active, true);
});
