import { LruMap } from "../../platform/lib/lru-map.ts";
import type { Campaign } from "./campaign.ts";
import { plainHost } from "./page-address.ts";
import { compilePattern, type TextTest } from "./search-pattern.ts";

/** How a mapping's pattern is compared with the referrer's domain. */
export type MatchType = "exact" | "contains" | "starts_with" | "ends_with" | "regex";

/** A site's own rule for a referrer. */
export interface ReferrerMapping extends Campaign {
	readonly pattern: string;
	readonly matchType: MatchType;
	/** The highest is asked first. */
	readonly priority: number;
}

/** Finds the campaign that a site's own mappings give to a referrer's host. */
export type ReferrerMappings = (host: string) => Campaign | undefined;

/** A site without mappings of its own. */
const noReferrerMappings: ReferrerMappings = () => undefined;

const tests: Readonly<Record<MatchType, (pattern: string) => TextTest>> = {
	exact: (pattern) => {
		const wanted = plainHost(pattern);
		return (host) => host === wanted;
	},
	contains: (pattern) => {
		const part = pattern.toLowerCase();
		return (host) => host.includes(part);
	},
	starts_with: (pattern) => {
		const start = plainHost(pattern);
		return (host) => host.startsWith(start);
	},
	ends_with: (pattern) => {
		const end = pattern.toLowerCase();
		return (host) => host.endsWith(end);
	},
	regex: (pattern) => compilePattern(pattern) ?? (() => false),
};

/**
 * Prepares a site's active mappings, given oldest first. Falling priority decides, the older one on a tie.
 * A pattern that does not compile matches nothing.
 */
export function compileReferrerMappings(mappings: readonly ReferrerMapping[]): ReferrerMappings {
	if (mappings.length === 0) return noReferrerMappings;
	const rules = mappings
		.toSorted((a, b) => b.priority - a.priority)
		.map((mapping) => ({ mapping, matches: tests[mapping.matchType](mapping.pattern) }));
	const cache = new LruMap<string, { readonly mapping: Campaign | undefined }>(1000);
	return (host) => {
		const known = cache.get(host);
		if (known !== undefined) return known.mapping;
		const mapping = rules.find((rule) => rule.matches(host))?.mapping;
		cache.set(host, { mapping });
		return mapping;
	};
}
