import { texts } from "../../lib/language.ts";
import { readablePath } from "../../lib/readable-path.ts";
import { listOfField, shownValue } from "../report/index.ts";
import {
	dimensionLabels,
	type Filter,
	type FilterOperator,
	isPath,
	isProperty,
	propertyName,
	valueName,
} from "../site/index.ts";

/** Names of operators. */
export const operatorLabels = texts<Readonly<Record<FilterOperator, string>>>({
	en: {
		eq: "is",
		ne: "is not",
		in: "is one of",
		not_in: "is not any of",
		contains: "contains",
		not_contains: "does not contain",
		starts_with: "starts with",
		ends_with: "ends with",
		regex: "matches",
		not_regex: "does not match",
	},
	es: {
		eq: "es",
		ne: "no es",
		in: "es uno de",
		not_in: "no es ninguno de",
		contains: "contiene",
		not_contains: "no contiene",
		starts_with: "empieza por",
		ends_with: "termina en",
		regex: "coincide con",
		not_regex: "no coincide con",
	},
});

const t = texts({ en: { or: "or", empty: "(empty)" }, es: { or: "o", empty: "(vacío)" } });

const whole: readonly FilterOperator[] = ["eq", "ne", "in", "not_in"];
const parts: readonly FilterOperator[] = ["contains", "not_contains", "starts_with", "ends_with", "regex", "not_regex"];

/** True for operators that compare a value as a whole, not a part of it. */
export const comparesWhole = (operator: FilterOperator): boolean => whole.includes(operator);

type Field = Filter["field"];

/** The name of a field; a property has its own. */
export const fieldName = (field: Field): string => (isProperty(field) ? propertyName(field) : dimensionLabels[field]);

/** Operators that make sense for a field: numbers have no parts. */
export const operatorsOf = (field: Field): readonly FilterOperator[] =>
	field === "hour" || field === "day_of_week" ? whole : [...whole, ...parts];

/** A value of a field as people read it; parts of values stay as they are, but for those of paths. */
export function shownFilterValue(field: Field, operator: FilterOperator, value: string): string {
	if (isProperty(field)) return comparesWhole(operator) && value === "" ? t.empty : value;
	if (!comparesWhole(operator)) return /regex/.test(operator) || !isPath(field) ? value : readablePath(value);
	const list = listOfField(field);
	return list ? shownValue(list, value) : valueName(field, value);
}

/** A filter in words, in its three parts. */
export function filterWords({ field, operator, values }: Filter): readonly [string, string, string] {
	const shown = values.map((value) => shownFilterValue(field, operator, value));
	const [last = "", ...rest] = shown.toReversed();
	const list = rest.length === 0 ? last : `${rest.toReversed().join(", ")} ${t.or} ${last}`;
	// “is one of google or bing” says twice what “is google or bing” says.
	const said = operator === "in" ? "eq" : operator === "not_in" ? "ne" : operator;
	return [fieldName(field), operatorLabels[said], list];
}
