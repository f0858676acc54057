import { type FileColumn, figureSql } from "../../../../analytics/query/files/file-columns.ts";
import { fileContent } from "../../../../analytics/query/files/file-content.ts";
import type { FileQuestion } from "../../../../analytics/query/files/file-query.ts";
import { type DateRange, eachDay } from "../../../../analytics/query/question/date-range.ts";
import { readableRange } from "../../../../analytics/query/question/readable-range.ts";
import { todayIn } from "../../../../analytics/query/question/resolve-range.ts";
import type { EventStore } from "../../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import type { FactTable } from "./warehouse-tables.ts";

export interface FactSite {
	readonly id: string;
	readonly timezone: string;
}

/** Calculated columns of a group that no report has as a dimension. */
const calculated: Readonly<Record<string, string>> = { day_of_week: "toDayOfWeek(date)" };

function question({ columns, fact }: FactTable, site: string, range: DateRange): FileQuestion {
	const fileColumns = (sqlOf: (name: string) => string): FileColumn[] =>
		columns.map(({ name, written }) => ({ name, sql: sqlOf(name), type: written }));
	if (fact.of === "events") {
		const { kind, values } = fact;
		const scope = { site, range, conditions: [] };
		return { of: "events", kind, scope, columns: fileColumns((name) => values[name] ?? name) };
	}
	const { key, metrics } = fact;
	const sqlOf = (name: string): string => {
		if (name === "revenue") return "toString(revenue)";
		const metric = metrics.find((one) => one === name);
		return metric !== undefined ? figureSql(metric) : (key[name] ?? calculated[name] ?? name);
	};
	const query = { site, range, conditions: [], dimensions: Object.values(key), metrics };
	return { of: "groups", query, order: [], columns: fileColumns(sqlOf) };
}

/** The days of a range that a table may hold; undefined when there is none. */
export function heldDays(table: FactTable, site: FactSite, clock: Clock, range: DateRange): DateRange | undefined {
	const { fact, expirationDays } = table;
	if (fact.of === "events" && fact.kind === "microconversion") return readableRange(range, site.timezone, clock);
	if (expirationDays === undefined) return range;
	const oldest = todayIn(site.timezone, clock).subtract({ days: expirationDays - 1 });
	if (Temporal.PlainDate.compare(range.end, oldest) < 0) return undefined;
	return Temporal.PlainDate.compare(range.start, oldest) < 0 ? { ...range, start: oldest } : range;
}

/**
 * The rows of a table for some days, an object of JSON a line, as the engine makes them. A day at a time: the groups of a day
 * fit in the engine's memory where those of a year do not.
 */
export async function* factRows(
	deps: { readonly eventStore: EventStore },
	table: FactTable,
	site: string,
	range: DateRange,
	signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
	for (const day of eachDay(range)) {
		yield* fileContent(deps, question(table, site, { start: day, end: day }), "ndjson", signal);
	}
}
