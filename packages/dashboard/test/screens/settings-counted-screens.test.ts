import assert from "node:assert/strict";
import { checkScreens } from "../support/check-screens.ts";

const long = "a-domain-with-a-name-that-is-rather-long.example";
const condition = (field: string, value: string) => ({ field, operator: "eq", value });

/** Records of the shop, by the route that takes them. */
const records: readonly (readonly [string, object])[] = [
	["/sites/shop/utm-mappings", { custom_param: "partner", maps_to: "utm_source" }],
	["/passthrough-referrers?account_id=shop", { domain: long, utm_source: "pay", service_name: "Pay" }],
	[
		"/referrer-mappings?account_id=shop",
		{ referrer_pattern: long, utm_source: "Forum", label: "All forums", priority: 10 },
	],
	["/channel-groups?account_id=shop", { channel_name: "Deals", source_pattern: "deals", priority: 90 }],
	[
		"/channel-groups?account_id=shop",
		{ channel_name: "A channel with a long name", campaign_pattern: long, is_active: false },
	],
	["/blocklist-ips?account_id=shop", { ip_or_cidr: "203.0.113.0/24", reason: "Office" }],
	["/blocklist-ips?account_id=shop", { ip_or_cidr: "2001:db8:1:2:3:4:5:6", is_active: false }],
	[
		"/segments?account_id=shop",
		{
			name: "phones",
			display_name: "Phones in Spain",
			description: "Those that came by a search or by a mail",
			color: "#14b8a6",
			filters: {
				conditions: [condition("country", "ES"), condition("device_type", "Mobile")],
				groups: [
					{ conditions: [condition("utm_medium", "organic")] },
					{ conditions: [condition("utm_medium", "email")] },
				],
				not_groups: [{ conditions: [condition("landing_page", `/${long}`)] }],
			},
		},
	],
];

checkScreens(
	[
		"/sites/shop/settings/people",
		"/sites/shop/settings/people?panel=new",
		"/sites/shop/settings/sources",
		"/sites/shop/settings/sources?view=payments&panel=new",
		"/sites/shop/settings/sources?view=referrers",
		"/sites/shop/settings/sources?view=referrers&panel=referrer:1",
		"/sites/shop/settings/channels",
		"/sites/shop/settings/channels?panel=rule:1001",
		"/sites/shop/settings/segments",
		"/sites/shop/settings/segments?panel=segment:phones",
		"/sites/shop/settings/segments?panel=segment:seg_sys_mobile",
		"/sites/shop/settings/blocklist",
		"/sites/empty/settings/people",
		"/sites/empty/settings/sources",
		"/sites/empty/settings/channels?panel=new",
		"/sites/empty/settings/channels?panel=import",
		"/sites/empty/settings/segments?panel=new",
		"/sites/empty/settings/blocklist?panel=new",
	],
	{
		fill: async ({ app, ann }) => {
			for (const [url, payload] of records) {
				const answer = await app.inject({ method: "POST", url: `/api/v1${url}`, headers: ann.headers, payload });
				assert.equal(answer.statusCode, 201, answer.body);
			}
			return undefined;
		},
	},
);
