import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { accessPeople, type Headers } from "../support/access-people.ts";
import { keyScopes, type Person } from "../support/access-table.ts";
import { dataOf, requestOf } from "../support/request-of.ts";
import { testApp } from "../support/test-app.ts";

/** Everybody who tries: the people, and credentials of other kinds that the organization's owner gave out. */
type Trier = Person | "stranger" | "key" | "key of another site" | "app";
type Row = Readonly<Record<string, string | number>>;

interface Effect {
	readonly may: readonly Trier[];
	/** Runs before each try, which is the `n`-th; its result is the id for the request. */
	readonly before?: (n: number) => Promise<unknown>;
	readonly request: (n: number, id: string) => readonly [route: string, body?: object];
	/** The row by which the effect is seen. */
	readonly row: (n: number, id: string) => readonly [table: string, row: Row];
	readonly isGone?: true;
}

const impersonating = "impersonating superadmin";
const siteOwners: readonly Trier[] = ["site owner", "org owner", "superadmin"];
const siteAdmins: readonly Trier[] = [...siteOwners, "org admin", impersonating];
const siteEditors: readonly Trier[] = [...siteAdmins, "site editor"];
const siteViewers: readonly Trier[] = [...siteEditors, "site viewer"];
const organizationOwners: readonly Trier[] = ["org owner", "superadmin", impersonating];
const organizationAdmins: readonly Trier[] = [...organizationOwners, "org admin"];
/** Callers that are not impersonating: impersonators neither delete nor touch credentials. */
const inPerson = (triers: readonly Trier[]) => triers.filter((trier) => trier !== impersonating);

const views = "/saved-views?account_id=shop";
const settings = (n: number) => ({ name: `Name ${n}`, timezone: "Asia/Tokyo", currency: "JPY", bot_threshold: n });
const view = (n: number, isShared: boolean) => {
	return { kind: "funnel", name: `V ${n}`, definition: { view: ["page:/"] }, is_shared: isShared };
};
const members = "/organizations/org-owner/members";
const invitations = "/organizations/org-owner/invitations";

/** Effects that more than the guard of their route decides: the access matrix covers guards. */
const effects: Readonly<Record<string, Effect>> = {
	"every setting of a site is changed": {
		may: siteAdmins,
		request: (n) => ["PATCH /sites/shop", settings(n)],
		row: (n) => ["sites", { id: "shop", ...settings(n) }],
	},
	"the data retention of a site is shortened": {
		may: siteOwners,
		request: (n) => ["PATCH /sites/shop", { data_retention_months: 100 + n, confirm: "shop" }],
		row: (n) => ["sites", { id: "shop", retention_pending_months: 100 + n }],
	},
	"a shorter data retention is withdrawn": {
		may: siteAdmins,
		before: () => updateSite("shop", { retention_pending_months: 1, retention_pending_at: 9e15 }),
		request: () => ["PATCH /sites/shop", { data_retention_months: null }],
		row: () => ["sites", { id: "shop", retention_pending_months: 1 }],
		isGone: true,
	},
	"a site is stopped": {
		may: siteOwners,
		before: () => updateSite("doomed", { is_active: 1 }),
		request: () => ["PATCH /sites/doomed", { is_active: false }],
		row: () => ["sites", { id: "doomed", is_active: 0 }],
	},
	"a site is made in the organization": {
		may: organizationAdmins,
		before: async () => {
			const found = sql<{ id: string }>`select organization_id as id from sites where id = 'shop'`;
			return (await found.execute(app.metadata)).rows[0]?.id;
		},
		request: (n, id) => ["POST /sites", { name: `Made ${n}`, org_id: id }],
		row: (n, id) => ["sites", { name: `Made ${n}`, organization_id: id }],
	},
	"somebody becomes the owner of a site": {
		may: [...siteOwners, impersonating],
		before: newMember,
		request: (_, id) => ["POST /sites/shop/users", { user_id: Number(id), role: "owner" }],
		row: (_, id) => ["site_members", { site_id: "shop", user_id: Number(id), role: "owner" }],
	},
	"a view is shared with colleagues": {
		may: siteEditors,
		request: (n) => [`POST ${views}`, view(100 + n, true)],
		row: (n) => ["saved_views", { site_id: "shop", name: `V ${100 + n}`, is_shared: 1 }],
	},
	"a shared view of the organization's owner is changed": {
		may: siteAdmins,
		before: (n) => make(`POST ${views}`, view(200 + n, true)),
		request: (n, id) => [`PATCH ${views.replace("?", `/${id}?`)}`, { name: `Changed ${n}` }],
		row: (n) => ["saved_views", { site_id: "shop", name: `Changed ${n}` }],
	},
	"a shared view of the organization's owner is removed": {
		may: inPerson(siteAdmins),
		before: (n) => make(`POST ${views}`, view(300 + n, true)),
		request: (_, id) => [`DELETE ${views.replace("?", `/${id}?`)}`],
		row: (n) => ["saved_views", { site_id: "shop", name: `V ${300 + n}` }],
		isGone: true,
	},
	"a member becomes an owner": {
		may: organizationOwners,
		before: newMember,
		request: (_, id) => [`PATCH ${members}/${id}`, { role: "owner" }],
		row: (_, id) => ["organization_members", { user_id: Number(id), role: "owner" }],
	},
	"a member leaves by the hand of another": {
		may: inPerson(organizationAdmins),
		before: newMember,
		request: (_, id) => [`DELETE ${members}/${id}`],
		row: (_, id) => ["organization_members", { user_id: Number(id) }],
		isGone: true,
	},
	"somebody is invited as an owner": {
		may: organizationOwners,
		request: (n) => [`POST ${invitations}`, { email: `o${n}@new.example`, role: "owner" }],
		row: (n) => ["invitations", { email: `o${n}@new.example` }],
	},
	"a key is made for a site": {
		may: inPerson(siteViewers),
		request: (n) => ["POST /api-tokens", { name: `key of shop ${n}`, account_ids: ["shop"] }],
		row: (n) => ["api_tokens", { name: `key of shop ${n}` }],
	},
};

const app = await testApp();
after(() => app.close());
const everybody = await accessPeople(app);
const credentials: Readonly<Record<Trier, Headers>> = {
	stranger: {},
	...everybody.sessions,
	key: everybody.keyWith(keyScopes),
	"key of another site": everybody.keyOfOtherSite,
	app: everybody.apps.app,
};

const send = (headers: Headers, ...[route, body]: ReturnType<Effect["request"]>) =>
	app.inject(requestOf(route, { headers, body }));

/** Makes something as the owner of the organization; answers its id. */
const make = async (route: string, body: object): Promise<string> =>
	(await dataOf(app, route, { headers: everybody.sessions["org owner"], body })).id;

let users = 0;

/** A user of the organization without a role on its site or a password, made past the API, as many are needed. */
async function newMember(): Promise<number> {
	users += 1;
	const email = `made-${users}@example.com`;
	await sql`insert into users (email, name, role, is_active, email_verified_at, created_at, updated_at)
		values (${email}, 'Made', 'user', 1, 0, 0, 0)`.execute(app.metadata);
	await sql`insert into organization_members (organization_id, user_id, role, created_at)
		select organization_id, users.id, 'member', 0 from sites, users
		where sites.id = 'shop' and email = ${email}`.execute(app.metadata);
	const { rows } = await sql<{ id: number }>`select id from users where email = ${email}`.execute(app.metadata);
	return rows[0]?.id ?? assert.fail("The user was not made");
}

const equals = (row: Row) => Object.entries(row).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);

/** Puts a site back to what the effect is told from. */
const updateSite = (id: string, set: Row) =>
	sql`update sites set ${sql.join(equals(set), sql`, `)} where id = ${id}`.execute(app.metadata);

/** Whether a row is there that has these values. */
async function isThere([table, row]: ReturnType<Effect["row"]>): Promise<boolean> {
	const found = sql`select 1 from ${sql.table(table)} where ${sql.join(equals(row), sql` and `)} limit 1`;
	return (await found.execute(app.metadata)).rows.length > 0;
}

for (const [what, { may, before: prepare, request, row, isGone = false }] of Object.entries(effects)) {
	test(`${what}, by those who may and by nobody else`, async () => {
		const did: string[] = [];
		for (const [at, [trier, headers]] of Object.entries(credentials).entries()) {
			const n = at + 1;
			const id = String(await prepare?.(n));
			assert.equal(await isThere(row(n, id)), isGone, `${trier}, before`);
			const { statusCode } = await send(headers, ...request(n, id));
			const isDone = (await isThere(row(n, id))) !== isGone;
			assert.equal(statusCode < 300, isDone, `${trier}: ${statusCode}, but the effect: ${isDone}`);
			if (isDone) did.push(trier);
		}
		assert.deepEqual(did.sort(), [...may].sort());
	});
}
