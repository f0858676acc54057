import type { Filter } from "../../catalog/filters.ts";
import { BadQuestion } from "./bad-question.ts";
import { dimensionFilter } from "./dimension-filter.ts";
import { fieldDimensions, filterFields, filterOperators, operatorNames } from "./filter-vocabulary.ts";
import { type Reading, readFilter } from "./reading.ts";

const MAX_ENTRIES = 20;
/** Characters of a faulty entry that an error repeats. */
const MAX_QUOTED = 64;

const advancedOperators = operatorNames(filterOperators);

/** `%2C` is a comma; where the value holds these three characters themselves it is written `%252C`, and so on. */
const unescapeValue = (value: string) =>
	value.replace(/%(25)*(2c|7c)/gi, (escaped, isLiteral: string | undefined, code: string) => {
		if (isLiteral !== undefined) return `%${escaped.slice(3)}`;
		return code.toLowerCase() === "2c" ? "," : "|";
	});

function parseEntry(entry: string, reading: Reading): Filter {
	const [, name, symbol, value] = /^([^:]*):([^:]*):(.*)$/s.exec(entry) ?? [];
	const field = filterFields.find((candidate) => candidate === name);
	const operator = advancedOperators.find((candidate) => candidate === symbol);
	const quoted = JSON.stringify(entry.slice(0, MAX_QUOTED));
	if (value === undefined) {
		throw new BadQuestion(
			`${quoted} must read field:operator:value; a comma in a value is written %2C, in an address %252C`,
		);
	}
	if (field === undefined) {
		throw new BadQuestion(`The field of ${quoted} must be one of ${filterFields.join(", ")}`);
	}
	if (operator === undefined) {
		throw new BadQuestion(`The operator of ${quoted} must be one of ${advancedOperators.join(", ")}`);
	}
	const values = operator === "in" || operator === "not_in" ? value.split("|") : [value];
	const given = values.map((text) => unescapeValue(text.trim()));
	return readFilter(dimensionFilter(fieldDimensions[field], filterOperators[operator], given), reading);
}

/**
 * Reads `field:operator:value` entries separated by commas; `%2C` and `%7C` in a value stand for a comma and a pipe,
 * `%252C` and `%257C` for `%2C` and `%7C`.
 * Throws `BadQuestion` for anything malformed and for more than 20 entries.
 */
export function parseAdvancedFilters(text: string, reading: Reading): Filter[] {
	if (text === "") return [];
	const entries = text.split(",");
	if (entries.length > MAX_ENTRIES) throw new BadQuestion(`At most ${MAX_ENTRIES} filters`);
	return entries.map((entry) => parseEntry(entry.trim(), reading));
}
