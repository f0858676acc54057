import type { Filter } from "../../catalog/filters.ts";
import { BadQuestion } from "./bad-question.ts";
import { dimensionFilter } from "./dimension-filter.ts";
import { dimensionOfField, fieldNames, filterOperators, isFilterField, operatorNames } from "./filter-vocabulary.ts";
import { type Reading, readFilter } from "./reading.ts";

const MAX_ENTRIES = 20;
/** Characters of a faulty entry that an error repeats. */
const MAX_QUOTED = 64;

const advancedOperators = operatorNames(filterOperators);

/** `%2C` is a comma; where the text holds these three characters themselves it is written `%252C`, and so on. */
const unescapeWith = (escapes: RegExp) => (text: string) =>
	text.replace(escapes, (escaped, isLiteral: string | undefined) =>
		isLiteral === undefined ? decodeURIComponent(escaped) : `%${escaped.slice(3)}`,
	);

/** The name of a property ends with a colon, a value of a list with a pipe. */
const unescapeField = unescapeWith(/%(25)*(?:2c|3a)/gi);
const unescapeValue = unescapeWith(/%(25)*(?:2c|7c)/gi);

function parseEntry(entry: string, reading: Reading): Filter {
	const [, name = "", symbol, value] = /^([^:]*):([^:]*):(.*)$/s.exec(entry) ?? [];
	const field = unescapeField(name);
	const operator = advancedOperators.find((candidate) => candidate === symbol);
	const quoted = JSON.stringify(entry.slice(0, MAX_QUOTED));
	if (value === undefined) {
		throw new BadQuestion(
			`${quoted} must read field:operator:value; a comma in a value is written %2C, in an address %252C`,
		);
	}
	if (!isFilterField(field)) throw new BadQuestion(`The field of ${quoted} must be one of ${fieldNames}`);
	if (operator === undefined) {
		throw new BadQuestion(`The operator of ${quoted} must be one of ${advancedOperators.join(", ")}`);
	}
	const values = operator === "in" || operator === "not_in" ? value.split("|") : [value];
	const given = values.map((text) => unescapeValue(text.trim()));
	return readFilter(dimensionFilter(dimensionOfField(field), filterOperators[operator], given), reading);
}

/**
 * Reads `field:operator:value` entries separated by commas; `%2C` and `%7C` in a value stand for a comma and a pipe,
 * `%252C` and `%257C` for `%2C` and `%7C`; in the name of a property, `%2C` and `%3A` for a comma and a colon.
 * Throws `BadQuestion` for anything malformed and for more than 20 entries.
 */
export function parseAdvancedFilters(text: string, reading: Reading): Filter[] {
	if (text === "") return [];
	const entries = text.split(",");
	if (entries.length > MAX_ENTRIES) throw new BadQuestion(`At most ${MAX_ENTRIES} filters`);
	return entries.map((entry) => parseEntry(entry.trim(), reading));
}
