import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { onBothWebhookApps, type WebhookApp } from "../../../../../test/support/webhook-app.ts";

const unknown = "00000000-0000-4000-8000-000000000000";

onBothWebhookApps("Access to webhooks", (open) => {
	let hooks: WebhookApp;
	before(async () => {
		hooks = await open();
	});
	after(() => hooks.close());

	const body = (fields: object = {}) => ({
		name: "Hook",
		url: "https://hooks.example.com/in",
		event_types: ["export.failed"],
		...fields,
	});
	const key = async (scope: string, as = hooks.team.ann) => {
		const made = await hooks.app.call("POST /api-tokens", { as, body: { name: "k", scopes: [scope] } });
		return { headers: { "x-api-key": made.json().data.token } };
	};

	test("who may do what: viewers and keys read, editors write, others get nothing", async () => {
		const { id } = await hooks.endpoint("/ok");
		await hooks.announce();
		const [delivery] = (await hooks.call(`GET /webhooks/${id}/deliveries`)).body.deliveries;
		const reads = ["", "/stats", "/deliveries", `/deliveries/${delivery.delivery_id}`]
			.concat(`/deliveries/${delivery.delivery_id}/logs`)
			.map((path) => `GET /webhooks/${id}${path}`)
			.concat("GET /webhooks");
		const writes: [string, object][] = [
			["POST /webhooks", body()],
			[`PATCH /webhooks/${id}`, { name: "Mine" }],
			[`POST /webhooks/${id}/test`, {}],
			[`POST /webhooks/${id}/rotate-secret`, {}],
			[`POST /webhooks/${id}/deliveries/${delivery.delivery_id}/replay`, { force: true }],
			["POST /webhooks/bulk/replay", { delivery_ids: [delivery.delivery_id], force: true }],
			[`DELETE /webhooks/${id}`, {}],
		];
		const reading = await key("accounts:read");
		const { ann, cleo, stranger } = hooks.team;
		await hooks.app.call("POST /sites/shop/users", { as: ann, body: { user_id: cleo.id, role: "viewer" } });
		for (const route of reads) {
			assert.equal((await hooks.call(route, { as: reading })).status, 200, route);
			assert.equal((await hooks.call(route, { as: cleo })).status, 200, route);
			assert.equal((await hooks.call(route, { as: await key("stats:read") })).code, "forbidden", route);
			assert.equal((await hooks.call(route, { as: stranger })).code, "forbidden", route);
			assert.equal((await hooks.call(route, { as: { headers: {} } })).status, 401, route);
		}
		for (const [route, given] of writes) {
			for (const as of [reading, cleo, stranger]) {
				assert.equal((await hooks.call(route, { as, body: given })).code, "forbidden", route);
			}
		}
		await hooks.app.call(`PATCH /sites/shop/users/${cleo.id}`, { as: hooks.team.ann, body: { role: "editor" } });
		for (const [route, given] of writes) {
			assert.ok((await hooks.call(route, { as: cleo, body: given })).status < 300, route);
		}
	});

	test("another site's ids are unknown, whoever asks", async () => {
		const { id } = await hooks.endpoint("/ok");
		await hooks.announce();
		const [delivery] = (await hooks.call(`GET /webhooks/${id}/deliveries`)).body.deliveries;
		const { body: other } = await hooks.call("POST /webhooks", {
			...{ as: hooks.team.stranger, site: "far" },
			body: body({ url: `${hooks.receiver.url}/far` }),
		});
		const paths = ["", "/stats", "/deliveries", `/deliveries/${delivery.delivery_id}`];
		for (const endpointId of [id, unknown]) {
			for (const path of paths) {
				const answer = await hooks.call(`GET /webhooks/${endpointId}${path}`, { as: hooks.team.stranger, site: "far" });
				assert.equal(answer.code, "not_found", path);
			}
			for (const [route, given] of [
				[`PATCH /webhooks/${endpointId}`, { name: "Mine" }],
				[`POST /webhooks/${endpointId}/test`, {}],
				[`POST /webhooks/${endpointId}/rotate-secret`, {}],
				[`POST /webhooks/${endpointId}/deliveries/${delivery.delivery_id}/replay`, {}],
				[`DELETE /webhooks/${endpointId}`, {}],
			] as const) {
				const answer = await hooks.call(route, { as: hooks.team.stranger, site: "far", body: given });
				assert.equal(answer.code, "not_found", route);
			}
		}
		// One's own endpoint does not open another's delivery.
		const mixed = `/webhooks/${other.id}/deliveries/${delivery.delivery_id}`;
		assert.equal((await hooks.call(`GET ${mixed}`, { as: hooks.team.stranger, site: "far" })).code, "not_found");
		const bulk = await hooks.call("POST /webhooks/bulk/replay", {
			...{ as: hooks.team.stranger, site: "far" },
			body: { delivery_ids: [delivery.delivery_id], force: true },
		});
		assert.deepEqual(bulk.body, { replayed: 0, skipped: 0, errors: [`${delivery.delivery_id}: not found`] });
		assert.equal((await hooks.call("GET /webhooks/1")).status, 422);
		assert.deepEqual((await hooks.call("GET /webhooks/1")).faults, ["path.endpoint_id"]);
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
});
