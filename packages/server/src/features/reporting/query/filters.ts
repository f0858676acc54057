import type { Filter } from "../../../analytics/catalog/filters.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import type { Filters } from "./schemas.ts";
import { filterDimensions, numberFilters } from "./vocabulary.ts";

/** Bound values travel in an address, which servers limit. */
const MAX_CHARACTERS = 32_000;

const numberDimensions = Object.keys(numberFilters) as (keyof typeof numberFilters)[];
const known: ReadonlySet<string> = new Set([
	...numberDimensions,
	...filterDimensions.flatMap((name) => [name, `${name}_not`]),
]);

const whatThereIs = `Not a filter; there are ${filterDimensions.join(", ")}, each also with _not, and ${numberDimensions.join(", ")}`;

/** The filters of a query, all of which hold. 422 for an unknown name, a value that cannot occur and for too much text. */
export function parseFilters(filters: Filters): Filter[] {
	const unknown = Object.keys(filters).find((name) => !known.has(name));
	if (unknown !== undefined) throw fieldError(`body.filters.${unknown.slice(0, 64)}`, whatThereIs, "unknown");
	if (JSON.stringify(filters).length > MAX_CHARACTERS) {
		throw fieldError("body.filters", `All filters together must not exceed ${MAX_CHARACTERS} characters`, "maxLength");
	}
	const texts = filterDimensions.flatMap((dimension) => [
		...filterOf(dimension, "in", filters[dimension], dimension),
		...filterOf(dimension, "not_in", filters[`${dimension}_not`], `${dimension}_not`),
	]);
	const numbers = numberDimensions.flatMap((dimension) => filterOf(dimension, "in", filters[dimension], dimension));
	return [...texts, ...numbers];
}

type Value = string | number;

function filterOf(
	dimension: Parameters<typeof dimensionFilter>[0],
	operator: "in" | "not_in",
	given: Value | readonly Value[] | undefined,
	name: string,
): Filter[] {
	if (given === undefined) return [];
	return [placed(`body.filters.${name}`, () => dimensionFilter(dimension, operator, [given].flat().map(String)))];
}
