import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedTestApp } from "../../../../test/support/accounts.ts";
import { freshAddress, provision, provisionEnv } from "../../../../test/support/provisioning.ts";
import { testApp } from "../../../../test/support/test-app.ts";

const app = sharedTestApp({ env: provisionEnv });

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

const post = (payload: string, headers: Readonly<Record<string, string>>) =>
	app.inject({
		method: "POST",
		url: "/api/v1/provision",
		headers: { "content-type": "application/json", "x-forwarded-for": freshAddress(), ...headers },
		payload,
	});

test("first the key: none, an unknown one, the prefix of a good one, also with a body that is not JSON", async () => {
	const required = { status: 401, code: "unauthorized", message: "provision_key_required", field: undefined };
	const invalid = { ...required, message: "invalid_provision_key" };
	for (const key of [null, " "]) assert.deepEqual(await errorOf(allWrong, { key }), required);
	for (const key of ["prov_of_nobody", "prov_of_the_plugin", "prov_of_the_plugin_store:plugin-store"]) {
		assert.deepEqual(await errorOf(allWrong, { key }), invalid, key);
	}
	assert.equal((await post("{", { "x-provision-key": "x" })).json().error.message, "invalid_provision_key");
});

test("then the switch: provisioning is off unless it is switched on", async (t) => {
	const { PROVISION_KEYS } = provisionEnv;
	const off = await testApp({ env: { PROVISION_KEYS } });
	t.after(() => off.close());
	const refused = await provision(off, allWrong);
	const { code, message } = refused.json().error;
	assert.deepEqual([refused.statusCode, code, message], [503, "service_unavailable", "provisioning_disabled"]);
	assert.equal(refused.headers["retry-after"], "3600");
	assert.equal((await provision(off, {}, { key: "prov_of_nobody" })).statusCode, 401);
});

/** Fields in the order in which they are looked at; those before a field are right when it is tried. */
const faults: readonly (readonly [field: string, right: object, code: string, values: readonly unknown[]])[] = [
	["accept_terms", allWrong, "bad_request", [false, undefined, null, "true", 1]],
	[
		"domain",
		{ ...allWrong, accept_terms: true },
		"invalid_domain",
		["no host", "127.0.0.1", "shop", "a".repeat(256), 7, ""],
	],
	[
		"timezone",
		{ ...allWrong, accept_terms: true, domain: "cats.example" },
		"invalid_timezone",
		["Mars/Olympus", "+01:00", "x".repeat(65), 7, ""],
	],
	["site_name", {}, "invalid_input", [undefined, null, "", "  ", "x".repeat(256), 7, "a\u0000b"]],
	[
		"email",
		{},
		"invalid_input",
		[undefined, "", "nobody", "a@b", "a b@example.com", 7, "x@example.com\r\nBcc: y@example.com"],
	],
	["name", {}, "invalid_input", ["", "x".repeat(256), 7, "a\nb"]],
	["install_source", {}, "invalid_input", ["", "x".repeat(65), {}]],
];
for (const [name, right, expected, values] of faults) {
	test(`then a wrong ${name} is ${expected}`, async () => {
		for (const value of values) {
			const { status, code, field } = await errorOf({ ...right, [name]: value });
			assert.deepEqual([status, code], [400, expected], JSON.stringify(value));
			if (expected === "invalid_input") assert.equal(field, `body.${name}`, JSON.stringify(value));
		}
	});
}

test("a body that is no object is terms that are not accepted", async () => {
	for (const payload of ["[]", '"x"', "null", ""]) {
		assert.equal((await post(payload, { "x-provision-key": "prov_of_the_wizard" })).statusCode, 400, payload);
	}
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
