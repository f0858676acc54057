import { unescape as decodePercent } from "node:querystring";
import { RE2JS } from "re2js";
import { canonicalPath } from "../../attribution/canonical-path.ts";
import { type Dimension, dimensionOf, type Property } from "../../catalog/dimensions.ts";
import type { Filter, Operator } from "../../catalog/filters.ts";
import { BadQuestion, refusedExpression } from "./bad-question.ts";

// Far beyond any real filter, and small enough for the engine's memory limit on compiled expressions.
const MAX_LENGTH = 1000;

/** Unicode classes that the check here knows and the engine does not: properties, and scripts newer than its tables. */
const unknownToEngine: ReadonlySet<string> = new Set(
	`Cn LC ASCII_Hex_Digit Alphabetic Dash Emoji Emoji_Component Emoji_Modifier Emoji_Modifier_Base Emoji_Presentation
	Extended_Pictographic Hex_Digit Lowercase Math Quotation_Mark Terminal_Punctuation Uppercase White_Space
	Beria_Erfe Garay Gurung_Khema Kirat_Rai Ol_Onal Sidetic Sunuwar Tai_Yo Todhri Tolong_Siki Tulu_Tigalari Unknown`.split(
		/\s+/,
	),
);

/** Valid starts of an escape: quoted text, a Unicode class, any other escape. */
const escapes = /\\Q.*?(?:\\E|$)|\\[pP]\{\^?([^}]*)\}|\\./gs;

/** True for an expression that the engine's RE2 takes; it reads an expression as text that a NUL would end. */
export function isRegularExpression(pattern: string): boolean {
	if (pattern.length > MAX_LENGTH || pattern.includes("\0")) return false;
	if ([...pattern.matchAll(escapes)].some(([, name]) => name !== undefined && unknownToEngine.has(name))) return false;
	try {
		RE2JS.compile(pattern);
		return true;
	} catch {
		return false;
	}
}

const expectations: Partial<Record<Dimension | Property, string>> = {
	country: "Must be an ISO 3166-1 alpha-2 code or Unknown",
	device_type: "Must be desktop, mobile, tablet or unknown",
	hour: "Must be an hour, 0 to 23",
	day_of_week: "Must be a day, 1 Monday to 7 Sunday",
};

function exactValue(dimension: Dimension | Property, value: string): string {
	const { normalize } = dimensionOf(dimension);
	if (normalize === undefined) return value;
	const canonical = normalize(value);
	if (canonical === undefined) throw new BadQuestion(expectations[dimension] ?? "Not a value of this field");
	return canonical;
}

/** Numbers are equal or not: the engine binds texts, and only a list of them is compared with a column of numbers. */
function numberFilter(dimension: Dimension | Property, operator: Operator, values: readonly string[]): Filter {
	const isNegated = operator === "ne" || operator === "is_not" || operator === "not_in";
	if (!isNegated && operator !== "eq" && operator !== "is" && operator !== "in") {
		throw new BadQuestion(`${dimension} is a number: compare it with eq, in, not_in or their like`);
	}
	const numbers = values.map((value) => exactValue(dimension, value));
	return { dimension, operator: isNegated ? "not_in" : "in", values: numbers };
}

/**
 * A filter whose values can occur: those compared as a whole are brought to their canonical form, expressions are
 * checked. Throws `BadQuestion` otherwise.
 */
export function dimensionFilter(
	dimension: Dimension | Property,
	operator: Operator,
	values: readonly string[],
): Filter {
	const { type, isPath } = dimensionOf(dimension);
	if (type === "number") return numberFilter(dimension, operator, values);
	switch (operator) {
		case "eq":
		case "ne":
		case "is":
		case "is_not":
		case "in":
		case "not_in":
			return { dimension, operator, values: values.map((value) => exactValue(dimension, value)) };
		case "regex":
		case "not_regex":
			if (!values.every(isRegularExpression)) throw refusedExpression();
			return { dimension, operator, values };
		case "contains":
		case "not_contains":
		case "starts_with":
		case "ends_with":
			return { dimension, operator, values: isPath ? values.map(canonicalPath) : values };
		case "search":
			// Compared with the decoded path, without regard to case.
			return { dimension, operator, values: isPath ? values.map((value) => decodePercent(value)) : values };
		case "like":
			return { dimension, operator, values };
	}
}
