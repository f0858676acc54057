import type { Rule } from "./alert-words.ts";
import type { Shape } from "./rule-body.ts";

/** Props shared by all parts of the rule form. */
export interface RulePartProps {
	readonly rule: Rule | undefined;
	/** Initial shape of the form. */
	readonly first: Shape;
	/** Current shape of the form. */
	readonly shape: Shape;
}
