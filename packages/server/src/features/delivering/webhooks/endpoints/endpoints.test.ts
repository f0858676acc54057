import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tables } from "../../../../../migrations/metadata/tables/index.ts";
import { createSite, signIn } from "../../../../../test/support/accounts.ts";
import { auditTrail } from "../../../../../test/support/audit-trail.ts";
import { testApp } from "../../../../../test/support/test-app.ts";
import { postgresSkip } from "../../../../../test/support/test-schema.ts";
import { type WebhookApp, webhookApp } from "../../../../../test/support/webhook-app.ts";

const hooks = webhookApp();

const body = (fields: object = {}) => ({
	name: "Hook",
	url: "https://hooks.example.com/in",
	event_types: ["export.failed"],
	...fields,
});
const change = (id: string, fields: object) => hooks.call(`PATCH /webhooks/${id}`, { body: fields });

test("an endpoint is made with a secret that no later answer shows", async () => {
	const fields = { headers: { "X-Token": "let me in" }, description: "two\nlines" };
	const made = await hooks.call("POST /webhooks", { body: body({ ...fields, name: " Orders " }) });
	assert.equal(made.status, 201);
	const { secret, ...record } = made.body;
	assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
	assert.deepEqual(
		[record.name, record.headers, record.description, record.secret_last_4, record.secret_version],
		["Orders", fields.headers, fields.description, secret.slice(-4), 1],
	);
	assert.deepEqual([record.is_active, record.is_verified, record.created_by], [true, false, hooks.team.ann.id]);
	assert.deepEqual((await hooks.call(`GET /webhooks/${record.id}`)).body, record);
	assert.deepEqual((await hooks.call("GET /webhooks")).body, { endpoints: [record], total: 1 });
	assert.ok(!hooks.app.logLines.join("\n").includes(secret));
	const rows = await hooks.app.metadata.withTables<Tables>().selectFrom("webhook_endpoints").selectAll().execute();
	for (const hidden of [secret.slice(6, 30), "let me in"]) assert.ok(!JSON.stringify(rows).includes(hidden));
});

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
		for (const answer of [await hooks.call("POST /webhooks", { body: body(fields) }), await change(id, fields)]) {
			assert.deepEqual([answer.status, answer.faults], [422, [field]], JSON.stringify(fields).slice(0, 100));
		}
	}
	for (const field of ["name", "url", "event_types"]) {
		const made = await hooks.call("POST /webhooks", { body: { ...body(), [field]: undefined } });
		assert.deepEqual([made.status, made.faults], [422, [`body.${field}`]]);
	}
});

test("a change touches what is given; another address is not verified, and what is off is not listed", async () => {
	const { id } = await hooks.endpoint("/ok", { headers: { "X-A": "1" }, description: "old" });
	assert.equal((await hooks.call(`POST /webhooks/${id}/test`)).body.verified, true);
	const before = (await hooks.call(`GET /webhooks/${id}`)).body;
	const same = await change(id, { url: before.url, name: "New", unknown: 1 });
	const updated = { ...before, name: "New", updated_at: "2026-11-21T12:00:00.000Z" };
	assert.deepEqual([same.body, same.body.is_verified], [updated, true]);
	const url = `${hooks.receiver.url}/other`;
	const fields = { url, headers: {}, description: null, event_types: ["goal.reached"] };
	assert.deepEqual((await change(id, fields)).body, { ...updated, ...fields, is_verified: false });
	const off = (await change(id, { is_active: false })).body;
	assert.deepEqual([off.is_active, off.disabled_reason], [false, null]);
	const totals = ["", "?include_inactive=true"].map(
		async (query) => (await hooks.call(`GET /webhooks${query}`)).body.total,
	);
	assert.deepEqual(await Promise.all(totals), [0, 1]);
	assert.equal((await change(id, { is_active: true })).body.is_active, true);
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
	assert.equal((await hooks.call(`GET /webhooks/${id}`)).status, 200);
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
	assert.deepEqual((await hooks.call("GET /webhooks/1")).faults, ["path.endpoint_id"]);
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

test("header values are shown to those who may change them, to others that there are some", async () => {
	const { id } = await hooks.endpoint("/ok", { headers: { Authorization: "Bearer xyz" } });
	await admit("viewer");
	for (const as of [hooks.team.cleo, await key("accounts:read")]) {
		for (const path of [`/webhooks/${id}`, `/webhooks/${id}/stats`, "/webhooks"]) {
			const shown = JSON.stringify((await hooks.call(`GET ${path}`, { as })).body);
			assert.match(shown, /"headers":\{"Authorization":"\[hidden\]"\}/, path);
			assert.ok(!shown.includes("Bearer xyz"), path);
		}
	}
	assert.deepEqual((await hooks.call(`GET /webhooks/${id}`)).body.headers, { Authorization: "Bearer xyz" });
});

test("what follows the path of an address is shown to those who may change it, to others that there is something", async () => {
	hooks.receiver.answers("/in?token=xyz", { status: 307, headers: { location: "/moved?token=xyz" } });
	const { id } = await hooks.endpoint("/in?token=xyz");
	await hooks.announce();
	assert.equal(hooks.got("/in?token=xyz").length, 1);
	await admit("viewer");
	const log = `/webhooks/${id}/deliveries/${(await hooks.latest(id)).delivery_id}`;
	const [address, location] = [`"${hooks.receiver.url}/in?[hidden]"`, '"location":"/moved?[hidden]"'];
	for (const as of [hooks.team.cleo, await key("accounts:read")]) {
		for (const [path, expected] of [
			...["/webhooks", `/webhooks/${id}`, `/webhooks/${id}/stats`, `${log}/logs`].map((of) => [of, address] as const),
			...[`/webhooks/${id}/deliveries`, log].map((of) => [of, location] as const),
		]) {
			const shown = JSON.stringify((await hooks.call(`GET ${path}`, { as })).body);
			assert.ok(shown.includes(expected) && !shown.includes("xyz"), path);
		}
	}
	await admit("editor");
	const url = `${hooks.receiver.url}/in?token=xyz`;
	for (const as of [hooks.team.ann, hooks.team.cleo]) {
		const seen = async (path: string) => (await hooks.call(`GET ${path}`, { as })).body;
		const [[attempt], delivery] = [await seen(`${log}/logs`), await seen(log)];
		assert.deepEqual([(await seen(`/webhooks/${id}`)).url, attempt.request_url], [url, url]);
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
	await hooks.call(`DELETE /webhooks/${id}`);
	const actions = ["created", "updated", "secret_rotated", "deleted"].map((verb) => `webhook.${verb}`);
	const trail = (await auditTrail(hooks.app, ...actions)).filter((entry) => entry.resource === id);
	const url = `${hooks.receiver.url}/ok?[hidden]`;
	const expected = actions.map((action) => `${action} by ${hooks.team.ann.id}`);
	assert.deepEqual(trail.map(({ action, user }) => `${action} by ${user}`).join(), expected.join());
	const [created, updated, rotated, deleted] = trail.map(({ details }) => details as Record<string, unknown>);
	assert.deepEqual(created?.url, [null, url]);
	assert.deepEqual(created?.headers, [null, ["X-Key"]]);
	assert.deepEqual(updated, { name: ["Hook", "Other"], is_active: [true, false] });
	assert.deepEqual(rotated, { secret_version: [1, 2] });
	assert.deepEqual(deleted?.url, [url, null]);
	assert.ok(!JSON.stringify(trail).includes("hush"));
	assert.ok(!JSON.stringify(trail).includes("whsec_"));
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
			assert.equal((await page("limit=200&offset=18")).endpoints.length, 2);
			for (const query of ["limit=0", "limit=201", "offset=-1", "limit=x"]) {
				assert.equal((await hooks.call(`GET /webhooks?${query}`, { site })).status, 422, query);
			}
		});
	});
}

test("a site has 30 tests in ten minutes, 300 replays and 30 of many in an hour, whatever its plan; others have theirs", async (t) => {
	const unknown = Object.assign(new Error("No such name"), { code: "ENOTFOUND" });
	const app = await testApp({
		env: { RATE_LIMIT_ENABLED: "true" },
		outbound: { resolveName: (_name, _options, done) => done(unknown, []) },
	});
	t.after(() => app.close());
	const ann = await signIn(app);
	for (const name of ["Shop", "Second"]) await createSite(app, ann, { name, domains: [] });
	const post = (path: string, site: string, payload: object = {}) =>
		app.inject({ method: "POST", url: `/api/v1${path}?account_id=${site}`, headers: ann.headers, payload });
	const ids = await Array.fromAsync(["shop", "shop", "second"], async (site) => {
		const made = await post("/webhooks", site, body());
		return made.json().id as string;
	});
	const tested = (which: number) => post(`/webhooks/${ids[which]}/test`, which === 2 ? "second" : "shop");
	for (let times = 0; times < 30; times++) assert.equal((await tested(times % 2)).statusCode, 200);
	const over = await tested(0);
	assert.deepEqual([over.json().error.code, over.headers["retry-after"]], ["rate_limit_exceeded", "600"]);
	assert.equal((await tested(2)).statusCode, 200);
	const many = { delivery_ids: ["00000000-0000-4000-8000-000000000000"] };
	for (let times = 0; times < 30; times++) {
		assert.equal((await post("/webhooks/bulk/replay", "shop", many)).statusCode, 200);
	}
	const one = `/webhooks/${ids[0]}/deliveries/${many.delivery_ids[0]}/replay`;
	for (let times = 0; times < 300; times++) assert.equal((await post(one, "shop")).statusCode, 404);
	for (const path of ["/webhooks/bulk/replay", one]) {
		const replayed = await post(path, "shop", many);
		assert.deepEqual([replayed.statusCode, replayed.headers["retry-after"]], [429, "3600"], path);
	}
});
