import type { Dimension } from "../../catalog/dimensions.ts";
import type { Filter } from "../../catalog/filters.ts";
import { BadQuestion } from "./bad-question.ts";
import { dimensionFilter } from "./dimension-filter.ts";

const MAX_ENTRIES = 20;
/** Characters of a faulty entry that an error repeats. */
const MAX_QUOTED = 64;

/** The field that compares a dimension; null for a dimension that these filters do not know. */
const fieldOf = {
	date: null,
	hour: null,
	day_of_week: null,
	path: "path",
	content_grouping: null,
	landing_page: null,
	landing_content_grouping: null,
	referrer_domain: "referrer",
	utm_source: "utm_source",
	utm_medium: "utm_medium",
	utm_campaign: "utm_campaign",
	utm_term: "utm_term",
	utm_content: "utm_content",
	country: "country",
	device_type: "device_type",
	browser: "browser",
	os: "os",
	channel_group: null,
	conversion_type: null,
} as const satisfies Record<Dimension, string | null>;

const dimensionByField = new Map<string, Dimension>(
	(Object.keys(fieldOf) as Dimension[]).flatMap((dimension) => {
		const field = fieldOf[dimension];
		return field === null ? [] : [[field, dimension] as const];
	}),
);

const advancedOperators = ["eq", "ne", "contains", "not_contains", "regex", "not_regex", "in", "not_in"] as const;

/** How a report reads the field `path`: as the page of the row, or as the landing page of its session. */
export type PathMeaning = Extract<Dimension, "path" | "landing_page">;

/** `%2C` is a comma; where the value holds these three characters themselves it is written `%252C`, and so on. */
const unescapeValue = (value: string) =>
	value.replace(/%(25)*(2c|7c)/gi, (escaped, isLiteral: string | undefined, code: string) => {
		if (isLiteral !== undefined) return `%${escaped.slice(3)}`;
		return code.toLowerCase() === "2c" ? "," : "|";
	});

function parseEntry(entry: string, path: PathMeaning): Filter {
	const [, name, symbol, value] = /^([^:]*):([^:]*):(.*)$/s.exec(entry) ?? [];
	const dimension = dimensionByField.get(name ?? "");
	const operator = advancedOperators.find((candidate) => candidate === symbol);
	const quoted = JSON.stringify(entry.slice(0, MAX_QUOTED));
	if (value === undefined) {
		throw new BadQuestion(
			`${quoted} must read field:operator:value; a comma in a value is written %2C, in an address %252C`,
		);
	}
	if (dimension === undefined) {
		throw new BadQuestion(`The field of ${quoted} must be one of ${[...dimensionByField.keys()].join(", ")}`);
	}
	if (operator === undefined) {
		throw new BadQuestion(`The operator of ${quoted} must be one of ${advancedOperators.join(", ")}`);
	}
	const values = operator === "in" || operator === "not_in" ? value.split("|") : [value];
	return dimensionFilter(
		dimension === "path" ? path : dimension,
		operator,
		values.map((text) => unescapeValue(text.trim())),
	);
}

/**
 * Reads `field:operator:value` entries separated by commas; `%2C` and `%7C` in a value stand for a comma and a pipe,
 * `%252C` and `%257C` for `%2C` and `%7C`.
 * Throws `BadQuestion` for anything malformed and for more than 20 entries.
 */
export function parseAdvancedFilters(text: string, path: PathMeaning): Filter[] {
	if (text === "") return [];
	const entries = text.split(",");
	if (entries.length > MAX_ENTRIES) throw new BadQuestion(`At most ${MAX_ENTRIES} filters`);
	return entries.map((entry) => parseEntry(entry.trim(), path));
}
