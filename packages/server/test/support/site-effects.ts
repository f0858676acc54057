import { sql } from "kysely";
import {
	type Effect,
	impersonating,
	inPerson,
	organizationAdmins,
	reset,
	siteAdmins,
	siteOwners,
	siteViewers,
} from "./effect.ts";

const zones =
	"UTC Europe/Madrid Asia/Tokyo America/Lima Africa/Cairo Asia/Dubai Europe/Rome America/Bogota Asia/Seoul Europe/Oslo Asia/Manila Europe/Paris Europe/Sofia Asia/Riyadh".split(
		" ",
	);
const currencies = "EUR USD GBP JPY CHF SEK NOK DKK PLN CZK HUF AUD CAD NZD".split(" ");
const at = (list: readonly string[], n: number) => list[n % list.length] ?? "";
const address = (n: number) => `198.51.100.${n}`;
const shop = "account_id=shop";

/** Of a site, its people and its list of addresses. */
export const siteEffects: readonly Effect[] = [
	{
		what: "a site is renamed",
		may: siteAdmins,
		request: (n) => ["PATCH", "/sites/shop", { name: `Name ${n}` }],
		row: (n) => ["sites", { id: "shop", name: `Name ${n}` }],
	},
	{
		what: "a site of another organization is renamed",
		may: ["owner of another organization", "superadmin"],
		request: (n) => ["PATCH", "/sites/other", { name: `Other ${n}` }],
		row: (n) => ["sites", { id: "other", name: `Other ${n}` }],
	},
	{
		what: "a site's time zone is changed",
		may: siteAdmins,
		before: reset("sites", { timezone: "Etc/UTC" }, { id: "shop" }),
		request: (n) => ["PATCH", "/sites/shop", { timezone: at(zones, n) }],
		row: (n) => ["sites", { id: "shop", timezone: at(zones, n) }],
	},
	{
		what: "a site's currency is changed",
		may: siteAdmins,
		before: reset("sites", { currency: "XXX" }, { id: "shop" }),
		request: (n) => ["PATCH", "/sites/shop", { currency: at(currencies, n) }],
		row: (n) => ["sites", { id: "shop", currency: at(currencies, n) }],
	},
	{
		what: "a site's threshold for bots is changed",
		may: siteAdmins,
		request: (n) => ["PATCH", "/sites/shop", { bot_threshold: n }],
		row: (n) => ["sites", { id: "shop", bot_threshold: n }],
	},
	{
		what: "how long a site keeps its data is changed",
		may: siteAdmins,
		request: (n) => ["PATCH", "/sites/shop", { data_retention_months: 100 + n }],
		row: (n) => ["sites", { id: "shop", data_retention_months: 100 + n }],
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
		what: "a domain is authorized",
		may: siteAdmins,
		request: (n) => ["POST", "/sites/shop/domains", { domain: `d${n}.example` }],
		row: (n) => ["site_domains", { site_id: "shop", domain: `d${n}.example` }],
	},
	{
		what: "a domain is removed",
		may: inPerson(siteAdmins),
		before: ({ n, prepare }) => prepare("POST", "/sites/shop/domains", { domain: `r${n}.example` }),
		request: (n) => ["DELETE", `/sites/shop/domains/r${n}.example`],
		row: (n) => ["site_domains", { site_id: "shop", domain: `r${n}.example`, is_active: 1 }],
		isGone: true,
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
		what: "an address is allowed",
		may: siteAdmins,
		request: (n) => ["POST", `/ip-allowlist/patterns?${shop}`, { pattern: address(n) }],
		row: (n) => ["ip_allowlist_patterns", { site_id: "shop", pattern: address(n) }],
	},
	{
		what: "an allowed address is taken off the list",
		may: inPerson(siteAdmins),
		before: ({ n, prepare }) => prepare("POST", `/ip-allowlist/patterns?${shop}`, { pattern: address(100 + n) }),
		request: (_, id) => ["DELETE", `/ip-allowlist/patterns/${id}?${shop}`],
		row: (_, id) => ["ip_allowlist_patterns", { id: Number(id) }],
		isGone: true,
	},
	{
		what: "the list of addresses is made to hold for the dashboard",
		may: siteAdmins,
		before: ({ prepare }) =>
			prepare("PUT", `/ip-allowlist/settings?${shop}`, { is_enabled: false, enforce_for_dashboard: false }),
		request: () => ["PUT", `/ip-allowlist/settings?${shop}`, { is_enabled: false, enforce_for_dashboard: true }],
		row: () => ["ip_allowlist_settings", { site_id: "shop", enforce_for_dashboard: 1 }],
	},
	{
		what: "an export is made",
		may: [...siteViewers, "key"],
		request: (n) => [
			"POST",
			`/exports?${shop}`,
			{ export_type: "pages", date_from: `2026-10-${10 + n}`, date_to: "2026-11-02" },
		],
		row: (n) => ["exports", { site_id: "shop", date_from: `2026-10-${10 + n}` }],
	},
];
