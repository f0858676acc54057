import type { Filter, Operator } from "../../../analytics/catalog/filters.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import {
	type FilterField,
	fieldDimensions,
	filterFields,
	partOperators,
} from "../../../analytics/query/question/filter-vocabulary.ts";
import { type Reading, readFilter } from "../../../analytics/query/question/reading.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import type { Filters } from "./schemas.ts";
import { textFields } from "./vocabulary.ts";

/** Bound values travel in an address, which servers limit. */
const MAX_CHARACTERS = 32_000;

interface Meaning {
	readonly field: FilterField;
	readonly operator: Operator;
}

/** Every name of a filter: a field, or a field and how it is compared. */
const meanings: ReadonlyMap<string, Meaning> = new Map([
	...filterFields.map((field): [string, Meaning] => [field, { field, operator: "in" }]),
	...textFields.flatMap((field): [string, Meaning][] => [
		[`${field}_not`, { field, operator: "not_in" }],
		...Object.values(partOperators).map((operator): [string, Meaning] => [`${field}_${operator}`, { field, operator }]),
	]),
]);

const whatThereIs = `Not a filter; there are ${filterFields.join(", ")}, those of texts also with _not, ${Object.keys(
	partOperators,
)
	.map((name) => `_${name}`)
	.join(", ")}`;

/** The filters of a query, all of which hold. 422 for an unknown name, a value that cannot occur and for too much text. */
export function parseFilters(filters: Filters, reading: Reading): Filter[] {
	const unknown = Object.keys(filters).find((name) => !meanings.has(name));
	if (unknown !== undefined) throw fieldError(`body.filters.${unknown.slice(0, 64)}`, whatThereIs, "unknown");
	if (JSON.stringify(filters).length > MAX_CHARACTERS) {
		throw fieldError("body.filters", `All filters together must not exceed ${MAX_CHARACTERS} characters`, "maxLength");
	}
	const given: Readonly<Record<string, unknown>> = filters;
	return [...meanings].flatMap(([name, { field, operator }]) => {
		const value = given[name] ?? undefined;
		if (value === undefined) return [];
		const values = [value].flat().map(String);
		const filter = placed(`body.filters.${name}`, () => dimensionFilter(fieldDimensions[field], operator, values));
		return [readFilter(filter, reading)];
	});
}
