import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { sharedTestApp, signIn } from "../../../../test/support/accounts.ts";
import { apiCall } from "../../../../test/support/accounts-app.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { metadataSnapshot, withoutRequest } from "../../../../test/support/metadata-snapshot.ts";
import { freshAddress, provision, provisionEnv } from "../../../../test/support/provisioning.ts";
import { codeOf, fieldsOf, messageOf } from "../../../../test/support/refusals.ts";
import { testApp } from "../../../../test/support/test-app.ts";

const keys = `${provisionEnv.PROVISION_KEYS}, prov_of_the_busy:busy`;
const app = sharedTestApp({ env: { ...provisionEnv, PROVISION_KEYS: keys } });
const call = (...request: Parameters<ReturnType<typeof apiCall>>) => apiCall(app)(...request);
/** What a provision answers, and how its key is sent. */
const provisioned = async (body: Readonly<Record<string, unknown>>) => {
	const response = await provision(app, body);
	assert.equal(response.statusCode, 200, response.body);
	const { data } = response.json();
	return { data, headers: { "x-api-key": data.api_key as string }, site: `/sites/${data.account_id}` };
};
/** Rows that a provision makes, by table. */
const counts = async () => {
	const snapshot = await metadataSnapshot(app.metadata, [...withoutRequest, "rate_limits", "setting_versions"]);
	return Object.fromEntries(Object.entries(snapshot).map(([table, rows]) => [table, rows.length]));
};

describe("provisioning", () => {
	test("a site, its key and what to do next are answered at once", async () => {
		const place = { domain: "https://www.cats.example/shop", timezone: "europe/madrid" };
		const { data, headers, site } = await provisioned({ email: "Ann@Example.com", ...place });
		assert.deepEqual([data.success, data.account_id, data.next_steps.length], [true, "cat-shop", 3]);
		assert.match(data.snippet, /<script src="https:\/\/stats\.example\/t\.js\?id=cat-shop" defer><\/script>$/);
		assert.match(data.api_key, /^svc_[A-Za-z0-9]{60}$/);
		assert.equal(data.dashboard_url, "https://stats.example/sites/cat-shop");
		assert.match(data.claim_url, /^https:\/\/stats\.example\/claim\?resend=[\w-]{43}$/);
		assert.deepEqual(data.free_quota, { events_total: 1_000_000 });
		assert.equal((await call(`GET ${site}/pixel`, { headers })).json().data.script_tag, data.snippet);
		const { timezone, domains, is_active: isActive } = (await call(`GET ${site}`, { headers })).json().data;
		assert.deepEqual([timezone, domains, isActive], ["Europe/Madrid", ["cats.example"], true]);
	});

	test("without domain and zone a site has none and UTC, in a personal organization on the plan free", async () => {
		const wish = { email: "hal@example.com", name: "Hal", domain: null, timezone: null };
		const { headers, site } = await provisioned(wish);
		const { timezone, domains, org_name, org_slug } = (await call(`GET ${site}`, { headers })).json().data;
		assert.deepEqual([timezone, domains, org_name], ["UTC", [], "Hal"]);
		const organizations = tables(app.metadata).selectFrom("organizations").select(["plan_tier", "is_personal"]);
		const row = await organizations.where("slug", "=", org_slug).executeTakeFirst();
		assert.deepEqual(row, { plan_tier: "free", is_personal: 1 });
	});

	test("the key reads reports and settings of its site for good, no other site, and nothing else", async () => {
		const { headers, site, data } = await provisioned({ email: "eve@example.com" });
		const { data: theirs } = await provisioned({ email: "fay@example.com" });
		const start = new Date(app.clock.now()).toISOString();
		app.clock.advance(89 * 86_400_000);
		assert.equal((await call(`GET ${site}`, { headers })).statusCode, 200);
		app.clock.set(start);
		for (const [route, expected] of [
			[`GET /stats/overview?site_id=${data.account_id}`, 200],
			[`GET /stats/overview?site_id=${theirs.account_id}`, 403],
			["GET /organizations", 403],
		] as const) {
			assert.equal((await call(route, { headers })).statusCode, expected, route);
		}
	});

	test("channel and source are stored with the site, and recorded", async () => {
		const { data } = await provisioned({ email: "ida@example.com", install_source: "plugin 1.2" });
		const from = { channel: "plugin-store", install_source: "plugin 1.2" };
		const rows = tables(app.metadata).selectFrom("provisioned_sites").select(["channel", "install_source"]);
		assert.deepEqual(await rows.where("site_id", "=", data.account_id).executeTakeFirst(), from);
		const root = await signIn(app, { email: "root@example.com", role: "superadmin" });
		const log = await call(`GET /audit/logs?action=user.created&account_id=${data.account_id}`, { as: root });
		assert.deepEqual(log.json().data.logs[0].details, { ...from, site_id: data.account_id });
	});

	test("the mail brings the key and a claim link of its own, and nothing that a stranger wrote; nothing is logged", async () => {
		const given = { site_name: "You won! http://evil.example/win", name: "Visit evil.example" };
		const { data } = await provisioned({ email: "joe@example.com", ...given });
		const [mail, ...more] = await mailbox(app).to("joe@example.com");
		assert.deepEqual([mail?.subject, more], ["Your site you-won-http-evil-example-win is ready", []]);
		assert.doesNotMatch(`${mail?.text}${mail?.html}`, /evil\.example/);
		assert.ok(mail?.text.includes(data.api_key));
		const [link = ""] = mail?.links ?? [];
		assert.match(link, /^https:\/\/stats\.example\/claim\?token=[\w-]{43}$/);
		const secrets = [data.claim_url, link].map((url) => url.split("=")[1]);
		assert.notEqual(secrets[0], secrets[1]);
		const log = app.logLines.join("");
		for (const text of [...secrets, data.api_key, "joe@example.com", "prov_of_the_plugin_store"]) {
			assert.ok(!log.includes(text), text);
		}
	});

	test("a known address is refused, whatever its letters' case, and nothing of the attempt remains", async () => {
		await provisioned({ email: "kim@example.com" });
		const lea = await signIn(app, { email: "lea@example.com" });
		await tables(app.metadata).updateTable("users").set({ is_active: 0 }).where("id", "=", lea.userId).execute();
		const before = await counts();
		const error = { code: "provision_unavailable", message: "Provisioning is not available" };
		// Known, shut out, and out of reach of any mail.
		for (const email of ["KIM@example.com", "lea@example.com", "mia@example.invalid", "ned@my.localhost"]) {
			const response = await provision(app, { email, name: "Other" });
			assert.deepEqual([response.statusCode, response.json().error], [409, error], email);
		}
		assert.deepEqual(await counts(), before);
	});

	test("a hundred an hour of one key pass, and another key is not concerned", async () => {
		const statuses: Record<number, number> = {};
		for (let index = 0; index < 101; index++) {
			const { statusCode } = await provision(app, { email: "same@example.com" }, { key: "prov_of_the_busy" });
			statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
		}
		assert.deepEqual(statuses, { 200: 1, 409: 99, 429: 1 });
		const other = await provision(app, { email: "other@example.com" }, { key: "prov_of_the_wizard" });
		assert.equal(other.statusCode, 200);
	});

	test("a provision that fails at its last step leaves nothing half-made", async () => {
		const before = await counts();
		await app.metadata.schema.alterTable("jobs").renameTo("jobs_away").execute();
		assert.equal((await provision(app, { email: "half@example.com" })).statusCode, 500);
		await app.metadata.schema.alterTable("jobs_away").renameTo("jobs").execute();
		assert.deepEqual(await counts(), before);
	});
});

describe("what a provision is refused for, in the order in which it is looked at", () => {
	/** Every field is wrong: each test mends those that are checked before its own. */
	const allWrong = { accept_terms: false, domain: "no host", timezone: "Mars/Olympus", site_name: "", email: "nobody" };
	const post = (payload: string, key: string) => {
		const headers = { "content-type": "application/json", "x-forwarded-for": freshAddress(), "x-provision-key": key };
		return app.inject({ method: "POST", url: "/api/v1/provision", headers, payload });
	};

	test("first the key: none, an unknown one, the prefix of a good one, also with a body that is not JSON", async () => {
		for (const [key, message] of [
			[null, "provision_key_required"],
			[" ", "provision_key_required"],
			["prov_of_nobody", "invalid_provision_key"],
			["prov_of_the_plugin", "invalid_provision_key"],
			["prov_of_the_plugin_store:plugin-store", "invalid_provision_key"],
		] as const) {
			assert.deepEqual(messageOf(await provision(app, allWrong, { key })), [401, message]);
		}
		assert.deepEqual(messageOf(await post("{", "x")), [401, "invalid_provision_key"]);
	});

	test("then the switch: provisioning is off unless it is switched on", async () => {
		await using off = await testApp({ env: { PROVISION_KEYS: provisionEnv.PROVISION_KEYS } });
		const refused = await provision(off, allWrong);
		assert.deepEqual(messageOf(refused), [503, "provisioning_disabled"]);
		assert.equal(refused.headers["retry-after"], "3600");
		assert.equal((await provision(off, {}, { key: "prov_of_nobody" })).statusCode, 401);
	});

	/** Fields in the order in which they are looked at; those before a field are right when it is tried. */
	const zoned = { ...allWrong, accept_terms: true, domain: "cats.example" };
	const mails = [undefined, "", "nobody", "a@b", "a b@example.com", 7, "x@example.com\r\nBcc: y@example.com"];
	for (const [name, right, expected, values] of [
		["accept_terms", allWrong, "bad_request", [false, undefined, null, "true", 1]],
		["domain", { ...zoned, domain: "" }, "invalid_domain", ["no host", "1.2.3", "a".repeat(256), 7, ""]],
		["timezone", zoned, "invalid_timezone", ["Mars/Olympus", "+01:00", "x".repeat(65), 7, ""]],
		["site_name", {}, "invalid_input", [undefined, null, "", "  ", "x".repeat(256), 7, "a\u0000b"]],
		["email", {}, "invalid_input", mails],
		["name", {}, "invalid_input", ["", "x".repeat(256), 7, "a\nb"]],
		["install_source", {}, "invalid_input", ["", "x".repeat(65), {}]],
	] as const) {
		test(`then a wrong ${name} is ${expected}`, async () => {
			for (const value of values) {
				const refused = await provision(app, { ...right, [name]: value });
				assert.deepEqual(codeOf(refused), [400, expected], JSON.stringify(value));
				if (expected === "invalid_input") assert.deepEqual(fieldsOf(refused), [400, `body.${name}`]);
			}
		});
	}

	test("a body that is no object is terms that are not accepted; the longest fields pass", async () => {
		for (const payload of ["[]", '"x"', "null", ""]) {
			assert.equal((await post(payload, "prov_of_the_wizard")).statusCode, 400, payload);
		}
		const texts = { site_name: "s".repeat(255), name: "n".repeat(255), install_source: "i".repeat(64) };
		await provisioned({ ...texts, email: "longest@example.com" });
	});
});
