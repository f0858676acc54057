import { weekdays } from "../../lib/format.ts";
import { useRested } from "../../lib/use-rested.ts";
import { type List, listOfField, useList } from "../report/index.ts";
import { type FilterField, parseFilter, reportQuery, useSite, useSiteSearch } from "../site/index.ts";
import { shownFilterValue } from "./filter-words.ts";

/** A value that a filter may have, and how it is read. */
interface Suggestion {
	readonly value: string;
	readonly shown: string;
}

const most = 50;
const restMs = 200;
const hours = Array.from({ length: 24 }, (_, hour) => String(hour));
const days = weekdays.map((_, at) => String(at + 1));
/** Fields whose values no list tells. */
const fixed: Readonly<Partial<Record<FilterField, readonly string[]>>> = { hour: hours, day_of_week: days };

/** Values that a field has in this period, under the other filters; those that contain what is typed. */
export function useSuggestions(field: FilterField, typed: string): readonly Suggestion[] {
	const site = useSite();
	const search = useSiteSearch();
	const wanted = useRested(typed, restMs);
	const others = search.f.filter((text) => parseFilter(text)?.field !== field);
	const list = listOfField(field);
	const { data } = useList(
		list ?? none,
		reportQuery(site.id, { ...search, f: others }),
		{ sort: (list ?? none).sorts[0], isRising: false, search: wanted, page: 1, size: most },
		{ enabled: list !== undefined },
	);
	const values = fixed[field] ?? data?.rows.map(({ value }) => value) ?? [];
	return values.map((value) => ({ value, shown: shownFilterValue(field, "eq", value) }));
}

/** Stands for the list that a field does not have; it is never asked. */
const none: List = {
	key: "sources",
	route: "GET /stats/sources",
	value: "utm_source",
	columns: [],
	sorts: ["entrances"],
};
