import type { SiteVisit } from "../../../access/index.ts";
import { formatIpAddress, parseIpAddress } from "../../../platform/lib/ip-address.ts";
import { indexIpRanges } from "../../../platform/lib/ip-range-index.ts";
import { LruMap } from "../../../platform/lib/lru-map.ts";
import { coverageOf } from "./pattern-text.ts";
import type { PatternRow, PatternType } from "./store.ts";

const ADDRESSES_REMEMBERED = 1024;
/** No address is longer; other texts come in any length. */
const MAX_REMEMBERED_LENGTH = 45;

interface Pattern {
	readonly pattern: string;
	readonly pattern_type: PatternType;
}

export interface AddressList<P> {
	/** The pattern that covers an address: the narrowest range, else the first expression; undefined when none does. */
	find(ip: string): P | undefined;
}

/** Prepares patterns. The answers for addresses seen lately are remembered, so that expressions are not run at each request. */
export function compileAddressList<P extends Pattern>(patterns: readonly P[]): AddressList<P> {
	const prepared = patterns.flatMap((pattern) => {
		const coverage = coverageOf(pattern.pattern_type, pattern.pattern);
		return coverage === undefined ? [] : [{ pattern, coverage }];
	});
	const ranges = indexIpRanges(
		prepared.flatMap(({ pattern, coverage }) => ("range" in coverage ? [[coverage.range, pattern] as const] : [])),
	);
	const expressions = prepared.flatMap(({ pattern, coverage }) =>
		"describes" in coverage ? [{ pattern, describes: coverage.describes }] : [],
	);
	const remembered = new LruMap<string, { readonly pattern: P | undefined }>(ADDRESSES_REMEMBERED);

	function search(ip: string): P | undefined {
		const address = parseIpAddress(ip);
		if (address === undefined) return undefined;
		const text = formatIpAddress(address);
		return ranges.find(address) ?? expressions.find(({ describes }) => describes(text))?.pattern;
	}
	return {
		find: (ip) => {
			const known = remembered.get(ip);
			if (known !== undefined) return known.pattern;
			const pattern = search(ip);
			if (ip.length <= MAX_REMEMBERED_LENGTH) remembered.set(ip, { pattern });
			return pattern;
		},
	};
}

/** The list of a site that has switched it on. */
export interface SiteAllowlist {
	readonly enforcedFor: Readonly<Record<SiteVisit["credential"], boolean>>;
	readonly patterns: AddressList<PatternRow>;
}

/** Decision of a list on a visit. */
export interface Decision {
	readonly isGranted: boolean;
	/** The pattern that covers the address, if any does. */
	readonly pattern: PatternRow | undefined;
}

/** The one rule on who comes in: a superadmin's session, a credential that the list does not care for, a covered address. */
export function decide({ enforcedFor, patterns }: SiteAllowlist, visit: SiteVisit): Decision {
	const pattern = patterns.find(visit.ip);
	return { isGranted: visit.isSuperadmin || !enforcedFor[visit.credential] || pattern !== undefined, pattern };
}
