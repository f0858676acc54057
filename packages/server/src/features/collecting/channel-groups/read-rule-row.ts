import { type FieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { compileValidator } from "../../../platform/http/validate.ts";
import { patternFault } from "./check-patterns.ts";
import type { RuleFields } from "./rule.ts";
import { type NewRule, toFields } from "./rule-input.ts";
import { CreateRuleBody } from "./schemas.ts";

// The rows of an import follow the same schema as the body that adds one rule.
const check = compileValidator({ schema: CreateRuleBody, method: "POST", url: "", httpPart: "body" });

/** Reads one row of an import: the rule, or the first thing that is wrong with it. */
export function readRuleRow(
	row: unknown,
	index: number,
): { readonly rule: RuleFields } | { readonly fault: FieldError } {
	const at = `body.rules.${index}`;
	const checked = check(row) as { readonly value?: unknown; readonly error?: Error };
	if (checked.error !== undefined) return { fault: faultOf(checked.error, at) };
	const rule = toFields(checked.value as NewRule);
	const fault = patternFault(rule, at);
	return fault === undefined ? { rule } : { fault };
}

function faultOf(error: Error, at: string): FieldError {
	const [first] = error instanceof ServiceError ? (error.detail ?? []) : [];
	if (first === undefined) return { field: at, message: "is not valid", type: "value_error" };
	return { ...first, field: first.field.replace(/^body/, at) };
}
