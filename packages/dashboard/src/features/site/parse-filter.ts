/** How a filter compares; the words of the API. */
const filterOperators = [
	"eq",
	"ne",
	"in",
	"not_in",
	"contains",
	"not_contains",
	"starts_with",
	"ends_with",
	"regex",
	"not_regex",
] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** Fields of filters; properties of events are fields beside them. */
export const filterFields = [
	"channel_group",
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"utm_content",
	"referrer_domain",
	"path",
	"landing_page",
	"content_grouping",
	"country",
	"device_type",
	"browser",
	"os",
	"conversion_type",
	"day_of_week",
	"hour",
] as const;
export type FilterField = (typeof filterFields)[number];

/** A property of events, by its name. */
export type Property = `property.${string}`;
const prefix = "property.";

/** The field of a property. */
export const propertyField = (name: string): Property => `${prefix}${name}`;

/** True for a property. */
export const isProperty = (field: string): field is Property => field.startsWith(prefix);

/** The name of a property. */
export const propertyName = (field: Property): string => field.slice(prefix.length);

/** One condition on the hits that are counted. */
export interface Filter {
	readonly field: FilterField | Property;
	readonly operator: FilterOperator;
	/** One value; several with `in` and `not_in`. */
	readonly values: readonly string[];
}

/** True for the operators that take a list of values. */
export const takesList = (operator: FilterOperator): boolean => operator === "in" || operator === "not_in";

// A comma ends an entry, a colon a field and a pipe a value, so they are percent-encoded inside it; an encoded sign in the
// text itself gets one more `25`.
const inField = "2c|3a";
const inValue = "2c|7c";
const escaped = (text: string, codes: string) =>
	text
		.replaceAll(RegExp(`%(?=(?:25)*(?:${codes}))`, "gi"), "%25")
		.replaceAll(
			RegExp(codes.replaceAll(/\w+/g, "\\x$&"), "g"),
			(sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
		);
const unescaped = (text: string, codes: string) =>
	text.replaceAll(RegExp(`%((?:25)*)(${codes})`, "gi"), (sign, more: string, code: string) =>
		more === "" ? decodeURIComponent(sign) : `%${more.slice(2)}${code}`,
	);

/** A filter of the address, `field:operator:value`; undefined where it makes no sense. */
export function parseFilter(text: string): Filter | undefined {
	const [, name = "", symbol, rest = ""] = /^([^:]*):([^:]*):(.*)$/s.exec(text) ?? [];
	const own = unescaped(name, inField);
	const field = isProperty(own) ? own : filterFields.find((one) => one === name);
	const operator = filterOperators.find((one) => one === symbol);
	if (field === undefined || operator === undefined) return undefined;
	return {
		field,
		operator,
		values: (takesList(operator) ? rest.split("|") : [rest]).map((one) => unescaped(one, inValue)),
	};
}

/** Its counterpart. */
export const formatFilter = ({ field, operator, values }: Filter): string =>
	`${escaped(field, inField)}:${operator}:${values.map((one) => escaped(one, inValue)).join("|")}`;

/** The filters of an address that make sense. */
export const parseFilters = (f: readonly string[]): readonly Filter[] =>
	f.map(parseFilter).filter((filter) => filter !== undefined);

const including: readonly FilterOperator[] = ["eq", "in"];
const excluding: readonly FilterOperator[] = ["ne", "not_in"];

/** True when a value is what the filters ask for. */
export const isChosen = (f: readonly string[], field: Filter["field"], value: string): boolean =>
	parseFilters(f).some((one) => one.field === field && including.includes(one.operator) && one.values.includes(value));

/**
 * The filters after a click on a value: it is asked for, beside others of its field, or left out; a value that is asked
 * for already is let go.
 */
export function withValue(
	f: readonly string[],
	field: Filter["field"],
	value: string,
	way: "include" | "exclude" = "include",
): readonly string[] {
	const [wanted, other] = way === "include" ? [including, excluding] : [excluding, including];
	const isLetGo = way === "include" && isChosen(f, field, value);
	let isPlaced = isLetGo;
	const next = f.flatMap((text) => {
		const filter = parseFilter(text);
		if (filter?.field !== field) return [text];
		const rest = filter.values.filter((one) => one !== value);
		if (other.includes(filter.operator)) return listOf(filter, rest);
		if (!wanted.includes(filter.operator)) return [text];
		const values = isPlaced ? rest : [...rest, value];
		isPlaced = true;
		return listOf(filter, values);
	});
	return isPlaced
		? next
		: [...next, formatFilter({ field, operator: way === "include" ? "eq" : "ne", values: [value] })];
}

/** A filter with other values, by the operator that fits their number. */
function listOf(filter: Filter, values: readonly string[]): string[] {
	if (values.length === 0) return [];
	const isIncluding = including.includes(filter.operator);
	const operator = values.length > 1 ? (isIncluding ? "in" : "not_in") : isIncluding ? "eq" : "ne";
	return [formatFilter({ ...filter, operator, values })];
}

/** Texts that are equal in a segment may differ in case, those of a list may not: filters go by lists. */
const listed: Readonly<Partial<Record<FilterOperator, "in" | "not_in">>> = {
	eq: "in",
	ne: "not_in",
	in: "in",
	not_in: "not_in",
};

type SegmentOperator = Exclude<FilterOperator, "eq" | "ne">;

/** Filters as conditions of a segment, which take values as they are. */
export const conditionsOf = (f: readonly string[]) =>
	parseFilters(f).map(({ field, operator, values }) => {
		const list = listed[operator];
		return {
			field,
			operator: list ?? (operator as SegmentOperator),
			value: list === undefined ? (values[0] ?? "") : [...values],
		};
	});

/** Filters as the JSON of a segment that is not saved; undefined without any. */
export function segmentFilters(f: readonly string[]): string | undefined {
	const conditions = conditionsOf(f);
	return conditions.length === 0 ? undefined : JSON.stringify({ conditions });
}
