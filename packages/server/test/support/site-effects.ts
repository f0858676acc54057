import { sql } from "kysely";
import {
	type Effect,
	impersonating,
	inPerson,
	organizationAdmins,
	reset,
	siteAdmins,
	siteEditors,
	siteOwners,
	siteViewers,
} from "./effect.ts";

const shop = "account_id=shop";
const settings = (n: number) => ({
	name: `Name ${n}`,
	timezone: "Asia/Tokyo",
	currency: "JPY",
	bot_threshold: n,
});
const view = (n: number, isShared: boolean) => ({
	kind: "funnel",
	name: `V ${n}`,
	definition: { view: ["page:/"] },
	is_shared: isShared,
});

/** Of a site and its people, where more than the guard of the route decides: the access matrix covers guards. */
export const siteEffects: readonly Effect[] = [
	{
		what: "every setting of a site is changed",
		may: siteAdmins,
		request: (n) => ["PATCH", "/sites/shop", settings(n)],
		row: (n) => ["sites", { id: "shop", ...settings(n) }],
	},
	{
		what: "the data retention of a site is shortened",
		may: siteOwners,
		request: (n) => ["PATCH", "/sites/shop", { data_retention_months: 100 + n, confirm: "shop" }],
		row: (n) => ["sites", { id: "shop", retention_pending_months: 100 + n }],
	},
	{
		what: "a shorter data retention is withdrawn",
		may: siteAdmins,
		before: reset("sites", { retention_pending_months: 1, retention_pending_at: 9e15 }, { id: "shop" }),
		request: () => ["PATCH", "/sites/shop", { data_retention_months: null }],
		row: () => ["sites", { id: "shop", retention_pending_months: 1 }],
		isGone: true,
	},
	{
		what: "a site of another organization is renamed",
		may: ["owner of another organization", "superadmin"],
		request: (n) => ["PATCH", "/sites/other", { name: `Other ${n}` }],
		row: (n) => ["sites", { id: "other", name: `Other ${n}` }],
	},
	{
		what: "data of a site are deleted",
		may: siteOwners,
		before: ({ metadata }) => sql`update data_deletions set status = 'completed'`.execute(metadata),
		request: (n) => [
			"DELETE",
			"/sites/shop/data",
			{ confirm: "shop", from: `20${10 + n}-01-01`, to: `20${10 + n}-01-02` },
		],
		row: (n) => ["data_deletions", { site_id: "shop", date_from: `20${10 + n}-01-01` }],
	},
	{
		what: "a site is stopped",
		may: siteOwners,
		before: reset("sites", { is_active: 1 }, { id: "doomed" }),
		request: () => ["PATCH", "/sites/doomed", { is_active: false }],
		row: () => ["sites", { id: "doomed", is_active: 0 }],
	},
	{
		what: "a site is deleted",
		may: siteOwners,
		before: reset("sites", { is_active: 1 }, { id: "doomed" }),
		request: () => ["DELETE", "/sites/doomed"],
		row: () => ["sites", { id: "doomed", is_active: 0 }],
	},
	{
		what: "a site is made in the organization",
		may: organizationAdmins,
		before: async ({ metadata }) => {
			const { rows } = await sql<{ id: string }>`select organization_id as id from sites where id = 'shop'`.execute(
				metadata,
			);
			return rows[0]?.id;
		},
		request: (n, id) => ["POST", "/sites", { name: `Made ${n}`, org_id: id }],
		row: (n, id) => ["sites", { name: `Made ${n}`, organization_id: id }],
	},
	{
		what: "somebody gets a role on a site",
		may: siteAdmins,
		before: ({ member }) => member(),
		request: (_, id) => ["POST", "/sites/shop/users", { user_id: Number(id), role: "viewer" }],
		row: (_, id) => ["site_members", { site_id: "shop", user_id: Number(id) }],
	},
	{
		what: "somebody becomes the owner of a site",
		may: [...siteOwners, impersonating],
		before: ({ member }) => member(),
		request: (_, id) => ["POST", "/sites/shop/users", { user_id: Number(id), role: "owner" }],
		row: (_, id) => ["site_members", { site_id: "shop", user_id: Number(id), role: "owner" }],
	},
	{
		what: "a role on a site is changed",
		may: siteAdmins,
		before: async ({ member, prepare }) => {
			const id = await member();
			await prepare("POST", "/sites/shop/users", { user_id: id, role: "viewer" });
			return id;
		},
		request: (_, id) => ["PATCH", `/sites/shop/users/${id}`, { role: "editor" }],
		row: (_, id) => ["site_members", { site_id: "shop", user_id: Number(id), role: "editor" }],
	},
	{
		what: "a role on a site is taken away",
		may: inPerson(siteAdmins),
		before: async ({ member, prepare }) => {
			const id = await member();
			await prepare("POST", "/sites/shop/users", { user_id: id, role: "viewer" });
			return id;
		},
		request: (_, id) => ["DELETE", `/sites/shop/users/${id}`],
		row: (_, id) => ["site_members", { site_id: "shop", user_id: Number(id) }],
		isGone: true,
	},
	{
		what: "a view is kept for oneself",
		may: siteViewers,
		request: (n) => ["POST", `/saved-views?${shop}`, view(n, false)],
		row: (n) => ["saved_views", { site_id: "shop", name: `V ${n}`, is_shared: 0 }],
	},
	{
		what: "a view is shared with colleagues",
		may: siteEditors,
		request: (n) => ["POST", `/saved-views?${shop}`, view(100 + n, true)],
		row: (n) => ["saved_views", { site_id: "shop", name: `V ${100 + n}`, is_shared: 1 }],
	},
	{
		what: "a shared view of the organization's owner is changed",
		may: siteAdmins,
		before: ({ n, prepare }) => prepare("POST", `/saved-views?${shop}`, view(200 + n, true)),
		request: (n, id) => ["PATCH", `/saved-views/${id}?${shop}`, { name: `Changed ${n}` }],
		row: (n) => ["saved_views", { site_id: "shop", name: `Changed ${n}` }],
	},
	{
		what: "a shared view of the organization's owner is removed",
		may: inPerson(siteAdmins),
		before: ({ n, prepare }) => prepare("POST", `/saved-views?${shop}`, view(300 + n, true)),
		request: (_, id) => ["DELETE", `/saved-views/${id}?${shop}`],
		row: (n) => ["saved_views", { site_id: "shop", name: `V ${300 + n}` }],
		isGone: true,
	},
];
