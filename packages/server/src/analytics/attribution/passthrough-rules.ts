import { type DomainTable, findByDomain } from "./domain-table.ts";

/** A referrer that does not interrupt a session; its values serve a visit that has none. */
export interface PassthroughRule {
	/** Lower-case, without `www.`; stands for its subdomains too. */
	readonly domain: string;
	readonly utm_source: string;
	readonly utm_medium: string;
	readonly utm_campaign: string;
	readonly utm_term: string;
}

/** A site's active rules, ready for look-up. */
export type PassthroughRules = DomainTable<PassthroughRule>;

/** Prepares a site's active rules. */
export function compilePassthroughRules(rules: readonly PassthroughRule[]): PassthroughRules {
	return new Map(rules.map((rule) => [rule.domain, rule]));
}

/** The rule for a host: the one with the longest domain. */
export function findPassthroughRule(rules: PassthroughRules, host: string): PassthroughRule | undefined {
	return rules.size === 0 ? undefined : findByDomain(rules, host);
}
