import type { Rule } from "./alert-words.ts";
import type { Shape } from "./rule-body.ts";

/** What each part of the form of a rule is told. */
export interface RulePartProps {
	readonly rule: Rule | undefined;
	/** What the form began with. */
	readonly first: Shape;
	/** What it says now. */
	readonly shape: Shape;
	readonly errorOf: (field: string) => string | undefined;
}
