import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { freshAddress, provision, provisionEnv } from "../../../../test/support/provisioning.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
before(async () => {
	app = await testApp({ env: provisionEnv });
});
after(() => app.close());

const errorOf = async (body: Record<string, unknown>, options: { key?: string | null } = {}) => {
	const response = await provision(app, body, options);
	const { code, message, detail } = response.json().error;
	return { status: response.statusCode, code, message, field: detail?.[0]?.field };
};

/** Every field is wrong: each test mends those that are checked before its own. */
const allWrong = {
	accept_terms: false,
	domain: "no host",
	timezone: "Mars/Olympus",
	site_name: "",
	email: "nobody",
};

test("first the key: none, an unknown one, the prefix of a good one", async () => {
	const required = { status: 401, code: "unauthorized", message: "provision_key_required", field: undefined };
	const invalid = { ...required, message: "invalid_provision_key" };
	assert.deepEqual(await errorOf(allWrong, { key: null }), required);
	assert.deepEqual(await errorOf(allWrong, { key: " " }), required);
	assert.deepEqual(await errorOf(allWrong, { key: "prov_of_nobody" }), invalid);
	assert.deepEqual(await errorOf(allWrong, { key: "prov_of_the_plugin" }), invalid);
	assert.deepEqual(await errorOf(allWrong, { key: "prov_of_the_plugin_store:plugin-store" }), invalid);
});

test("a bad key is told before a body that is not JSON", async () => {
	const response = await app.inject({
		method: "POST",
		url: "/api/v1/provision",
		headers: { "x-provision-key": "x", "content-type": "application/json" },
		payload: "{",
	});
	assert.equal(response.json().error.message, "invalid_provision_key");
});

test("then the switch: provisioning is off unless it is switched on", async (t) => {
	const { PROVISION_KEYS } = provisionEnv;
	const off = await testApp({ env: { PROVISION_KEYS } });
	t.after(() => off.close());
	const refused = await provision(off, allWrong);
	assert.equal(refused.statusCode, 503);
	assert.equal(refused.json().error.code, "service_unavailable");
	assert.equal(refused.json().error.message, "provisioning_disabled");
	assert.equal(refused.headers["retry-after"], "3600");
	assert.equal((await provision(off, {}, { key: "prov_of_nobody" })).statusCode, 401);
});

describe("then the fields, in this order", () => {
	test("terms that are not accepted", async () => {
		for (const accept of [false, undefined, null, "true", 1]) {
			const { status, code } = await errorOf({ ...allWrong, accept_terms: accept });
			assert.deepEqual([status, code], [400, "bad_request"]);
		}
	});

	test("a domain that is no host name", async () => {
		for (const domain of ["no host", "127.0.0.1", "shop", "a".repeat(256), 7, ""]) {
			const { status, code } = await errorOf({ ...allWrong, accept_terms: true, domain });
			assert.deepEqual([status, code], [400, "invalid_domain"]);
		}
	});

	test("a zone that is none", async () => {
		for (const timezone of ["Mars/Olympus", "+01:00", "x".repeat(65), 7, ""]) {
			const { status, code } = await errorOf({ ...allWrong, accept_terms: true, domain: "cats.example", timezone });
			assert.deepEqual([status, code], [400, "invalid_timezone"]);
		}
	});

	for (const [field, values] of Object.entries({
		site_name: [undefined, null, "", "  ", "x".repeat(256), 7, "a\u0000b"],
		email: [undefined, "", "nobody", "a@b", "a b@example.com", 7, "x@example.com\r\nBcc: y@example.com"],
		name: ["", "x".repeat(256), 7, "a\nb"],
		install_source: ["", "x".repeat(65), {}],
	})) {
		test(`a wrong ${field}, which is named`, async () => {
			for (const value of values) {
				const answer = await errorOf({ [field]: value });
				assert.deepEqual(
					[answer.status, answer.code, answer.field],
					[400, "invalid_input", `body.${field}`],
					JSON.stringify(value),
				);
			}
		});
	}

	test("a body that is no object is terms that are not accepted", async () => {
		for (const payload of ["[]", '"x"', "null", ""]) {
			const response = await app.inject({
				method: "POST",
				url: "/api/v1/provision",
				headers: {
					"x-provision-key": "prov_of_the_wizard",
					"content-type": "application/json",
					"x-forwarded-for": freshAddress(),
				},
				payload,
			});
			assert.equal(response.statusCode, 400, payload);
		}
	});
});

test("the longest fields pass", async () => {
	const response = await provision(app, {
		site_name: "s".repeat(255),
		name: "n".repeat(255),
		install_source: "i".repeat(64),
		email: "longest@example.com",
		timezone: null,
		domain: null,
	});
	assert.equal(response.statusCode, 200, response.body);
});

test("a provision key opens nothing else", async () => {
	for (const url of ["/api/v1/sites", "/api/v1/users/me", "/api/v1/stats/overview?site_id=x"]) {
		const response = await app.inject({ method: "GET", url, headers: { "x-provision-key": "prov_of_the_wizard" } });
		assert.equal(response.statusCode, 401);
	}
});

test("a page of any origin may provision: the key is publishable", async () => {
	const preflight = await app.inject({
		method: "OPTIONS",
		url: "/api/v1/provision",
		headers: {
			origin: "https://wizard.example",
			"access-control-request-method": "POST",
			"access-control-request-headers": "x-provision-key,content-type",
		},
	});
	assert.equal(preflight.headers["access-control-allow-origin"], "*");
	assert.match(String(preflight.headers["access-control-allow-headers"]), /X-Provision-Key/);
	assert.equal(preflight.headers["access-control-allow-credentials"], undefined);
});

test("a hundred an hour of one key pass, and another key is not concerned", async (t) => {
	const fresh = await testApp({ env: provisionEnv });
	t.after(() => fresh.close());
	const statuses = new Map<number, number>();
	for (let index = 0; index < 101; index++) {
		const { statusCode } = await provision(fresh, { email: "same@example.com" });
		statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
	}
	assert.deepEqual(Object.fromEntries(statuses), { 200: 1, 409: 99, 429: 1 });
	const other = await provision(fresh, { email: "other@example.com" }, { key: "prov_of_the_wizard" });
	assert.equal(other.statusCode, 200);
});

test("a provision that fails at its last step leaves nothing half-made", async (t) => {
	const broken = await testApp({ env: provisionEnv });
	t.after(() => broken.close());
	await broken.metadata.schema.dropTable("jobs").execute();
	const response = await provision(broken, { email: "half@example.com" });
	assert.equal(response.statusCode, 500);
	for (const table of ["users", "sites", "organizations", "api_tokens", "one_time_tokens", "provisioned_sites"]) {
		const db = broken.metadata.withTables<Record<string, { created_at: number }>>();
		assert.deepEqual(await db.selectFrom(table).select("created_at").execute(), [], table);
	}
});

test("no key, token, link or address of a provision is logged", async () => {
	const response = await provision(app, { email: "secret@example.com" });
	await app.jobs.runDue();
	const log = app.logLines.join("");
	const { api_key: apiKey, claim_url: claimUrl } = response.json().data;
	for (const text of [apiKey, claimUrl.split("=")[1], "secret@example.com", "prov_of_the_plugin_store"]) {
		assert.ok(!log.includes(text), text);
	}
});
