import { compilePattern } from "../../../analytics/attribution/search-pattern.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import type { MappingRow } from "./store.ts";

/** Refuses an expression that cannot be compiled, or is too large for the path of a hit; throws 422 on the pattern. */
export function checkPattern(mapping: Pick<MappingRow, "match_type" | "referrer_pattern">): void {
	if (mapping.match_type !== "regex" || compilePattern(mapping.referrer_pattern) !== undefined) return;
	throw fieldError("body.referrer_pattern", "Not a valid RE2 expression, or too large a one", "regex");
}
