import type { EvaluationDeps } from "./deps.ts";
import { goalOf, goalValues } from "./goals.ts";
import { judge } from "./judge.ts";
import { goalMessageOf, messageOf } from "./message.ts";
import { sendTest } from "./notify.ts";
import { readValues } from "./read-values.ts";
import type { Rule } from "./rule.ts";
import type { Severity } from "./vocabulary.ts";
import { lastFullMinute } from "./windows.ts";

/** Result of evaluating a rule now. */
export interface RuleTest {
	/** False when what it measures could not be read. */
	readonly isReadable: boolean;
	readonly value: number | null;
	readonly baseline: number | null;
	readonly fires: boolean;
	readonly change: number | null;
	readonly severity: Severity;
	readonly message: string;
	readonly isSent: boolean;
}

/** Looks at a rule without opening an incident, and sends what it would say, marked as a test: of its mails, one to the caller. */
export async function testRule(
	deps: EvaluationDeps,
	rule: Rule,
	{ sends, userId }: { readonly sends: boolean; readonly userId: number },
): Promise<RuleTest> {
	const found = await (rule.alert_type === "goal_reached" ? testGoal(deps, rule) : testCondition(deps, rule));
	const { message, severity } = found;
	return { ...found, isSent: sends && (await sendTest(deps, rule, { message, severity, userId })) };
}

type Found = Omit<RuleTest, "isSent">;

const nothing = {
	isReadable: true,
	value: null,
	baseline: null,
	fires: false,
	change: null,
	severity: "info",
} as const;

async function testCondition(deps: EvaluationDeps, rule: Rule): Promise<Found> {
	const readings = await readValues(deps, [rule], lastFullMinute(deps.clock.now()));
	const reading = readings.get(rule.id);
	if (reading === undefined) return { ...nothing, isReadable: false, message: "The metric cannot be read at present" };
	const { value } = reading;
	const { fires, severity, baseline, expected, change } = judge(rule, reading);
	const told = { current_value: value, expected_value: expected, change_percentage: change };
	const message = fires === undefined ? "insufficient_data" : messageOf(rule, told);
	return { isReadable: true, value, baseline, fires: fires ?? false, change, severity, message };
}

async function testGoal(deps: EvaluationDeps, rule: Rule): Promise<Found> {
	const goal = goalOf(deps, rule, deps.clock.now());
	if (goal === undefined) return { ...nothing, isReadable: false, message: "The metric cannot be read at present" };
	const value = (await goalValues(deps, [goal])).get(rule.id) ?? 0;
	return { ...nothing, value, fires: value >= rule.threshold_value, message: goalMessageOf(rule, value) };
}
