import assert from "node:assert/strict";
import { checkScreens } from "../support/check-screens.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

/** A call of the API as ann, about the shop. */
async function call({ app, ann }: DashboardService, route: string, payload: object) {
	const [method, path = ""] = route.split(" ");
	const url = `/api/v1${path}?account_id=shop`;
	const answer = await app.inject({ method: method as "POST", url, headers: ann.headers, payload });
	assert.ok(answer.statusCode < 300, answer.body);
	return answer.json();
}

/** Endpoints that nobody answers for, addresses with long names, recipients in several states, files. */
async function fill(service: DashboardService) {
	const dark = await call(service, "POST /webhooks", {
		name: "A customer relations system with a name that is long enough to wrap",
		url: `https://localhost:9/hooks/${"a".repeat(120)}?key=abc`,
		event_types: ["alert.triggered", "export.completed", "goal.reached"],
		headers: { "X-Token": "a".repeat(90) },
	});
	const { delivery_id: delivery } = await call(service, `POST /webhooks/${dark.id}/test`, {
		include_sample_context: true,
	});
	await call(service, "POST /mail-reports", {
		frequency: "monthly",
		recipients: ["ann@example.com", "somebody.with.a.rather.long.name@another-company.example"],
	});
	await call(service, "POST /ip-allowlist/import", {
		text: "203.0.113.0/24 # The office in Madrid, third floor\n2001:db8:abcd:12::/64\n127.0.0.1 # Here",
	});
	await call(service, "PUT /ip-allowlist/settings", { is_enabled: true });
	const days = { date_from: "2026-11-01", date_to: "2026-11-20" };
	await call(service, "POST /exports", { export_type: "landing_pages", ...days });
	return { endpoint: dark.id as string, delivery: delivery as string };
}

checkScreens(
	[
		"/sites/shop/settings/webhooks",
		"/sites/shop/settings/webhooks/{endpoint}",
		"/sites/shop/settings/webhooks/{endpoint}/deliveries/{delivery}",
		"/sites/shop/settings/reports",
		"/sites/shop/settings/access",
		"/sites/shop/settings/exports",
		"/sites/shop/exports?f=device_type:eq:mobile",
		"/sites/empty/settings/webhooks",
		"/sites/empty/settings/reports",
		"/sites/empty/settings/access",
		"/sites/empty/settings/exports",
	],
	{ open: () => openDashboard({}, { outbound: { allowPrivate: true } }), fill },
);
