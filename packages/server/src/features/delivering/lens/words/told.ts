import type { RuleName } from "../rules/rule-names.ts";

/** Values for the text of a finding, formatted. */
export interface Told {
	readonly entity: string;
	readonly other: string;
	readonly value: string;
	readonly baseline: string;
	/** Without its sign. */
	readonly change: string;
	readonly isRise: boolean;
	readonly limit: string;
}

/** Texts of a rule, and the name of the group of its insights. */
interface RuleWords {
	readonly group: string;
	readonly title: (told: Told) => string;
	readonly description: (told: Told) => string;
	readonly recommendation: (told: Told) => string;
}

/** Everything that insights say, in one language. */
export type InsightTexts = Readonly<Record<RuleName, RuleWords>>;
