import { useQueries } from "@tanstack/react-query";
import { weekdays } from "../../lib/format.ts";
import { useRested } from "../../lib/use-rested.ts";
import { type List, listOfField, useList } from "../report/index.ts";
import {
	type Filter,
	type FilterField,
	isProperty,
	mayFilterBy,
	parseFilter,
	propertyField,
	propertyName,
	type ReportQuery,
	report,
	reportQuery,
	useSite,
	useSiteSearch,
} from "../site/index.ts";
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
export function useSuggestions(field: Filter["field"], typed: string): readonly Suggestion[] {
	const site = useSite();
	const search = useSiteSearch();
	const wanted = useRested(typed, restMs);
	const others = search.f.filter((text) => parseFilter(text)?.field !== field);
	const list = isProperty(field) ? undefined : listOfField(field);
	const query = reportQuery(site.id, { ...search, f: others });
	const { data } = useList(
		list ?? none,
		query,
		{ sort: (list ?? none).sorts[0], isRising: false, search: wanted, page: 1, size: most },
		{ enabled: list !== undefined },
	);
	const ofProperty = usePropertyValues(field, query);
	const values = isProperty(field) ? ofProperty : (fixed[field] ?? data?.rows.map(({ value }) => value) ?? []);
	return values.map((value) => ({ value, shown: shownFilterValue(field, "eq", value) }));
}

/** Purchase items have properties of their own. */
const tables = ["both", "conversion_items"] as const;

function usePropertyValues(field: Filter["field"], query: ReportQuery): readonly string[] {
	const key = isProperty(field) ? propertyName(field) : "";
	const found = useQueries({
		queries: tables.map((table) => ({
			...report("GET /stats/properties/breakdown", { ...query, property_key: key, table }),
			enabled: key !== "",
		})),
	});
	return found.flatMap(({ data }) => data?.property_values ?? []);
}

/** The properties of the site's events in this period, the most frequent first. */
export function useProperties(): readonly Filter["field"][] {
	const query = reportQuery(useSite().id, { ...useSiteSearch(), f: [] });
	const found = useQueries({
		queries: tables.map((table) => ({
			...report("GET /stats/properties/keys", { ...query, table }),
			enabled: mayFilterBy("property."),
		})),
	});
	return found.flatMap(({ data = [] }) => data.slice(0, most).map(({ key }) => propertyField(key)));
}

/** Stands for the list that a field does not have; it is never asked. */
const none: List = {
	key: "sources",
	route: "GET /stats/sources",
	value: "utm_source",
	columns: [],
	sorts: ["entrances"],
};
