import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { sql } from "kysely";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { accountsApp, type SignedIn, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { organizationMembers } from "../../tenancy/organizations/index.ts";
import { dropOldEntries, recordAudit, systemActor, userActor } from "./index.ts";
import { selectEntries } from "./store.ts";

interface Log {
	readonly id: number;
	readonly action: string;
	readonly resource_id: string;
	readonly user_email: string;
	readonly account_id: string | null;
	readonly details: Record<string, unknown>;
}

const page = async (as: SignedIn, query = "") => {
	const response = await app.call(`GET /audit/logs${query}`, { as });
	assert.equal(response.statusCode, 200, response.body);
	return response.json().data;
};
const logs = async (as: SignedIn, query = ""): Promise<Log[]> => (await page(as, query)).logs;
/** Entries that are told, but for sign-ins. */
const told = async (as: SignedIn, query = "") =>
	(await logs(as, query))
		.filter(({ action }) => action !== "user.login")
		.map(({ action, user_email: who, account_id: site }) => `${action} ${site} ${who}`);
const refusal = async (as: SignedIn, query: string) => {
	const { error } = (await app.call(`GET /audit/logs${query}`, { as })).json();
	return [error.code, error.detail?.[0]?.field ?? error.message];
};
const organizationOf = (siteId: string) => app.sites.get(siteId)?.organizationId ?? "";
const enlist = (user: SignedIn, role: "admin" | "member", organization = organizationId) =>
	organizationMembers.insert(app.metadata, { organization_id: organization, user_id: user.id, role, created_at: 0 });
/** Does something with a user in an organization. */
const asMember = async (
	user: SignedIn,
	role: "admin" | "member",
	organization: string,
	work: () => Promise<unknown>,
) => {
	await enlist(user, role, organization);
	await work();
	await organizationMembers.delete(app.metadata, { organization_id: organization, user_id: user.id });
};
const setRole = (role: "admin" | "member") =>
	organizationMembers.update(app.metadata, { organization_id: organizationId, user_id: member.id }, { role });
const ofShop = [
	"utm_mapping.created shop member@example.com",
	"site.updated shop owner@example.com",
	"site.created shop owner@example.com",
];

const app = await accountsApp();
const owner = await app.user("Owner");
const member = await app.user("Member");
const stranger = await app.user("Stranger");
const root = await app.user("Root", "superadmin");
await app.site(owner);
const organizationId = organizationOf("shop");
await enlist(member, "member");
await sql`insert into site_members (site_id, user_id, role, created_at) values ('shop', ${member.id}, 'editor', 0)`.execute(
	app.metadata,
);
await app.site(stranger, { name: "Other" });
app.clock.advance(1000);
await app.call("PATCH /sites/shop", { as: owner, body: { name: "Shop 2", currency: "usd" } });
app.clock.advance(1000);
const mapping = { custom_param: "src", maps_to: "utm_source" };
await app.call("POST /sites/shop/utm-mappings", { as: member, body: mapping });
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
	assert.deepEqual(await told(member), ofShop.slice(0, 1));
	assert.deepEqual(await told(owner), ofShop);
	await setRole("admin");
	assert.deepEqual(await told(member), ofShop);
	await setRole("member");
	const loner = await app.user("Loner");
	await app.call("POST /api-tokens", { as: loner, body: { name: "mine" } });
	assert.deepEqual(await told(loner), ["token.created null loner@example.com"], "who belongs to none, too");
});

test("another organization sees nothing of it, even when a person belongs to both", async () => {
	const own = ["site.created other stranger@example.com"];
	assert.deepEqual(await told(stranger), own);
	await asMember(member, "member", organizationOf("other"), async () => {
		assert.deepEqual(await told(stranger), own);
	});
	assert.deepEqual(await told(stranger, `?user_id=${owner.id}`), []);
});

test("an organization is asked about by its slug, without what its members do elsewhere", async () => {
	const { slug } = (await app.call("GET /organizations", { as: owner })).json().data.organizations[0];
	assert.deepEqual(await told(owner, `?organization=${slug}`), ofShop);
	for (const [as, asked] of [
		[stranger, slug],
		[owner, "none"],
	] as const) {
		assert.equal((await app.call(`GET /audit/logs?organization=${asked}`, { as })).statusCode, 404);
	}
});

test("acts of a removed member stay visible to the organization, their later acts do not", async () => {
	const leaver = await app.user("Leaver");
	await asMember(leaver, "admin", organizationId, () =>
		app.call("PATCH /sites/shop", { as: leaver, body: { bot_threshold: 70 } }),
	);
	await app.call("POST /api-tokens", { as: leaver, body: { name: "own" } });
	assert.deepEqual(await told(owner, `?user_id=${leaver.id}`), ["site.updated shop leaver@example.com"]);
});

test("superadmins see everything, the command line's changes too", async () => {
	const entry = { action: "site.updated", resourceId: "other", siteId: "other" } as const;
	await recordAudit(app.metadata, systemActor, entry, app.clock.now());
	const lines = await told(root);
	for (const line of ["site.updated other system", ofShop[2] ?? "", "site.created other stranger@example.com"]) {
		assert.ok(lines.includes(line), line);
	}
});

test("filters narrow the list, days and moments alike", async () => {
	const at = "2026-11-21T12:00:01.000Z";
	for (const [query, actions] of [
		["?resource_type=utm_mapping", ["utm_mapping.created"]],
		[`?user_id=${member.id}&account_id=shop&action=utm_mapping.created`, ["utm_mapping.created"]],
		[`?from_date=${at}&to_date=${at}`, ["site.updated"]],
		["?from_date=2026-11-21&to_date=2026-11-21&action=site.created", ["site.created"]],
		["?to_date=2026-11-20&action=site.created", []],
		["?from_date=2026-11-22", []],
		["?action=site", []],
	] as const) {
		const found = (await logs(owner, query)).map(({ action }) => action);
		assert.deepEqual(found, actions, query);
	}
});

test("pages are counted from the newest entry, and one past the end is empty", async () => {
	const { total, logs: all } = await page(owner);
	const { logs: second, ...pages } = await page(owner, "?page=2&page_size=2");
	assert.deepEqual([all.length, second], [total, all.slice(2, 4)]);
	assert.deepEqual(pages, { total, page: 2, page_size: 2, total_pages: Math.ceil(total / 2) });
	const last = await page(owner, "?page=999999999999999&page_size=100");
	assert.deepEqual([last.logs, last.total, last.total_pages], [[], total, 1]);
});

test("a day that is none and days in the wrong order are refused, an unknown site of superadmins too", async () => {
	assert.deepEqual(await refusal(owner, "?from_date=yesterday"), ["validation_error", "query.from_date"]);
	const backwards = "?from_date=2026-11-21&to_date=2026-11-20";
	assert.deepEqual(await refusal(owner, backwards), ["bad_request", "from_date must not be after to_date"]);
	assert.deepEqual(await refusal(root, "?account_id=nowhere"), ["account_not_found", "Account not found"]);
});

test("a plan without the log is refused, for its owner and its members, but not for superadmins", async () => {
	for (const plan of ["free", "growth", "scale", "enterprise"]) {
		await sql`update organizations set plan_tier = ${plan} where id = ${organizationId}`.execute(app.metadata);
		const statuses = [];
		for (const as of [owner, member, root]) statuses.push((await app.call("GET /audit/logs", { as })).statusCode);
		const open = plan === "scale" || plan === "enterprise" ? 200 : 403;
		assert.deepEqual(statuses, [open, open, 200], plan);
		const said = ["forbidden", "The organization's plan does not include the audit log"];
		if (open === 403) assert.deepEqual(await refusal(owner, ""), said);
	}
});

test("an entry that a reader may see for several reasons is counted and listed once, in its place", async () => {
	const former = await app.user("Former");
	const both = { ...userActor(member.id, ""), impersonatorId: former.id };
	const [own, foreign] = [userActor(former.id, ""), userActor(owner.id, "")];
	const here = { siteId: "shop", organizationId };
	const entries = [
		[both, here],
		[own, here],
		[foreign, {}],
		[both, {}],
		[foreign, here],
	] as const;
	for (const [index, [actor, place]] of entries.entries()) {
		const entry = { action: "segment.deleted", resourceId: index + 1, ...place } as const;
		await recordAudit(app.metadata, actor, entry, index + 1);
	}
	await asMember(former, "admin", organizationId, async () => {
		const pages = [];
		for (const at of [1, 2, 3]) pages.push(await page(former, `?action=segment.deleted&page_size=2&page=${at}`));
		const ids = pages.map(({ logs: rows }) => rows.map((row: Log) => row.resource_id).join(" "));
		assert.deepEqual(ids, ["5 4", "3 2", "1"]);
		assert.deepEqual([pages[0].total, pages[0].total_pages], [5, 3]);
	});
});

test("every action that can be filtered by is told, also to members", async () => {
	const { actions } = (await app.call("GET /audit/actions", { as: member })).json().data;
	assert.equal(new Set(actions.map(({ action }: { action: string }) => action)).size, actions.length);
	assert.deepEqual(actions[0], { action: "alert_rule.created", resource_type: "alert_rule" });
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
	assert.equal(await dropOldEntries(app), 1 + 5);
	assert.equal(await count(), before - 5 + 1);
});

test("no code beside this slice and its migration names the table", () => {
	const root = new URL("../../../../", import.meta.url);
	const naming = ["src", "migrations"].flatMap((folder) =>
		readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
			.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
			.filter((file) => readFileSync(new URL(`${folder}/${file}`, root), "utf8").includes("audit_log")),
	);
	assert.deepEqual(naming.sort(), [
		"features/auditing/audit-log/store.ts",
		"metadata/0007-audit-log.ts",
		"metadata/tables/operating.ts",
	]);
});

describe("a large audit log", () => {
	const app = sharedAccountsApp();

	test("of 600 organizations shows the entries of all, newest first", async () => {
		const agency = await app.user("Agency");
		const ids = Array.from({ length: 600 }, (_, index) => `customer-${index}`);
		const facts = { is_personal: 0, is_active: 1, plan_tier: "enterprise", created_at: 0, updated_at: 0 } as const;
		const organizations = ids.map((id) => ({ id, slug: id, name: id, ...facts }));
		const member = { user_id: agency.id, role: "admin", created_at: 0 } as const;
		const members = ids.map((id) => ({ organization_id: id, ...member }));
		const db = app.metadata.withTables<Tables>();
		await db.insertInto("organizations").values(organizations).execute();
		await db.insertInto("organization_members").values(members).execute();
		for (const [at, id] of ["customer-0", "customer-599", "customer-300"].entries()) {
			const entry = { action: "organization.updated", organizationId: id, resourceId: id } as const;
			await recordAudit(app.metadata, systemActor, entry, at);
		}
		const answer = await app.call("GET /audit/logs?action=organization.updated", { as: agency });
		const { logs, total } = answer.json().data;
		const listed = logs.map((log: { resource_id: string }) => log.resource_id);
		assert.deepEqual([total, listed], [3, ["customer-300", "customer-599", "customer-0"]]);
	});

	test("leaves out the entries of 70,000 sites that an address shuts, and only those", async () => {
		const ann = await app.user("Ann");
		await app.site(ann);
		await app.site(ann, { name: "Blog" });
		for (const [at, siteId] of ["shop", "blog", undefined].entries()) {
			const site = siteId === undefined ? {} : { siteId };
			await recordAudit(app.metadata, systemActor, { action: "site.updated", ...site }, at);
		}
		const organizationIds = [app.sites.get("shop")?.organizationId ?? "", "another"];
		// More than a statement can name one by one.
		const shutSiteIds = ["shop", ...Array.from({ length: 70_000 }, (_, at) => `shut-${at}`)];
		const filter = { action: "site.updated", shutSiteIds };
		const seenBy = async (view: { readonly organizationIds: readonly string[] | null }) => {
			const page = { limit: 10, offset: 0 };
			const { rows, total } = await selectEntries(app.metadata, { userId: ann.id, ...view }, filter, page);
			return [total, rows.map((row) => row.site_id)];
		};
		assert.deepEqual(await seenBy({ organizationIds: null }), [2, [null, "blog"]]);
		assert.deepEqual(await seenBy({ organizationIds }), [1, ["blog"]]);
	});

	test("has long texts cut", async () => {
		const details = { filters: ["short", "x".repeat(5000)] };
		await recordAudit(app.metadata, systemActor, { action: "segment.updated", details }, 0);
		const { rows } = await sql<{ details: string }>`select details from audit_log`.execute(app.metadata);
		assert.deepEqual(JSON.parse(rows[0]?.details ?? ""), { filters: ["short", `${"x".repeat(1000)}…`] });
	});
});
