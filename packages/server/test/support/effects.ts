import { sql } from "kysely";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";
import type { Person } from "./access-table.ts";

/** Everybody who tries: the people, and credentials of other kinds that the organization's owner gave out. */
export type Trier = Person | "stranger" | "key" | "key of another site" | "app";

export interface Try {
	/** Another one for each try, from 1 on. */
	readonly n: number;
	readonly metadata: Metadata;
	/** A call by the owner of the organization that must succeed; its id. */
	readonly prepare: (method: "POST" | "PUT", path: string, body: object) => Promise<string>;
	/** A user of the organization who has no role on its site. */
	readonly member: () => Promise<number>;
	readonly loner: () => Promise<number>;
}

type Request = readonly [method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object];
type Row = Readonly<Record<string, string | number>>;

interface Effect {
	readonly may: readonly Trier[];
	/** Made before each try; an id for the others. */
	readonly before?: (given: Try) => Promise<unknown>;
	readonly request: (n: number, id: string) => Request;
	/** The row by which the effect is seen. */
	readonly row: (n: number, id: string) => readonly [table: string, row: Row];
	readonly isGone?: true;
}

const equals = (row: Row) => Object.entries(row).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);

/** Whether a row is there that has these values. */
export async function isThere(metadata: Metadata, [table, row]: readonly [string, Row]): Promise<boolean> {
	const found = sql`select 1 from ${sql.table(table)} where ${sql.join(equals(row), sql` and `)} limit 1`;
	return (await found.execute(metadata)).rows.length > 0;
}

const impersonating = "impersonating superadmin";
const siteOwners: readonly Trier[] = ["site owner", "org owner", "superadmin"];
const siteAdmins: readonly Trier[] = [...siteOwners, "org admin", impersonating];
const siteEditors: readonly Trier[] = [...siteAdmins, "site editor"];
const siteViewers: readonly Trier[] = [...siteEditors, "site viewer"];
const organizationOwners: readonly Trier[] = ["org owner", "superadmin", impersonating];
const organizationAdmins: readonly Trier[] = [...organizationOwners, "org admin"];
const superadmins: readonly Trier[] = ["superadmin"];
/** Callers that are not impersonating: impersonators neither delete nor touch credentials. */
const inPerson = (triers: readonly Trier[]) => triers.filter((trier) => trier !== impersonating);

/** Puts a site back to what the effect is told from. */
const reset =
	(id: string, set: Row) =>
	async ({ metadata }: Try) => {
		await sql`update sites set ${sql.join(equals(set), sql`, `)} where id = ${id}`.execute(metadata);
	};

const shop = "account_id=shop";
const settings = (n: number) => ({ name: `Name ${n}`, timezone: "Asia/Tokyo", currency: "JPY", bot_threshold: n });
const view = (n: number, isShared: boolean) => ({
	kind: "funnel",
	name: `V ${n}`,
	definition: { view: ["page:/"] },
	is_shared: isShared,
});

const members = "/organizations/org-owner/members";
const invitations = "/organizations/org-owner/invitations";
const aMember = ({ member }: Try) => member();
async function aViewer({ member, prepare }: Try): Promise<number> {
	const id = await member();
	await prepare("POST", "/sites/shop/users", { user_id: id, role: "viewer" });
	return id;
}

/** Of a site and its people, where more than the guard of the route decides: the access matrix covers guards. Then of an organization and its members, of the whole server, and of whoever calls. */
export const effects: Readonly<Record<string, Effect>> = {
	"every setting of a site is changed": {
		may: siteAdmins,
		request: (n) => ["PATCH", "/sites/shop", settings(n)],
		row: (n) => ["sites", { id: "shop", ...settings(n) }],
	},
	"the data retention of a site is shortened": {
		may: siteOwners,
		request: (n) => ["PATCH", "/sites/shop", { data_retention_months: 100 + n, confirm: "shop" }],
		row: (n) => ["sites", { id: "shop", retention_pending_months: 100 + n }],
	},
	"a shorter data retention is withdrawn": {
		may: siteAdmins,
		before: reset("shop", { retention_pending_months: 1, retention_pending_at: 9e15 }),
		request: () => ["PATCH", "/sites/shop", { data_retention_months: null }],
		row: () => ["sites", { id: "shop", retention_pending_months: 1 }],
		isGone: true,
	},
	"a site of another organization is renamed": {
		may: ["owner of another organization", "superadmin"],
		request: (n) => ["PATCH", "/sites/other", { name: `Other ${n}` }],
		row: (n) => ["sites", { id: "other", name: `Other ${n}` }],
	},
	"data of a site are deleted": {
		may: siteOwners,
		before: ({ metadata }) => sql`update data_deletions set status = 'completed'`.execute(metadata),
		request: (n) => [
			"DELETE",
			"/sites/shop/data",
			{ confirm: "shop", from: `20${10 + n}-01-01`, to: `20${10 + n}-01-02` },
		],
		row: (n) => ["data_deletions", { site_id: "shop", date_from: `20${10 + n}-01-01` }],
	},
	"a site is stopped": {
		may: siteOwners,
		before: reset("doomed", { is_active: 1 }),
		request: () => ["PATCH", "/sites/doomed", { is_active: false }],
		row: () => ["sites", { id: "doomed", is_active: 0 }],
	},
	"a site is deleted": {
		may: siteOwners,
		before: reset("doomed", { is_active: 1 }),
		request: () => ["DELETE", "/sites/doomed"],
		row: () => ["sites", { id: "doomed", is_active: 0 }],
	},
	"a site is made in the organization": {
		may: organizationAdmins,
		before: async ({ metadata }) => {
			const found = sql<{ id: string }>`select organization_id as id from sites where id = 'shop'`;
			return (await found.execute(metadata)).rows[0]?.id;
		},
		request: (n, id) => ["POST", "/sites", { name: `Made ${n}`, org_id: id }],
		row: (n, id) => ["sites", { name: `Made ${n}`, organization_id: id }],
	},
	"somebody gets a role on a site": {
		may: siteAdmins,
		before: aMember,
		request: (_, id) => ["POST", "/sites/shop/users", { user_id: Number(id), role: "viewer" }],
		row: (_, id) => ["site_members", { site_id: "shop", user_id: Number(id) }],
	},
	"somebody becomes the owner of a site": {
		may: [...siteOwners, impersonating],
		before: aMember,
		request: (_, id) => ["POST", "/sites/shop/users", { user_id: Number(id), role: "owner" }],
		row: (_, id) => ["site_members", { site_id: "shop", user_id: Number(id), role: "owner" }],
	},
	"a role on a site is changed": {
		may: siteAdmins,
		before: aViewer,
		request: (_, id) => ["PATCH", `/sites/shop/users/${id}`, { role: "editor" }],
		row: (_, id) => ["site_members", { site_id: "shop", user_id: Number(id), role: "editor" }],
	},
	"a role on a site is taken away": {
		may: inPerson(siteAdmins),
		before: aViewer,
		request: (_, id) => ["DELETE", `/sites/shop/users/${id}`],
		row: (_, id) => ["site_members", { site_id: "shop", user_id: Number(id) }],
		isGone: true,
	},
	"a view is kept for oneself": {
		may: siteViewers,
		request: (n) => ["POST", `/saved-views?${shop}`, view(n, false)],
		row: (n) => ["saved_views", { site_id: "shop", name: `V ${n}`, is_shared: 0 }],
	},
	"a view is shared with colleagues": {
		may: siteEditors,
		request: (n) => ["POST", `/saved-views?${shop}`, view(100 + n, true)],
		row: (n) => ["saved_views", { site_id: "shop", name: `V ${100 + n}`, is_shared: 1 }],
	},
	"a shared view of the organization's owner is changed": {
		may: siteAdmins,
		before: ({ n, prepare }) => prepare("POST", `/saved-views?${shop}`, view(200 + n, true)),
		request: (n, id) => ["PATCH", `/saved-views/${id}?${shop}`, { name: `Changed ${n}` }],
		row: (n) => ["saved_views", { site_id: "shop", name: `Changed ${n}` }],
	},
	"a shared view of the organization's owner is removed": {
		may: inPerson(siteAdmins),
		before: ({ n, prepare }) => prepare("POST", `/saved-views?${shop}`, view(300 + n, true)),
		request: (_, id) => ["DELETE", `/saved-views/${id}?${shop}`],
		row: (n) => ["saved_views", { site_id: "shop", name: `V ${300 + n}` }],
		isGone: true,
	},
	"an organization is renamed": {
		may: organizationOwners,
		request: (n) => ["PATCH", "/organizations/org-owner", { name: `Name ${n}` }],
		row: (n) => ["organizations", { slug: "org-owner", name: `Name ${n}` }],
	},
	"a member becomes an admin": {
		may: organizationAdmins,
		before: aMember,
		request: (_, id) => ["PATCH", `${members}/${id}`, { role: "admin" }],
		row: (_, id) => ["organization_members", { user_id: Number(id), role: "admin" }],
	},
	"a member becomes an owner": {
		may: organizationOwners,
		before: aMember,
		request: (_, id) => ["PATCH", `${members}/${id}`, { role: "owner" }],
		row: (_, id) => ["organization_members", { user_id: Number(id), role: "owner" }],
	},
	"a member leaves by the hand of another": {
		may: inPerson(organizationAdmins),
		before: aMember,
		request: (_, id) => ["DELETE", `${members}/${id}`],
		row: (_, id) => ["organization_members", { user_id: Number(id) }],
		isGone: true,
	},
	"a member gets sites": {
		may: organizationAdmins,
		before: aMember,
		request: (_, id) => ["POST", `${members}/${id}/sites`, { site_ids: ["second"] }],
		row: (_, id) => ["site_members", { user_id: Number(id), site_id: "second" }],
	},
	"somebody is invited": {
		may: organizationAdmins,
		request: (n) => ["POST", invitations, { email: `i${n}@new.example`, role: "member" }],
		row: (n) => ["invitations", { email: `i${n}@new.example` }],
	},
	"somebody is invited as an owner": {
		may: organizationOwners,
		request: (n) => ["POST", invitations, { email: `o${n}@new.example`, role: "owner" }],
		row: (n) => ["invitations", { email: `o${n}@new.example` }],
	},
	"an invitation is taken back": {
		may: inPerson(organizationAdmins),
		before: ({ n, prepare }) => prepare("POST", invitations, { email: `r${n}@new.example`, role: "member" }),
		request: (_, id) => ["DELETE", `${invitations}/${id}`],
		row: (n) => ["invitations", { email: `r${n}@new.example`, is_active: 1 }],
		isGone: true,
	},
	"somebody becomes a superadmin": {
		may: superadmins,
		before: ({ loner }) => loner(),
		request: (_, id) => ["PATCH", `/users/${id}`, { role: "superadmin" }],
		row: (_, id) => ["users", { id: Number(id), role: "superadmin" }],
	},
	"a key is made for a site": {
		may: inPerson(siteViewers),
		request: (n) => ["POST", "/api-tokens", { name: `key of shop ${n}`, account_ids: ["shop"] }],
		row: (n) => ["api_tokens", { name: `key of shop ${n}` }],
	},
};
