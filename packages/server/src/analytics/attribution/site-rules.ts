import { type ChannelRule, type ChannelRules, compileChannelRules } from "./channel-rules.ts";
import { type DomainTable, findByDomain } from "./domain-table.ts";
import { compileReferrerMappings, type ReferrerMapping, type ReferrerMappings } from "./referrer-mappings.ts";

/** A referrer that does not interrupt a session; its values serve a visit that has none. */
interface PassthroughRule {
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

/** The rules of a site about where visits come from, as plain data, each list oldest first. */
export interface SiteRules {
	readonly channelRules: readonly ChannelRule[];
	readonly passthroughRules: readonly PassthroughRule[];
	readonly referrerMappings: readonly ReferrerMapping[];
}

/** The same, ready for look-up. */
export interface CompiledSiteRules {
	/** The site's own live rules before the default ones; undefined = the default ones alone. */
	readonly channelRules: ChannelRules | undefined;
	readonly passthroughRules: PassthroughRules;
	readonly referrerMappings: ReferrerMappings;
}

/** A site without rules of its own. */
export const noSiteRules: SiteRules = { channelRules: [], passthroughRules: [], referrerMappings: [] };

/** Prepares the rules of a site. */
export const compileSiteRules = (rules: SiteRules): CompiledSiteRules => ({
	channelRules: rules.channelRules.length === 0 ? undefined : compileChannelRules(rules.channelRules),
	passthroughRules: compilePassthroughRules(rules.passthroughRules),
	referrerMappings: compileReferrerMappings(rules.referrerMappings),
});
