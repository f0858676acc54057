import { compilePattern } from "../../../analytics/attribution/search-pattern.ts";
import type { FieldError } from "../../../platform/errors/service-error.ts";
import { patternFields, type RuleFields } from "./rule.ts";

/** Error in the patterns of a rule; `at` is the path of its fields in the request. */
export function patternFault(
	rule: Pick<RuleFields, (typeof patternFields)[number]>,
	at: string,
): FieldError | undefined {
	for (const field of patternFields) {
		const pattern = rule[field];
		if (pattern !== null && compilePattern(pattern) === undefined) {
			return { field: `${at}.${field}`, message: "Not a valid RE2 expression, or too large a one", type: "regex" };
		}
	}
	if (patternFields.every((field) => rule[field] === null)) {
		return { field: `${at}.source_pattern`, message: "At least one pattern must not be empty", type: "missing" };
	}
	return undefined;
}
