import assert from "node:assert/strict";
import { checkScreens } from "../support/check-screens.ts";
import type { DashboardService } from "../support/open-dashboard.ts";

/** Rules of several kinds and states, what one of them found, and notes beside it. */
async function fill({ app, ann }: DashboardService) {
	const post = async (path: string, payload: object) => {
		const url = `/api/v1${path}?account_id=shop`;
		const answer = await app.inject({ method: "POST", url, headers: ann.headers, payload });
		assert.equal(answer.statusCode, 201, answer.body);
	};
	const reached = { condition_type: "absolute_threshold", threshold_value: 1, comparison_window: "24h" };
	await post("/alerts/rules", { name: "Busy", ...reached });
	await post("/alerts/rules", {
		name: "Far fewer visits from the newsletter than one would expect at this time of the day",
		alert_type: "source_change",
		custom_condition: { utm_source: "newsletter-of-the-autumn-of-this-year" },
		email_recipients: ["ann@example.com", "somebody.with.a.long.name@mail.example.com"],
	});
	await post("/alerts/rules", {
		name: "Fifty orders",
		alert_type: "goal_reached",
		metric: "conversions",
		condition_type: "absolute_threshold",
		threshold_value: 50,
		custom_condition: { period: "month" },
	});
	await post("/annotations", { date: "2026-11-20", text: "Autumn sale begins", kind: "campaign" });
	await app.jobs.enqueue(app.metadata, { kind: "alert-evaluation" });
	await app.jobs.runDue();
	return {};
}

checkScreens(["/sites/shop/settings/alerts", "/sites/empty/settings/alerts", "/sites/shop/goals", "/sites/shop"], {
	fill,
});
