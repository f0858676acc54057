import { sql } from "kysely";
import { type Effect, inPerson, type Row, siteAdmins, siteEditors, siteViewers, type Try } from "./effect.ts";

const shop = "account_id=shop";
const address = (n: number) => `198.51.100.${n}`;

interface Kept {
	readonly what: string;
	readonly table: string;
	readonly path: string;
	readonly body: (n: number) => object;
	readonly made: (n: number) => Row;
	readonly change: (n: number) => object;
	readonly changed: (n: number) => Row;
}

/** Settings of a site with one route each to make, change and remove them, for editors. */
const settings: readonly Kept[] = [
	{
		what: "a segment",
		table: "segments",
		path: "/segments",
		body: (n) => ({ name: `s${n}`, display_name: `S ${n}`, filters: { utm_source: "x" } }),
		made: (n) => ({ name: `s${n}` }),
		change: (n) => ({ display_name: `Changed ${n}` }),
		changed: (n) => ({ display_name: `Changed ${n}` }),
	},
	{
		what: "an annotation",
		table: "annotations",
		path: "/annotations",
		body: (n) => ({ date: "2026-11-20", text: `N ${n}` }),
		made: (n) => ({ text: `N ${n}` }),
		change: (n) => ({ text: `Changed ${n}` }),
		changed: (n) => ({ text: `Changed ${n}` }),
	},
	{
		what: "a channel rule",
		table: "channel_rules",
		path: "/channel-groups",
		body: (n) => ({ channel_name: `C${n}`, source_pattern: `c${n}` }),
		made: (n) => ({ channel_name: `C${n}` }),
		change: (n) => ({ channel_name: `Changed ${n}` }),
		changed: (n) => ({ channel_name: `Changed ${n}` }),
	},
	{
		what: "a passthrough referrer",
		table: "passthrough_referrers",
		path: "/passthrough-referrers",
		body: (n) => ({ domain: `p${n}.example`, utm_source: "pay" }),
		made: (n) => ({ domain: `p${n}.example` }),
		change: (n) => ({ utm_source: `changed-${n}` }),
		changed: (n) => ({ utm_source: `changed-${n}` }),
	},
	{
		what: "a referrer mapping",
		table: "referrer_mappings",
		path: "/referrer-mappings",
		body: (n) => ({ referrer_pattern: `m${n}.example`, match_type: "exact", utm_source: "news" }),
		made: (n) => ({ referrer_pattern: `m${n}.example` }),
		change: (n) => ({ utm_source: `changed-${n}` }),
		changed: (n) => ({ utm_source: `changed-${n}` }),
	},
	{
		what: "an alert rule",
		table: "alert_rules",
		path: "/alerts/rules",
		body: (n) => ({ name: `A${n}`, alert_type: "traffic_drop" }),
		made: (n) => ({ name: `A${n}` }),
		change: (n) => ({ name: `Changed ${n}` }),
		changed: (n) => ({ name: `Changed ${n}` }),
	},
	{
		what: "a webhook",
		table: "webhook_endpoints",
		path: "/webhooks",
		body: (n) => ({ name: `W${n}`, url: `https://hooks.example/${n}`, event_types: ["goal.reached"] }),
		made: (n) => ({ name: `W${n}` }),
		change: (n) => ({ name: `Changed ${n}` }),
		changed: (n) => ({ name: `Changed ${n}` }),
	},
	{
		what: "a blocked address",
		table: "blocklist_entries",
		path: "/blocklist-ips",
		body: (n) => ({ ip_or_cidr: address(n) }),
		made: (n) => ({ ip_or_cidr: address(n) }),
		change: (n) => ({ reason: `changed ${n}` }),
		changed: (n) => ({ reason: `changed ${n}` }),
	},
];

const view = (n: number, isShared: boolean) => ({
	kind: "funnel",
	name: `V ${n}`,
	definition: { view: ["page:/"] },
	is_shared: isShared,
});

/** One of the site, and no others: there is a limit to most. */
const madeAnew = (table: string, path: string, body: (n: number) => object) => async (given: Try) => {
	await sql`delete from ${sql.table(table)} where site_id = 'shop'`.execute(given.metadata);
	return given.prepare("POST", `${path}?${shop}`, body(given.n));
};

const keptEffects = settings.flatMap(({ what, table, path, body, made, change, changed }): Effect[] => [
	{
		what: `${what} is made`,
		may: siteEditors,
		request: (n) => ["POST", `${path}?${shop}`, body(n)],
		row: (n) => [table, { site_id: "shop", ...made(n) }],
	},
	{
		what: `${what} is changed`,
		may: siteEditors,
		before: madeAnew(table, path, (n) => body(50 + n)),
		request: (n, id) => ["PATCH", `${path}/${id}?${shop}`, change(n)],
		row: (n) => [table, { site_id: "shop", ...changed(n) }],
	},
	{
		what: `${what} is removed`,
		may: inPerson(siteEditors),
		before: madeAnew(table, path, (n) => body(100 + n)),
		request: (_, id) => ["DELETE", `${path}/${id}?${shop}`],
		row: (n) => [table, { site_id: "shop", ...made(100 + n) }],
		isGone: true,
	},
]);

/** Of the settings that editors make, change and remove. */
export const settingEffects: readonly Effect[] = [
	...keptEffects,
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
	{
		what: "a UTM mapping is made",
		may: siteEditors,
		request: (n) => ["POST", "/sites/shop/utm-mappings", { custom_param: `p${n}`, maps_to: "utm_source" }],
		row: (n) => ["utm_mappings", { site_id: "shop", custom_param: `p${n}` }],
	},
	{
		what: "a UTM mapping is removed",
		may: inPerson(siteEditors),
		before: ({ n, prepare }) =>
			prepare("POST", "/sites/shop/utm-mappings", { custom_param: `r${n}`, maps_to: "utm_term" }),
		request: (n) => ["DELETE", `/sites/shop/utm-mappings/r${n}`],
		row: (n) => ["utm_mappings", { site_id: "shop", custom_param: `r${n}` }],
		isGone: true,
	},
];
