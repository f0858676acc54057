export { AlertVerdict } from "./alert-verdict.tsx";
export {
	type Alert,
	foundValue,
	isOpen,
	kindOfRule,
	measuredBy,
	type Rule,
	subjectOf,
	t as alertWords,
} from "./alert-words.ts";
export { GoalForm } from "./goal-form.tsx";
export { RemoveRule } from "./remove-rule.tsx";
export { goalsQuery } from "./rules-query.ts";
