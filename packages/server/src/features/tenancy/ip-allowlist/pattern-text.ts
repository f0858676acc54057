import { RE2JS } from "re2js";
import { fieldError } from "../../../platform/errors/service-error.ts";
import {
	canonicalIp,
	formatIpRange,
	type IpRange,
	parseIpOrRange,
	parseIpRange,
} from "../../../platform/lib/ip-address.ts";
import type { PatternType } from "./store.ts";

/** Instructions that an expression may compile to, far more than addresses need; the time of a match grows with them. */
const MAX_INSTRUCTIONS = 250;
/** Sum of the counts in `{m,n}`; compiling what repeats more, only to find it too big, would take many milliseconds. */
const MAX_REPETITIONS = 40;
const MAX_LENGTH = 255;

/** Coverage of a pattern: a range, or the addresses that match an expression. */
export type Coverage = { readonly range: IpRange } | { readonly describes: (address: string) => boolean };

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
export function coverageOf(type: PatternType, text: string): Coverage | undefined {
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
