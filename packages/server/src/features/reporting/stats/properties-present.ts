import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import type {
	PropertyGroup,
	PropertyValueRow,
	runPropertyBreakdown,
} from "../../../analytics/query/reports/property-reports.ts";

/** A value with the fields that values are told apart by. */
export function presentPropertyValue(row: PropertyValueRow, groups: readonly PropertyGroup[]) {
	return {
		property_value: row.property_value,
		...Object.fromEntries(groups.map((name) => [name, row[name] ?? ""])),
		conversions_count: row.conversions_count,
		microconversions_count: row.microconversions_count,
		revenue: row.revenue,
	};
}

/** One property by source. */
export function presentBreakdown(
	key: string,
	range: DateRange,
	{ values, totalEvents, sources }: Awaited<ReturnType<typeof runPropertyBreakdown>>,
) {
	return {
		property_key: key,
		property_values: values.map(({ property_value }) => property_value),
		total_events: totalEvents,
		date_from: range.start.toString(),
		date_to: range.end.toString(),
		data: sources,
		totals: Object.fromEntries(values.map(({ property_value, total }) => [property_value, total])),
	};
}
