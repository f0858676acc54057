import { type RuleTerms, termsOf } from "./rule-fields.ts";
import type { RuleRow } from "./store.ts";

/** Where a rule posts to: whoever knows them can post there too. */
export interface Addresses {
	readonly slack_webhook_url: string | null;
	readonly custom_webhook_url: string | null;
}

/** What a user decides about a rule. */
export type RuleInput = RuleTerms & Addresses;

/** A rule of a site; its addresses stay sealed. */
export type Rule = RuleTerms & {
	readonly id: number;
	readonly siteId: string;
	readonly stored: RuleRow;
};

/** A stored rule. */
export const ruleOf = (row: RuleRow): Rule => ({ ...termsOf(row), id: row.id, siteId: row.site_id, stored: row });
