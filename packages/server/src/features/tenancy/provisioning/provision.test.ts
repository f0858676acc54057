import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { sharedTestApp, signIn } from "../../../../test/support/accounts.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { freshAddress, provision, provisionEnv } from "../../../../test/support/provisioning.ts";
import type { TestApp } from "../../../../test/support/test-app.ts";

const API = "/api/v1";

describe("provisioning", () => {
	const app = sharedTestApp({ env: provisionEnv });

	const get = (url: string, headers: Record<string, string>) => app.inject({ method: "GET", url: API + url, headers });

	test("a site, its key and what to do next are answered at once", async () => {
		const response = await provision(app, {
			email: "Ann@Example.com",
			domain: "https://www.cats.example/shop",
			timezone: "europe/madrid",
			install_source: "plugin-1.2",
		});
		assert.equal(response.statusCode, 200, response.body);
		assert.equal(response.headers["cache-control"], "no-store");
		const { data } = response.json();
		assert.equal(data.success, true);
		assert.equal(data.account_id, "cat-shop");
		assert.match(data.snippet, /<script src="https:\/\/stats\.example\/t\.js\?id=cat-shop" defer><\/script>$/);
		assert.match(data.api_key, /^svc_[A-Za-z0-9]{60}$/);
		assert.equal(data.dashboard_url, "https://stats.example/sites/cat-shop");
		assert.match(data.claim_url, /^https:\/\/stats\.example\/claim\?resend=[\w-]{43}$/);
		assert.deepEqual(data.free_quota, { events_total: 1_000_000 });
		assert.equal(data.next_steps.length, 3);
		const headers = { "x-api-key": data.api_key };
		const pixel = await get(`/sites/${data.account_id}/pixel`, headers);
		assert.equal(pixel.json().data.script_tag, data.snippet);
		const site = (await get(`/sites/${data.account_id}`, headers)).json().data;
		assert.deepEqual([site.timezone, site.domains, site.is_active], ["Europe/Madrid", ["cats.example"], true]);
	});

	test("without domain and zone a site has none and UTC, in a personal organization on the plan free", async () => {
		const { data } = (await provision(app, { email: "hal@example.com", name: "Hal" })).json();
		const site = (await get(`/sites/${data.account_id}`, { "x-api-key": data.api_key })).json().data;
		assert.deepEqual([site.timezone, site.domains, site.org_name], ["UTC", [], "Hal"]);
		const row = await app.metadata
			.withTables<Tables>()
			.selectFrom("organizations")
			.select(["plan_tier", "is_personal"])
			.where("slug", "=", site.org_slug)
			.executeTakeFirst();
		assert.deepEqual(row, { plan_tier: "free", is_personal: 1 });
	});

	test("the key reads reports and settings of its site for good, no other site, and nothing else", async () => {
		const { data: mine } = (await provision(app, { email: "eve@example.com" })).json();
		const { data: theirs } = (await provision(app, { email: "fay@example.com" })).json();
		const headers = { "x-api-key": mine.api_key };
		const status = async (url: string) => (await get(url, headers)).statusCode;
		assert.equal(await status(`/stats/overview?site_id=${mine.account_id}`), 200);
		const before = app.clock.now();
		app.clock.advance(89 * 86_400_000);
		assert.equal(await status(`/sites/${mine.account_id}`), 200);
		app.clock.set(new Date(before).toISOString());
		assert.equal(await status(`/stats/overview?site_id=${theirs.account_id}`), 403);
		assert.equal(await status("/organizations"), 403);
		assert.equal(await status("/users/me"), 403);
		const write = await app.inject({
			method: "PATCH",
			url: `${API}/sites/${mine.account_id}`,
			headers,
			payload: { name: "x" },
		});
		assert.equal(write.statusCode, 403);
	});

	test("channel and source are stored with the site, and recorded", async () => {
		const { data } = (await provision(app, { email: "ida@example.com", install_source: "plugin 1.2" })).json();
		const row = await app.metadata
			.withTables<Tables>()
			.selectFrom("provisioned_sites")
			.select(["channel", "install_source"])
			.where("site_id", "=", data.account_id)
			.executeTakeFirst();
		assert.deepEqual(row, { channel: "plugin-store", install_source: "plugin 1.2" });
		const root = await signIn(app, { email: "root@example.com", role: "superadmin" });
		const log = await get(`/audit/logs?action=user.created&account_id=${data.account_id}`, root.headers);
		const [entry] = log.json().data.logs;
		assert.deepEqual(entry.details, {
			channel: "plugin-store",
			install_source: "plugin 1.2",
			site_id: data.account_id,
		});
	});

	test("the mail brings the key and a claim link of its own, and nothing that a stranger wrote", async () => {
		const given = { site_name: "You won! http://evil.example/win", name: "Visit evil.example" };
		const { data } = (await provision(app, { email: "joe@example.com", ...given })).json();
		const [mail, ...more] = await mailbox(app).to("joe@example.com");
		assert.equal(more.length, 0);
		assert.equal(mail?.subject, "Your site you-won-http-evil-example-win is ready");
		assert.doesNotMatch(`${mail?.text}${mail?.html}`, /evil\.example/);
		assert.ok(mail?.text.includes(data.api_key));
		const [link = ""] = mail?.links ?? [];
		assert.match(link, /^https:\/\/stats\.example\/claim\?token=[\w-]{43}$/);
		assert.notEqual(link.split("=")[1], data.claim_url.split("=")[1]);
	});

	test("a known address is refused, whatever its letters' case, and nothing of the attempt remains", async () => {
		await provision(app, { email: "kim@example.com" });
		const before = await counts(app);
		const response = await provision(app, { email: "KIM@example.com", name: "Other" });
		assert.equal(response.statusCode, 409);
		assert.deepEqual(response.json().error, {
			code: "provision_unavailable",
			message: "Provisioning is not available",
		});
		assert.deepEqual(await counts(app), before);
	});

	test("an address that no mail reaches and a user who was shut out get the same refusal", async () => {
		const session = await signIn(app, { email: "lea@example.com" });
		await app.metadata
			.withTables<Tables>()
			.updateTable("users")
			.set({ is_active: 0 })
			.where("id", "=", session.userId)
			.execute();
		const refusals = [];
		for (const email of ["lea@example.com", "mia@example.invalid", "ned@my.localhost"]) {
			const response = await provision(app, { email });
			refusals.push([response.statusCode, response.json().error]);
		}
		assert.equal(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size, 1);
		assert.equal(refusals[0]?.[0], 409);
	});

	test("five an hour of one address pass, and its neighbour is not concerned", async () => {
		const ip = freshAddress();
		for (let index = 0; index < 5; index++) {
			const { statusCode } = await provision(app, { email: `limit${index}@example.com` }, { ip });
			assert.equal(statusCode, 200);
		}
		const sixth = await provision(app, { email: "limit6@example.com" }, { ip });
		assert.equal(sixth.statusCode, 429);
		assert.equal(sixth.json().error.code, "rate_limit_exceeded");
		assert.equal(sixth.headers["retry-after"], "3600");
		assert.equal((await provision(app, { email: "limit7@example.com" })).statusCode, 200);
	});
});

/** Rows that a provision makes. */
async function counts(app: TestApp) {
	const result = { users: 0, sites: 0, organizations: 0, api_tokens: 0, one_time_tokens: 0, jobs: 0, audit_log: 0 };
	for (const table of Object.keys(result) as (keyof typeof result)[]) {
		const row = await app.metadata
			.withTables<Record<string, { id: number }>>()
			.selectFrom(table)
			.select((query) => query.fn.countAll<number>().as("count"))
			.executeTakeFirst();
		result[table] = Number(row?.count);
	}
	return result;
}
