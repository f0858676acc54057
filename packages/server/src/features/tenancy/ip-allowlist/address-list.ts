import { RE2JS } from "re2js";
import type { SiteVisit } from "../../../access/index.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import {
	canonicalIp,
	formatIpAddress,
	formatIpRange,
	type IpRange,
	parseIpAddress,
	parseIpOrRange,
	parseIpRange,
} from "../../../platform/lib/ip-address.ts";
import { indexIpRanges } from "../../../platform/lib/ip-range-index.ts";
import { LruMap } from "../../../platform/lib/lru-map.ts";
import type { PatternRow, PatternType } from "./store.ts";

const ADDRESSES_REMEMBERED = 1024;
/** No address is longer; other texts come in any length. */
const MAX_REMEMBERED_LENGTH = 45;

interface Pattern {
	readonly pattern: string;
	readonly pattern_type: PatternType;
}

interface AddressList<P> {
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

export interface Decision {
	readonly isGranted: boolean;
	readonly pattern: PatternRow | undefined;
}

/** The one rule on who comes in: a superadmin's session, a credential that the list does not care for, a covered address. */
export function decide({ enforcedFor, patterns }: SiteAllowlist, visit: SiteVisit): Decision {
	const pattern = patterns.find(visit.ip);
	return { isGranted: visit.isSuperadmin || !enforcedFor[visit.credential] || pattern !== undefined, pattern };
}

/** Instructions that an expression may compile to, far more than addresses need; the time of a match grows with them. */
const MAX_INSTRUCTIONS = 250;
/** Sum of the counts in `{m,n}`; compiling what repeats more, only to find it too big, would take many milliseconds. */
const MAX_REPETITIONS = 40;
const MAX_LENGTH = 255;

/** Coverage of a pattern: a range, or the addresses that match an expression. */
type Coverage = { readonly range: IpRange } | { readonly describes: (address: string) => boolean };

/** How a pattern is always written; undefined for one that is not of its type. */
const canonicalForms = {
	ip: canonicalIp,
	cidr: (text) => {
		const range = parseIpRange(text);
		return range && formatIpRange(range);
	},
	regex: (text) => (compile(text) === undefined ? undefined : text),
} as const satisfies Record<PatternType, (text: string) => string | undefined>;

const faults = {
	ip: "Must be an IPv4 or IPv6 address",
	cidr: "Must be a range such as 203.0.113.0/24 or 2001:db8::/32",
	regex: "Must be an RE2 expression of moderate size",
} as const satisfies Record<PatternType, string>;

/** The one way to write a pattern of this type; 422 for what is none. */
export function canonicalPattern(type: PatternType, text: string): string {
	const canonical = text === "" || text.length > MAX_LENGTH ? undefined : canonicalForms[type](text);
	if (canonical === undefined) throw fieldError("body.pattern", faults[type], `ip_allowlist_${type}`);
	return canonical;
}

/** Coverage of a stored pattern. An expression is compiled at its first use, as most addresses are in a range. */
function coverageOf(type: PatternType, text: string): Coverage | undefined {
	if (type !== "regex") {
		const range = parseIpOrRange(text);
		return range && { range };
	}
	let compiled: RE2JS | undefined;
	return {
		describes: (address) => {
			compiled ??= compile(text);
			return compiled?.testExact(address) === true;
		},
	};
}

function compile(expression: string): RE2JS | undefined {
	const counts = [...expression.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) => Number(most || least));
	if (counts.reduce((sum, count) => sum + count, 0) > MAX_REPETITIONS) return undefined;
	try {
		const compiled = RE2JS.compile(expression, RE2JS.CASE_INSENSITIVE);
		return compiled.programSize() > MAX_INSTRUCTIONS ? undefined : compiled;
	} catch {
		return undefined;
	}
}
