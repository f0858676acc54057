import type { Static } from "typebox";
import { goalOf, goalValues } from "./goals.ts";
import { judge } from "./judge.ts";
import { goalMessageOf, messageOf, sendTest } from "./notify.ts";
import { type EvaluationDeps, readValues } from "./read-values.ts";
import type { Rule } from "./rule-fields.ts";
import type { TestResult } from "./schemas.ts";
import { lastFullMinute } from "./windows.ts";

type Result = Static<typeof TestResult>;
type Finding = Omit<Result, "notification_sent">;

const nothing = {
	success: true,
	current_value: null,
	baseline_value: null,
	would_trigger: false,
	change_percentage: null,
	severity: "info",
} as const;
const unreadable: Finding = { ...nothing, success: false, message: "The metric cannot be read at present" };

/** Evaluates a rule without opening an incident, and sends its notifications, marked as a test: mail only to the caller. */
export async function testRule(
	deps: EvaluationDeps,
	rule: Rule,
	{ sends, userId }: { readonly sends: boolean; readonly userId: number },
): Promise<Result> {
	const finding = await (rule.alert_type === "goal_reached" ? testGoal(deps, rule) : testCondition(deps, rule));
	const { message, severity } = finding;
	return { ...finding, notification_sent: sends && (await sendTest(deps, rule, { message, severity, userId })) };
}

async function testCondition(deps: EvaluationDeps, rule: Rule): Promise<Finding> {
	const readings = await readValues(deps, [rule], lastFullMinute(deps.clock.now()));
	const reading = readings.get(rule.id);
	if (reading === undefined) return unreadable;
	const { fires, severity, baseline, expected, change } = judge(rule, reading);
	const measured = { current_value: reading.value, change_percentage: change };
	return {
		...measured,
		success: true,
		baseline_value: baseline,
		would_trigger: fires ?? false,
		severity,
		message: fires === undefined ? "insufficient_data" : messageOf(rule, { ...measured, expected_value: expected }),
	};
}

async function testGoal(deps: EvaluationDeps, rule: Rule): Promise<Finding> {
	const goal = goalOf(deps, rule, deps.clock.now());
	if (goal === undefined) return unreadable;
	const value = (await goalValues(deps, [goal])).get(rule.id) ?? 0;
	const message = goalMessageOf(rule, value);
	return { ...nothing, current_value: value, would_trigger: value >= rule.threshold_value, message };
}
