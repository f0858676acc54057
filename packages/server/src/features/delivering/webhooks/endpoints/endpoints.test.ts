import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tables } from "../../../../../migrations/metadata/tables/index.ts";
import { postgresSkip } from "../../../../../test/support/test-schema.ts";
import { webhookApp } from "../../../../../test/support/webhook-app.ts";

const hooks = webhookApp();

const body = (fields: object = {}) => ({
	name: "Hook",
	url: "https://hooks.example.com/in",
	event_types: ["export.failed"],
	...fields,
});
test("an endpoint is made with a secret that no later answer shows", async () => {
	const made = await hooks.call("POST /webhooks", {
		body: body({ name: " Orders ", headers: { "X-Token": "let me in" }, description: "two\nlines" }),
	});
	assert.equal(made.status, 201);
	const { id, secret, ...record } = made.body;
	assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
	assert.equal(Buffer.from(secret.slice(6), "base64").length, 32);
	assert.deepEqual(record, {
		account_id: "shop",
		name: "Orders",
		url: "https://hooks.example.com/in",
		event_types: ["export.failed"],
		headers: { "X-Token": "let me in" },
		description: "two\nlines",
		secret_last_4: secret.slice(-4),
		secret_version: 1,
		previous_secret_expires_at: null,
		is_active: true,
		is_verified: false,
		disabled_reason: null,
		created_by: hooks.team.ann.id,
		created_at: "2026-11-21T12:00:00.000Z",
		updated_at: null,
		last_delivery_at: null,
		last_success_at: null,
		last_failure_at: null,
		last_failure_reason: null,
	});
	assert.deepEqual((await hooks.call(`GET /webhooks/${id}`)).body, { id, ...record });
	assert.deepEqual((await hooks.call("GET /webhooks")).body, { endpoints: [{ id, ...record }], total: 1 });
	assert.ok(!hooks.app.logLines.join("\n").includes(secret));
	assert.ok(!JSON.stringify(await rawRows()).includes(secret.slice(6, 30)));
	assert.ok(!JSON.stringify(await rawRows()).includes("let me in"));
	await hooks.call(`DELETE /webhooks/${id}`);
});

const rawRows = () => hooks.app.metadata.withTables<Tables>().selectFrom("webhook_endpoints").selectAll().execute();

test("what cannot be called, or must not be, is refused with its field", async () => {
	const refused: [object, string][] = [
		[{ name: "" }, "body.name"],
		[{ name: "x".repeat(256) }, "body.name"],
		[{ name: null }, "body.name"],
		[{ url: "http://hooks.example.com/" }, "body.url"],
		[{ url: "ftp://hooks.example.com/" }, "body.url"],
		[{ url: "hooks.example.com" }, "body.url"],
		[{ url: "https://user:pw@hooks.example.com/" }, "body.url"],
		[{ url: `https://hooks.example.com/${"x".repeat(2000)}` }, "body.url"],
		[{ event_types: [] }, "body.event_types"],
		[{ event_types: ["export.failed", "export.failed"] }, "body.event_types"],
		[{ event_types: ["site.deleted"] }, "body.event_types.0"],
		[{ event_types: "export.failed" }, "body.event_types"],
		[{ description: "x".repeat(1001) }, "body.description"],
		[{ headers: null }, "body.headers"],
		[{ headers: { "X-A": 1 } }, "body.headers.X-A"],
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
		const made = await hooks.call("POST /webhooks", { body: body(fields) });
		assert.deepEqual([made.status, made.faults], [422, [field]], JSON.stringify(fields).slice(0, 100));
		const changed = await hooks.call(`PATCH /webhooks/${id}`, { body: fields });
		assert.deepEqual([changed.status, changed.faults], [422, [field]], JSON.stringify(fields).slice(0, 100));
	}
	for (const field of ["name", "url", "event_types"]) {
		const made = await hooks.call("POST /webhooks", { body: { ...body(), [field]: undefined } });
		assert.deepEqual([made.status, made.faults], [422, [`body.${field}`]]);
	}
});

test("a change touches what is given; another address is not verified, switching on forgives failures", async () => {
	const { id } = await hooks.endpoint("/ok", { headers: { "X-A": "1" }, description: "old" });
	assert.equal((await hooks.call(`POST /webhooks/${id}/test`)).body.verified, true);
	const before = (await hooks.call(`GET /webhooks/${id}`)).body;
	const same = await hooks.call(`PATCH /webhooks/${id}`, { body: { url: before.url, name: "New", unknown: 1 } });
	const updated = { ...before, name: "New", updated_at: "2026-11-21T12:00:00.000Z" };
	assert.deepEqual([same.status, same.body], [200, updated]);
	assert.equal(same.body.is_verified, true);
	const changed = await hooks.call(`PATCH /webhooks/${id}`, {
		body: { url: `${hooks.receiver.url}/other`, headers: {}, description: null, event_types: ["goal.reached"] },
	});
	assert.deepEqual(changed.body, {
		...updated,
		url: `${hooks.receiver.url}/other`,
		headers: {},
		description: null,
		event_types: ["goal.reached"],
		is_verified: false,
	});
	const off = await hooks.call(`PATCH /webhooks/${id}`, { body: { is_active: false } });
	assert.deepEqual([off.body.is_active, off.body.disabled_reason], [false, null]);
	const listed = async (query: string) =>
		(await hooks.call(`GET /webhooks${query}`)).body.endpoints.some((row: { id: string }) => row.id === id);
	assert.deepEqual([await listed(""), await listed("?include_inactive=true")], [false, true]);
	assert.equal((await hooks.call(`PATCH /webhooks/${id}`, { body: { is_active: true } })).body.is_active, true);
});

test("the events that can be asked for are described", async () => {
	const { event_types: types } = (await hooks.app.call("GET /webhooks/event-types", { as: hooks.team.cleo })).json();
	assert.deepEqual(
		types.map(({ type, name }: { type: string; name: string }) => [type, name]),
		[
			["alert.triggered", "Alert Triggered"],
			["alert.resolved", "Alert Resolved"],
			["export.completed", "Export Completed"],
			["export.failed", "Export Failed"],
			["goal.reached", "Goal Reached"],
		],
	);
});

test("a plan without webhooks makes, tests, replays and hears nothing, but what is there can be read and removed", async () => {
	const { id } = await hooks.endpoint("/planned");
	await hooks.announce();
	const [delivery] = (await hooks.call(`GET /webhooks/${id}/deliveries`)).body.deliveries;
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
	assert.equal((await hooks.call(`GET /webhooks/${id}`)).status, 200);
	assert.equal((await hooks.call(`PATCH /webhooks/${id}`, { body: { is_active: false } })).status, 200);
	assert.equal((await hooks.call(`DELETE /webhooks/${id}`)).status, 204);
	await hooks.team.setPlan("scale");
	assert.equal((await hooks.call("POST /webhooks", { body: body() })).status, 201);
	await hooks.team.setPlan("enterprise");
});

test("a delivery of another site is unknown, also below an own endpoint and among several ids", async () => {
	const { id } = await hooks.endpoint("/ok");
	await hooks.announce();
	const [{ delivery_id: theirs }] = (await hooks.call(`GET /webhooks/${id}/deliveries`)).body.deliveries;
	const far = { as: hooks.team.stranger, site: "far" };
	const { body: own } = await hooks.call("POST /webhooks", {
		...far,
		body: body({ url: `${hooks.receiver.url}/far` }),
	});
	assert.equal((await hooks.call(`GET /webhooks/${own.id}/deliveries/${theirs}`, far)).code, "not_found");
	const bulk = { delivery_ids: [theirs], force: true };
	const { body: replayed } = await hooks.call("POST /webhooks/bulk/replay", { ...far, body: bulk });
	assert.deepEqual(replayed, { replayed: 0, skipped: 0, errors: [`${theirs}: not found`] });
	const malformed = await hooks.call("GET /webhooks/1");
	assert.deepEqual([malformed.status, malformed.faults], [422, ["path.endpoint_id"]]);
});

for (const engine of ["sqlite", "postgres"] as const) {
	describe(`webhook endpoints at once on ${engine}`, { skip: engine === "postgres" && postgresSkip }, () => {
		const hooks = webhookApp(engine);

		test("a site has at most 20 endpoints, however many are asked for at once; the list is paged, newest first", async () => {
			const site = "blog";
			const names = Array.from({ length: 24 }, (_, i) => `Hook ${i}`);
			const made = await Promise.all(names.map((name) => hooks.call("POST /webhooks", { site, body: body({ name }) })));
			assert.deepEqual(
				[201, 409].map((status) => made.filter((answer) => answer.status === status).length),
				[20, 4],
			);
			const { id } = (await hooks.call("GET /webhooks", { site })).body.endpoints[0];
			await hooks.call(`PATCH /webhooks/${id}`, { site, body: { is_active: false } });
			assert.equal((await hooks.call("POST /webhooks", { site, body: body() })).code, "conflict");
			assert.equal((await hooks.call(`DELETE /webhooks/${id}`, { site })).status, 204);
			hooks.app.clock.advance(1000);
			assert.equal((await hooks.call("POST /webhooks", { site, body: body({ name: "Last" }) })).status, 201);
			const page = async (query: string) => (await hooks.call(`GET /webhooks?${query}`, { site })).body;
			const first = await page("limit=5");
			assert.deepEqual([first.total, first.endpoints.length, first.endpoints[0].name], [20, 5, "Last"]);
			assert.deepEqual(
				[(await page("limit=200&offset=18")).endpoints.length, (await page("offset=20")).endpoints],
				[2, []],
			);
			for (const query of ["limit=0", "limit=201", "offset=-1", "limit=x"]) {
				assert.equal((await hooks.call(`GET /webhooks?${query}`, { site })).status, 422, query);
			}
		});
	});
}
