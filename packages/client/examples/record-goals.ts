// Goals kept in a file: makes those that the site does not have yet. It may run as often as one likes.
import { type Body, FootfallError } from "footfall-client";
import { signedIn, site } from "./connect.ts";

const goal = (name: string, threshold_value: number, period: "day" | "week" | "month"): Body<"POST /alerts/rules"> => ({
	name,
	alert_type: "goal_reached",
	metric: "conversions",
	condition_type: "absolute_threshold",
	threshold_value,
	custom_condition: { period, goal_name: name },
});
const goals = [goal("Fifty orders a day", 50, "day"), goal("A thousand orders a month", 1000, "month")];

const footfall = await signedIn();
const query = { account_id: site };
const known = await footfall.call("GET /alerts/rules", { query });
const names = new Set(known.rules.map(({ name }) => name));
try {
	for (const body of goals.filter(({ name }) => !names.has(name))) {
		const made = await footfall.call("POST /alerts/rules", { query, body });
		console.log(`made: ${made.name}`);
	}
	console.log(`${goals.length} goals are there`);
} catch (error) {
	if (!(error instanceof FootfallError)) throw error;
	for (const { field, message } of error.detail) console.error(`${field} ${message}`);
	throw error;
}
