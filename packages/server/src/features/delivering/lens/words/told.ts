import type { RuleName } from "../rules/rule-names.ts";

/** What a text says a finding with: its numbers are written out. */
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

/** What a rule says, and what its insights are called together. */
interface RuleWords {
	readonly group: string;
	readonly title: (told: Told) => string;
	readonly description: (told: Told) => string;
	readonly recommendation: (told: Told) => string;
}

/** Everything that insights say, in one language. */
export type InsightTexts = Readonly<Record<RuleName, RuleWords>>;
