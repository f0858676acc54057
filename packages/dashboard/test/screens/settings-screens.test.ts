import { below, checkScreens } from "../support/check-screens.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

const long = "a-domain-with-a-name-that-is-rather-long.example";
const condition = (field: string, value: string) => ({ field, operator: "eq", value });
const reached = { condition_type: "absolute_threshold", threshold_value: 1 };

/** Records of the shop, by the route that takes them. */
const records: readonly (readonly [route: Parameters<DashboardService["send"]>[0], payload: object])[] = [
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
async function fill({ app, send }: DashboardService) {
	for (const [route, payload] of records) await send(`${route}?account_id=shop`, payload);
	await app.jobs.enqueue(app.metadata, { kind: "alert-evaluation" });
	await app.jobs.runDue();
	const { id: endpoint } = await send<{ id: string }>("POST /webhooks?account_id=shop", {
		name: "A customer relations system with a name that is long enough to wrap",
		url: `https://localhost:9/hooks/${"a".repeat(120)}?key=abc`,
		event_types: ["alert.triggered", "export.completed", "goal.reached"],
		headers: { "X-Token": "a".repeat(90) },
	});
	const test = `POST /webhooks/${endpoint}/test?account_id=shop` as const;
	const { delivery_id: delivery } = await send<{ delivery_id: string }>(test, { include_sample_context: true });
	return { endpoint, delivery };
}

checkScreens(
	[
		{
			by: "an owner",
			paths: [
				"/sites/shop",
				"/sites/shop/goals",
				"/sites/shop/settings",
				...below(
					"/sites/shop/settings/",
					`install people people?panel=new sources sources?view=payments&panel=new sources?view=referrers
					sources?view=referrers&panel=referrer:1 channels channels?panel=rule:1001 segments
					segments?panel=segment:phones segments?panel=segment:seg_sys_mobile blocklist alerts insights
					webhooks webhooks/{endpoint} webhooks/{endpoint}/deliveries/{delivery} reports exports imports
					bigquery access sharing data`,
				),
			],
		},
		{
			by: "an owner of a site without anything",
			paths: [
				"/sites/empty/settings",
				...below(
					"/sites/empty/settings/",
					`install?view=new people sources channels?panel=new channels?panel=import segments?panel=new
					blocklist?panel=new alerts webhooks reports exports imports access sharing`,
				),
			],
		},
	],
	{ open: () => openDashboard({}, { outbound: { allowPrivate: true } }), fill },
);
