import assert from "node:assert/strict";
import { test } from "node:test";
import { auditTrail } from "../../../../../test/support/audit-trail.ts";
import { type WebhookApp, webhookApp } from "../../../../../test/support/webhook-app.ts";

const hooks = webhookApp();

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
	const readers = [hooks.team.cleo, await key("accounts:read")];
	for (const as of readers) {
		for (const path of [`/webhooks/${id}`, `/webhooks/${id}/stats`, "/webhooks"]) {
			const answer = await hooks.call(`GET ${path}`, { as });
			assert.equal(answer.status, 200, path);
			assert.match(JSON.stringify(answer.body), /"headers":\{"Authorization":"\[hidden\]"\}/);
			assert.ok(!JSON.stringify(answer.body).includes("Bearer xyz"));
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
	const [delivery] = (await hooks.call(`GET /webhooks/${id}/deliveries`)).body.deliveries;
	const log = `/webhooks/${id}/deliveries/${delivery.delivery_id}`;
	for (const as of [hooks.team.cleo, await key("accounts:read")]) {
		for (const path of ["/webhooks", `/webhooks/${id}`, `/webhooks/${id}/stats`, `${log}/logs`]) {
			const { body } = await hooks.call(`GET ${path}`, { as });
			assert.ok(JSON.stringify(body).includes(`"${hooks.receiver.url}/in?[hidden]"`), path);
			assert.ok(!JSON.stringify(body).includes("xyz"), path);
		}
		for (const path of [`/webhooks/${id}/deliveries`, log]) {
			const { body } = await hooks.call(`GET ${path}`, { as });
			assert.ok(JSON.stringify(body).includes('"location":"/moved?[hidden]"'), path);
			assert.ok(!JSON.stringify(body).includes("xyz"), path);
		}
	}
	await admit("editor");
	for (const as of [hooks.team.ann, hooks.team.cleo]) {
		assert.equal((await hooks.call(`GET /webhooks/${id}`, { as })).body.url, `${hooks.receiver.url}/in?token=xyz`);
		assert.equal(
			(await hooks.call(`GET ${log}/logs`, { as })).body[0].request_url,
			`${hooks.receiver.url}/in?token=xyz`,
		);
		assert.equal((await hooks.call(`GET ${log}`, { as })).body.response_headers.location, "/moved?token=xyz");
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
	const [{ delivery_id: deliveryId }] = (await hooks.call(`GET /webhooks/${id}/deliveries`)).body.deliveries;
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
	await hooks.call(`PATCH /webhooks/${id}`, { body: { name: "Other", is_active: false } });
	await hooks.call(`POST /webhooks/${id}/rotate-secret`);
	await hooks.call(`DELETE /webhooks/${id}`);
	const actions = ["created", "updated", "secret_rotated", "deleted"].map((verb) => `webhook.${verb}`);
	const trail = (await auditTrail(hooks.app, ...actions)).filter((entry) => entry.resource === id);
	const fields = { url: `${hooks.receiver.url}/ok?[hidden]`, headers: ["X-Key"] };
	assert.deepEqual(
		trail.map(({ action, user }) => [action, user]),
		actions.map((action) => [action, hooks.team.ann.id]),
	);
	const [created, updated, rotated, deleted] = trail.map(({ details }) => details as Record<string, unknown>);
	assert.deepEqual(
		[created?.url, created?.headers],
		[
			[null, fields.url],
			[null, fields.headers],
		],
	);
	assert.deepEqual(updated, { name: ["Hook", "Other"], is_active: [true, false] });
	assert.deepEqual(rotated, { secret_version: [1, 2] });
	assert.deepEqual(deleted?.url, [fields.url, null]);
	assert.ok(!JSON.stringify(trail).includes("hush"));
	assert.ok(!JSON.stringify(trail).includes("whsec_"));
});
