import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { type AccountsApp, accountsApp, type SignedIn } from "../../../../test/support/accounts-app.ts";
import { dropOldEntries, recordAudit, systemActor, userActor } from "./index.ts";

interface Log {
	readonly id: number;
	readonly action: string;
	readonly user_email: string;
	readonly account_id: string | null;
	readonly details: Record<string, unknown>;
}

describe("reading the audit log", () => {
	let app: AccountsApp;
	let owner: SignedIn;
	let member: SignedIn;
	let stranger: SignedIn;
	let root: SignedIn;
	let organizationId: string;

	const logs = async (as: SignedIn, query = ""): Promise<Log[]> => {
		const response = await app.call(`GET /audit/logs${query}`, { as });
		assert.equal(response.statusCode, 200, response.body);
		return response.json().data.logs;
	};
	const told = async (as: SignedIn, query = "") =>
		(await logs(as, query)).map(({ action, user_email: who, account_id: site }) => `${action} ${site} ${who}`);
	const refusal = async (as: SignedIn, query: string) => {
		const { error } = (await app.call(`GET /audit/logs${query}`, { as })).json();
		return [error.code, error.detail?.[0]?.field ?? error.message];
	};
	const addMember = (user: SignedIn, role: string, organization = organizationId) =>
		sql`insert into organization_members (organization_id, user_id, role, created_at)
			values (${organization}, ${user.id}, ${role}, 0)`.execute(app.metadata);
	const organizationOf = async (siteId: string): Promise<string> =>
		(await sql<{ id: string }>`select organization_id as id from sites where id = ${siteId}`.execute(app.metadata))
			.rows[0]?.id ?? "";
	const setPlan = (plan: string) =>
		sql`update organizations set plan_tier = ${plan} where id = ${organizationId}`.execute(app.metadata);

	before(async () => {
		app = await accountsApp();
		owner = await app.user("Owner");
		member = await app.user("Member");
		stranger = await app.user("Stranger");
		root = await app.user("Root", "superadmin");
		await app.site(owner);
		organizationId = await organizationOf("shop");
		await addMember(member, "member");
		await sql`insert into site_members (site_id, user_id, role, created_at) values ('shop', ${member.id}, 'editor', 0)`.execute(
			app.metadata,
		);
		await app.site(stranger, { name: "Other" });
		app.clock.advance(1000);
		await app.call("PATCH /sites/shop", { as: owner, body: { name: "Shop 2", currency: "usd" } });
		app.clock.advance(1000);
		const mapping = { custom_param: "src", maps_to: "utm_source" };
		await app.call("POST /sites/shop/utm-mappings", { as: member, body: mapping });
	});
	after(() => app.close());

	test("an entry tells who changed what, from where and when, with old and new values", async () => {
		const [entry] = await logs(owner, "?action=site.updated");
		assert.deepEqual(entry, {
			id: entry?.id,
			user_id: owner.id,
			user_email: "owner@example.com",
			user_name: "Owner",
			action: "site.updated",
			resource_type: "site",
			resource_id: "shop",
			account_id: "shop",
			details: { name: ["Shop", "Shop 2"], currency: ["EUR", "USD"] },
			ip_address: "127.0.0.1",
			created_at: "2026-11-21T12:00:01.000Z",
		});
	});

	test("members see what they did themselves, owners and admins what happened in their organization", async () => {
		const ofMember = ["utm_mapping.created shop member@example.com", "user.login null member@example.com"];
		const withoutLogin = (lines: string[]) => lines.filter((line) => !line.startsWith("user.login"));
		assert.deepEqual(withoutLogin(await told(member)), withoutLogin(ofMember));
		const all = [
			"utm_mapping.created shop member@example.com",
			"site.updated shop owner@example.com",
			"site.created shop owner@example.com",
		];
		assert.deepEqual(withoutLogin(await told(owner)), all);
		await sql`update organization_members set role = 'admin' where user_id = ${member.id}`.execute(app.metadata);
		assert.deepEqual(withoutLogin(await told(member)), all);
		await sql`update organization_members set role = 'member' where user_id = ${member.id}`.execute(app.metadata);
	});

	test("another organization sees nothing of it, even when a person belongs to both", async () => {
		assert.deepEqual(
			(await told(stranger)).filter((line) => !line.startsWith("user.login")),
			["site.created other stranger@example.com"],
		);
		const other = await organizationOf("other");
		await addMember(member, "member", other);
		assert.ok(!(await told(stranger)).some((line) => line.includes("shop")));
		await sql`delete from organization_members where organization_id = ${other} and user_id = ${member.id}`.execute(
			app.metadata,
		);
		assert.deepEqual(await told(stranger, `?user_id=${owner.id}`), []);
	});

	test("an organization is asked about by its slug, without what its members do elsewhere", async () => {
		const { organizations } = (await app.call("GET /organizations", { as: owner })).json().data;
		const of = `?organization=${organizations[0].slug}`;
		assert.deepEqual(await told(owner, of), [
			"utm_mapping.created shop member@example.com",
			"site.updated shop owner@example.com",
			"site.created shop owner@example.com",
		]);
		for (const slug of [organizations[0].slug, "none"]) {
			const as = slug === "none" ? owner : stranger;
			assert.equal((await app.call(`GET /audit/logs?organization=${slug}`, { as })).statusCode, 404);
		}
	});

	test("what a removed member did stays visible to the organization, what else they do does not", async () => {
		const leaver = await app.user("Leaver");
		await addMember(leaver, "admin");
		await app.call("PATCH /sites/shop", { as: leaver, body: { bot_threshold: 70 } });
		await sql`delete from organization_members where user_id = ${leaver.id}`.execute(app.metadata);
		await app.call("POST /api-tokens", { as: leaver, body: { name: "own" } });
		assert.deepEqual(await told(owner, `?user_id=${leaver.id}`), ["site.updated shop leaver@example.com"]);
	});

	test("superadmins see everything, the command line's changes too", async () => {
		const entry = { action: "site.updated", resourceId: "other", siteId: "other" } as const;
		await recordAudit(app.metadata, systemActor, entry, app.clock.now());
		const lines = await told(root);
		assert.ok(lines.includes("site.updated other system"));
		assert.ok(lines.includes("site.created shop owner@example.com"));
		assert.ok(lines.includes("site.created other stranger@example.com"));
		const [system] = await logs(root, "?account_id=other&action=site.updated");
		assert.deepEqual([system?.user_email, system?.details], ["system", {}]);
	});

	test("what is done while impersonating is found under both users", async () => {
		const actor = { ...userActor(member.id, "192.0.2.7"), impersonatorId: root.id };
		await recordAudit(
			app.metadata,
			actor,
			{ action: "segment.created", siteId: "shop", details: { name: [null, "a"] } },
			0,
		);
		for (const userId of [member.id, root.id]) {
			const [entry] = await logs(root, `?user_id=${userId}&action=segment.created`);
			assert.equal(entry?.user_email, "member@example.com");
			assert.deepEqual(entry?.details, { name: [null, "a"], impersonated_by: root.id });
		}
	});

	test("filters narrow the list, days and moments alike", async () => {
		const actions = async (query: string) => (await logs(owner, query)).map(({ action }) => action);
		assert.deepEqual(await actions("?resource_type=utm_mapping"), ["utm_mapping.created"]);
		assert.deepEqual(await actions(`?user_id=${member.id}&account_id=shop&action=utm_mapping.created`), [
			"utm_mapping.created",
		]);
		const at = "2026-11-21T12:00:01.000Z";
		assert.deepEqual(await actions(`?from_date=${at}&to_date=${at}`), ["site.updated"]);
		assert.deepEqual(await actions("?from_date=2026-11-21&to_date=2026-11-21&action=site.created"), ["site.created"]);
		assert.deepEqual(await actions("?to_date=2026-11-20&action=site.created"), []);
		assert.deepEqual(await actions("?from_date=2026-11-22"), []);
		assert.deepEqual(await actions("?action=site"), []);
	});

	test("pages are counted from the newest entry, and one past the end is empty", async () => {
		const page = async (query: string) => (await app.call(`GET /audit/logs${query}`, { as: owner })).json().data;
		const { total } = await page("");
		const all = (await logs(owner)).map(({ id }) => id);
		assert.equal(all.length, total);
		const second = await page("?page=2&page_size=2");
		assert.deepEqual(
			[second.logs.map(({ id }: Log) => id), second.page, second.page_size, second.total_pages],
			[all.slice(2, 4), 2, 2, Math.ceil(total / 2)],
		);
		const last = await page("?page=999999999999999&page_size=100");
		assert.deepEqual([last.logs, last.total, last.total_pages], [[], total, 1]);
	});

	test("wrong parameters are named, foreign and unknown sites refused", async () => {
		for (const [query, field] of [
			["?page=0", "query.page"],
			["?page_size=101", "query.page_size"],
			["?user_id=me", "query.user_id"],
			["?user_id=2147483648", "query.user_id"],
			["?from_date=yesterday", "query.from_date"],
			["?to_date=2026-02-30", "query.to_date"],
			["?action=%00", "query.action"],
			["?resource_type=%00", "query.resource_type"],
		] as const) {
			assert.deepEqual(await refusal(owner, query), ["validation_error", field], query);
		}
		const backwards = "?from_date=2026-11-21&to_date=2026-11-20";
		assert.deepEqual(await refusal(owner, backwards), ["bad_request", "from_date must not be after to_date"]);
		for (const as of [owner, member, root]) {
			assert.deepEqual(await refusal(as, "?account_id=nowhere"), ["account_not_found", "Account not found"]);
			assert.deepEqual(await refusal(as, "?account_id=%00"), ["account_not_found", "Account not found"]);
		}
		assert.deepEqual(await refusal(owner, "?account_id=other"), ["forbidden", "Access denied to account: other"]);
	});

	test("a plan without the log is refused, for its owner and its members, but not for superadmins", async () => {
		for (const [plan, isOpen] of [
			["free", false],
			["growth", false],
			["scale", true],
			["enterprise", true],
		] as const) {
			await setPlan(plan);
			for (const as of [owner, member]) {
				const response = await app.call("GET /audit/logs", { as });
				assert.equal(response.statusCode, isOpen ? 200 : 403, plan);
			}
			assert.equal((await app.call("GET /audit/logs", { as: root })).statusCode, 200);
		}
		await setPlan("free");
		assert.deepEqual(await refusal(owner, ""), ["forbidden", "The organization's plan has no audit log"]);
		await setPlan("enterprise");
	});

	test("who belongs to no organization sees what they did themselves", async () => {
		const loner = await app.user("Loner");
		await app.call("POST /api-tokens", { as: loner, body: { name: "mine" } });
		const lines = (await told(loner)).filter((line) => !line.startsWith("user.login"));
		assert.deepEqual(lines, ["token.created null loner@example.com"]);
	});

	test("an entry that a reader may see for several reasons is counted and listed once, in its place", async () => {
		const former = await app.user("Former");
		await addMember(former, "admin");
		const authors = { user_id: member.id, impersonator_id: former.id };
		const reasons = [
			{ at: 1, by: authors, siteId: "shop" },
			{ at: 2, by: { user_id: former.id, impersonator_id: null }, siteId: "shop" },
			{ at: 3, by: { user_id: owner.id, impersonator_id: null }, siteId: null },
			{ at: 4, by: authors, siteId: null },
			{ at: 5, by: { user_id: owner.id, impersonator_id: null }, siteId: "shop" },
		];
		for (const { at, by, siteId } of reasons) {
			await sql`insert into audit_log (user_id, impersonator_id, action, resource_type, site_id, organization_id, details, created_at)
				values (${by.user_id}, ${by.impersonator_id}, 'site.seen', 'site', ${siteId},
					${siteId === null ? null : organizationId}, ${`{"at":${at}}`}, ${at})`.execute(app.metadata);
		}
		const pageOf = async (page: number) =>
			(await app.call(`GET /audit/logs?action=site.seen&page_size=2&page=${page}`, { as: former })).json().data;
		const pages = [await pageOf(1), await pageOf(2), await pageOf(3)];
		assert.deepEqual(
			pages.map(({ logs: rows }) => rows.map((row: Log) => row.details.at)),
			[[5, 4], [3, 2], [1]],
		);
		assert.deepEqual([pages[0].total, pages[0].total_pages], [5, 3]);
	});

	test("entries can neither be changed nor removed while they are kept, and old ones are dropped", async () => {
		const count = async () =>
			Number((await sql<{ n: number }>`select count(*) as n from audit_log`.execute(app.metadata)).rows[0]?.n);
		await assert.rejects(sql`update audit_log set ip_address = null`.execute(app.metadata), /audit entries/);
		await assert.rejects(sql`delete from audit_log where created_at > 1000`.execute(app.metadata), /audit entries/);
		const before = await count();
		const entry = { action: "site.updated", siteId: "shop" } as const;
		app.clock.set("2003-02-28T00:00:00.000Z");
		for (const moment of ["2001-02-27T23:59:59.999Z", "2001-02-28T00:00:00.000Z"]) {
			await recordAudit(app.metadata, systemActor, entry, Date.parse(moment));
		}
		// The entries from 1970 of the tests above go too.
		assert.equal(await dropOldEntries(app), 1 + 6);
		assert.equal(await count(), before - 6 + 1);
	});
});
