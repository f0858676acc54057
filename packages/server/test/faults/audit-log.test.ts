import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import { accessPeople } from "../support/access-people.ts";
import { changesBetween, metadataSnapshot, withoutRequest } from "../support/metadata-snapshot.ts";
import { testApp } from "../support/test-app.ts";
import { changeBodies } from "../support/write-samples.ts";

const app = await testApp();
after(() => app.close());
const owner = (await accessPeople(app)).sessions["org owner"];

test("a change whose entry cannot be written is not made", async () => {
	await sql`alter table audit_log rename to audit_log_away`.execute(app.metadata);
	const writes = [
		["POST /sites", { name: "Never" }],
		["PATCH /sites/shop", { name: "Never" }],
		["POST /sites/shop/domains", { domain: "never.example" }],
		["POST /sites/shop/utm-mappings", { custom_param: "never", maps_to: "utm_term" }],
		["POST /segments?account_id=shop", { ...changeBodies["POST /segments"], name: "never" }],
		["POST /channel-groups?account_id=shop", changeBodies["POST /channel-groups"]],
		["POST /passthrough-referrers?account_id=shop", { domain: "never.example", utm_source: "x" }],
		["POST /referrer-mappings?account_id=shop", changeBodies["POST /referrer-mappings"]],
		["POST /blocklist-ips?account_id=shop", { ip_or_cidr: "192.0.2.77" }],
		["POST /ip-allowlist/patterns?account_id=shop", { pattern: "192.0.2.77" }],
		["POST /api-tokens", { name: "never" }],
		["POST /auth/token", { email: "org-owner@example.com", password: "correct horse battery staple 7" }],
		["PATCH /users/me", { name: "Never" }],
		["POST /organizations/org-owner/invitations", { email: "never@example.com" }],
	] as const;
	// A sign-in counts as failed until it has succeeded.
	const passing = ["login_failures", ...withoutRequest];
	const before = await metadataSnapshot(app.metadata, passing);
	for (const [route, payload] of writes) {
		const [method = "", url = ""] = route.split(" ");
		const request = { method: method as "POST", url: `/api/v1${url}`, headers: { ...owner } };
		const response = await app.inject({ ...request, payload: payload ?? {} });
		assert.equal(response.statusCode, 500, `${route}: ${response.body}`);
		assert.deepEqual(changesBetween(before, await metadataSnapshot(app.metadata, passing)), [], route);
	}
	await sql`alter table audit_log_away rename to audit_log`.execute(app.metadata);
});

test("entries are dropped by the daily job once they are two years old", async () => {
	const old = { action: "site.updated", resource_type: "site", details: "{}", created_at: 1000 } as const;
	const log = app.metadata.withTables<Tables>();
	await log.insertInto("audit_log").values(old).execute();
	await app.jobs.runDue();
	app.clock.advance(86_400_000);
	await app.jobs.runDue();
	const left = await log.selectFrom("audit_log").select("id").where("created_at", "=", 1000).execute();
	assert.deepEqual(left, []);
});
