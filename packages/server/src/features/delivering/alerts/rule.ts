import { type RuleTerms, termsOf } from "./rule-fields.ts";
import type { RuleRow } from "./store.ts";

/** Addresses that a rule posts to: secrets, as knowing one permits posting there. */
export interface Addresses {
	readonly slack_webhook_url: string | null;
	readonly custom_webhook_url: string | null;
}

/** Editable fields of a rule. */
export type RuleInput = RuleTerms & Addresses;

/** A rule of a site; its addresses stay sealed. */
export type Rule = RuleTerms & {
	readonly id: number;
	readonly siteId: string;
	readonly stored: RuleRow;
};

/** A stored rule. */
export const ruleOf = (row: RuleRow): Rule => ({ ...termsOf(row), id: row.id, siteId: row.site_id, stored: row });
