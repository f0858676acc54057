import assert from "node:assert/strict";
import { checkScreens } from "../support/check-screens.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

const long = "a-domain-with-a-name-that-is-rather-long.example";
const condition = (field: string, value: string) => ({ field, operator: "eq", value });
const reached = { condition_type: "absolute_threshold", threshold_value: 1 };

/** Records of the shop, by the route that takes them. */
const records: readonly (readonly [route: string, payload: object])[] = [
	["POST /sites/shop/utm-mappings", { custom_param: "partner", maps_to: "utm_source" }],
	["POST /passthrough-referrers", { domain: long, utm_source: "pay", service_name: "Pay" }],
	["POST /referrer-mappings", { referrer_pattern: long, utm_source: "Forum", label: "All forums", priority: 10 }],
	["POST /channel-groups", { channel_name: "Deals", source_pattern: "deals", priority: 90 }],
	["POST /channel-groups", { channel_name: "A channel with a long name", campaign_pattern: long, is_active: false }],
	["POST /blocklist-ips", { ip_or_cidr: "203.0.113.0/24", reason: "Office" }],
	["POST /blocklist-ips", { ip_or_cidr: "2001:db8:1:2:3:4:5:6", is_active: false }],
	[
		"POST /segments",
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
	["POST /alerts/rules", { name: "Busy", ...reached, comparison_window: "24h" }],
	[
		"POST /alerts/rules",
		{
			name: "Far fewer visits from the newsletter than one would expect at this time of the day",
			alert_type: "source_change",
			custom_condition: { utm_source: "newsletter-of-the-autumn-of-this-year" },
			email_recipients: ["ann@example.com", "somebody.with.a.long.name@mail.example.com"],
		},
	],
	[
		"POST /alerts/rules",
		{
			name: "Fifty orders",
			alert_type: "goal_reached",
			metric: "conversions",
			...reached,
			threshold_value: 50,
			custom_condition: { period: "month" },
		},
	],
	["POST /annotations", { date: "2026-11-20", text: "Autumn sale begins", kind: "campaign" }],
	[
		"POST /mail-reports",
		{
			frequency: "monthly",
			recipients: ["ann@example.com", "somebody.with.a.rather.long.name@another-company.example"],
		},
	],
	[
		"POST /ip-allowlist/import",
		{ text: "203.0.113.0/24 # The office in Madrid, third floor\n2001:db8:abcd:12::/64\n127.0.0.1 # Here" },
	],
	["PUT /ip-allowlist/settings", { is_enabled: true }],
	["POST /exports", { export_type: "landing_pages", date_from: "2026-11-01", date_to: "2026-11-20" }],
];

/** Creates the records, a failing endpoint, and an alert. */
async function fill({ app, ann }: DashboardService) {
	const call = async (route: string, payload: object) => {
		const [method, path = ""] = route.split(" ");
		const url = `/api/v1${path}?account_id=shop`;
		const answer = await app.inject({ method: method as "POST", url, headers: ann.headers, payload });
		assert.ok(answer.statusCode < 300, answer.body);
		return answer.json();
	};
	for (const [route, payload] of records) await call(route, payload);
	await app.jobs.enqueue(app.metadata, { kind: "alert-evaluation" });
	await app.jobs.runDue();
	const { id: endpoint } = await call("POST /webhooks", {
		name: "A customer relations system with a name that is long enough to wrap",
		url: `https://localhost:9/hooks/${"a".repeat(120)}?key=abc`,
		event_types: ["alert.triggered", "export.completed", "goal.reached"],
		headers: { "X-Token": "a".repeat(90) },
	});
	const { delivery_id: delivery } = await call(`POST /webhooks/${endpoint}/test`, { include_sample_context: true });
	return { endpoint: endpoint as string, delivery: delivery as string };
}

checkScreens(
	[
		{
			by: "an owner",
			paths: [
				"/sites/shop",
				"/sites/shop/goals",
				"/sites/shop/settings",
				"/sites/shop/settings/install",
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
				"/sites/shop/settings/alerts",
				"/sites/shop/settings/insights",
				"/sites/shop/settings/webhooks",
				"/sites/shop/settings/webhooks/{endpoint}",
				"/sites/shop/settings/webhooks/{endpoint}/deliveries/{delivery}",
				"/sites/shop/settings/reports",
				"/sites/shop/settings/exports",
				"/sites/shop/settings/imports",
				"/sites/shop/settings/bigquery",
				"/sites/shop/settings/access",
				"/sites/shop/settings/sharing",
				"/sites/shop/settings/data",
			],
		},
		{
			by: "an owner of a site without anything",
			paths: [
				"/sites/empty/settings",
				"/sites/empty/settings/install?view=new",
				"/sites/empty/settings/people",
				"/sites/empty/settings/sources",
				"/sites/empty/settings/channels?panel=new",
				"/sites/empty/settings/channels?panel=import",
				"/sites/empty/settings/segments?panel=new",
				"/sites/empty/settings/blocklist?panel=new",
				"/sites/empty/settings/alerts",
				"/sites/empty/settings/webhooks",
				"/sites/empty/settings/reports",
				"/sites/empty/settings/exports",
				"/sites/empty/settings/imports",
				"/sites/empty/settings/access",
				"/sites/empty/settings/sharing",
			],
		},
	],
	{ open: () => openDashboard({}, { outbound: { allowPrivate: true } }), fill },
);
