import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const SITE = "shop";

/** Asks the API of the demo; throws what it refuses. */
export async function post<T>(url: string, path: string, body: object, token = ""): Promise<T> {
	const answer = await fetch(`${url}/api/v1${path}`, {
		method: "POST",
		headers: { "Content-Type": "application/json", ...(token !== "" && { Authorization: `Bearer ${token}` }) },
		body: JSON.stringify(body),
	});
	if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
	const { data } = (await answer.json()) as { data: T };
	return data;
}

/** Lets the rules look at the site when the service starts, not at the next morning. */
export function askForInsights(dataDir: string): void {
	const database = new DatabaseSync(join(dataDir, "metadata.sqlite"));
	database
		.prepare("INSERT OR REPLACE INTO job_schedules (name, counted_until) VALUES ('lens-mornings', ?)")
		.run(Date.now() - 3_600_000);
	database.close();
}

/** Average of a figure a day, over the last 30 days. */
async function averageOf(url: string, token: string): Promise<{ readonly visits: number; readonly orders: number }> {
	const answer = await fetch(`${url}/api/v1/stats/overview?site_id=${SITE}&period=30d`, {
		headers: { Authorization: `Bearer ${token}` },
	});
	const { data } = (await answer.json()) as {
		data: { traffic: { entrances: number }; conversions: { conversions: number } };
	};
	const { traffic, conversions } = data;
	return { visits: traffic.entrances / 30, orders: conversions.conversions / 30 };
}

/** A sum in two digits, as people set targets. */
const round = (value: number): number => Number(Math.max(1, value).toPrecision(2));

/** Gives the shop what a team writes there: notes, saved views, goals on their way, and an alert that has fired. */
export async function furnish(url: string, token: string, timezone: string): Promise<void> {
	const today = Temporal.Now.plainDateISO(timezone);
	const daysAgo = (days: number) => today.subtract({ days }).toString();
	for (const [days, kind, text] of [
		[6, "campaign", "Winter sale begins"],
		[13, "release", "New checkout"],
		[22, "note", "Article in Mountain News"],
	] as const)
		await post(url, `/annotations?account_id=${SITE}`, { date: daysAgo(days), kind, text }, token);
	for (const [kind, name, definition] of [
		[
			"funnel",
			"From the start page to an order",
			{ period: "30d", view: ["page:/", "page:/shop**", "event:purchase"] },
		],
		["report", "Search traffic on phones", { f: ["channel_group:eq:Organic Search", "device_type:eq:mobile"] }],
	] as const)
		await post(url, `/saved-views?account_id=${SITE}`, { kind, name, definition, is_shared: true }, token);
	const { visits, orders } = await averageOf(url, token);
	const rules = `/alerts/rules?account_id=${SITE}`;
	const rule = { notify_email: false, condition_type: "absolute_threshold" };
	const goal = { ...rule, alert_type: "goal_reached", metric: "custom", threshold_direction: "increase" };
	// The goal of the month is half reached today, that of the day grows with the visits.
	for (const [name, metric, period, target] of [
		["Orders of the month", "conversions", "month", orders * today.day * 2],
		["Visits of the day", "entrances", "day", visits * 1.2],
	] as const) {
		const custom_condition = { metric, period };
		await post(url, rules, { ...goal, name, threshold_value: round(target), custom_condition }, token);
	}
	await post(
		url,
		rules,
		{
			...rule,
			name: "Busy day",
			metric: "entrances",
			comparison_window: "24h",
			threshold_direction: "increase",
			threshold_value: round(visits * 1.1),
		},
		token,
	);
}
