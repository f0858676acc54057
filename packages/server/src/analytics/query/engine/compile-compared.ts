import { distinctOf, type Metric } from "../../catalog/metrics.ts";
import { comesFirst, type DateRange, daysIn, endsBefore } from "../question/date-range.ts";
import type { ComparedPage, GroupQuery } from "../question/report-query.ts";
import {
	anyTexts,
	dimensionColumn,
	eventsWhere,
	hashes,
	hoursWhere,
	isCounted,
	isHashed,
	metricColumns,
	orderBy,
	overParts,
	PAGE_LIMIT,
	type Params,
	readsRows,
	type Statement,
	statement,
	untilWhere,
} from "./compile.ts";
import { nested, type Select, select } from "./select.ts";

/** A question about two periods. */
export type InPeriods = GroupQuery & { readonly earlier: DateRange };

/** Tell of which periods a part is. */
export const flags = ["is_current", "is_earlier"];

/** The flags over the rows of both periods. A day may be in both, as when more than a year is compared with the year before. */
export function flagColumns({ range, earlier }: InPeriods, params: Params): string[] {
	const [isCurrent, isEarlier] = comesFirst(earlier, range)
		? ["date >= {start:Date}", "date <= {earlier_end:Date}"]
		: ["date BETWEEN {start:Date} AND {end:Date}", "date BETWEEN {earlier_start:Date} AND {earlier_end:Date}"];
	// Of periods that lie apart, rows behind that hour are not asked for.
	const until = endsBefore(earlier, range) ? [] : untilWhere(earlier, params);
	return [`${isCurrent} AS is_current`, `${[isEarlier, ...until].join(" AND ")} AS is_earlier`];
}

/** Sums by the columns of groups, in one statement on rows of events. */
interface Parts {
	readonly columns: readonly string[];
	readonly keys: readonly string[];
}

/**
 * The groups of each period by itself, in plain sums, which projections hold: sums under a condition they do not. An earlier period that
 * ends at an hour is asked for in two parts where a projection holds all of its days but the last.
 */
function partsOf(query: InPeriods, params: Params, { columns, keys }: Parts): string {
	const part = (flagsOf: readonly string[], where: readonly string[]) =>
		select({ columns: [...flagsOf, ...columns], from: "events", where, groupBy: [...flags, ...keys] });
	const cut = cutDay(query);
	if (cut === undefined) return part(flagColumns(query, params), eventsWhere(query, params));
	const days = wholeDays(query, cut);
	const whole = part(wholeFlags(days, params), eventsWhere(days, params));
	return [whole, part(["0 AS is_current", "1 AS is_earlier"], hoursWhere(query, cut, params))].join("\nUNION ALL\n");
}

/** The hour at which the earlier period ends, where it is worth asking for its day by itself. */
function cutDay(query: InPeriods): DateRange["until"] {
	const { range, earlier } = query;
	if (earlier.until === undefined || !endsBefore(earlier, range)) return undefined;
	return readsRows(wholeDays(query, earlier.until)) ? undefined : earlier.until;
}

/** The same without the day that is cut; without an earlier period where that was its only one. */
function wholeDays({ earlier, ...query }: InPeriods, { day }: Required<DateRange>["until"]): GroupQuery {
	const days = { start: earlier.start, end: day.subtract({ days: 1 }) };
	return daysIn(days) > 0 ? { ...query, earlier: days } : query;
}

const wholeFlags = ({ earlier, ...query }: GroupQuery, params: Params): string[] =>
	earlier === undefined ? ["1 AS is_current", "0 AS is_earlier"] : flagColumns({ ...query, earlier }, params);

interface Groups {
	readonly parts: string;
	readonly keys: readonly string[];
	/** The dimensions over the parts. */
	readonly labels: readonly string[];
}

function plainGroups(query: InPeriods, params: Params): Groups {
	const columns = [...query.dimensions.map(dimensionColumn), ...metricColumns(query.metrics)];
	const parts = partsOf(query, params, { columns, keys: query.dimensions });
	return { parts, keys: query.dimensions, labels: query.dimensions };
}

function hashedGroups(query: InPeriods, params: Params): Groups {
	const keys = hashes(query.dimensions).map((_, index) => `h${index}`);
	const hashed = hashes(query.dimensions).map((hash, index) => `${hash} AS h${index}`);
	const columns = [...hashed, ...anyTexts(query.dimensions), ...metricColumns(query.metrics)];
	const parts = partsOf(query, params, { columns, keys });
	return { parts, keys, labels: query.dimensions.map((name, index) => `any(k${index}) AS ${name}`) };
}

/** Metrics of which the total of the earlier period alone is asked for. Those that do not add up are asked by themselves. */
function earlierOnly({ metrics }: InPeriods, { earlierTotals = [] }: ComparedPage): readonly Metric[] {
	const distinct: readonly Metric[] = distinctOf(earlierTotals);
	return earlierTotals.filter((name) => !metrics.includes(name) && !distinct.includes(name));
}

/** Totals over all groups are returned with each row: a query of their own would read all events once more. */
function overAll({ limit, largest, totals = [], earlierTotals = [] }: ComparedPage): string[] {
	const summed = [...totals, ...earlierTotals.map((name) => `earlier_${name}`)];
	return [
		...(limit === undefined || largest !== undefined ? [] : ["countIf(is_counted) OVER () AS total_rows"]),
		...summed.map((name) => `sum(${name}) OVER () AS total_${name}`),
	];
}

/**
 * SQL for groups of two periods in one statement, with the sums of the earlier one as `earlier_<metric>`. Each row of a
 * page also carries `total_rows`, the number of groups that count today, and the sums over all groups that are asked for as
 * `total_<metric>` and `total_earlier_<metric>`. Groups that only counted earlier have `is_counted` 0, and come last
 * unless the page asks for the largest of both periods.
 */
export function compileCompared(query: InPeriods, page: ComparedPage): Statement {
	const params: Params = {};
	const onlyTotal = earlierOnly(query, page);
	const summed = { ...query, metrics: [...query.metrics, ...onlyTotal] };
	const { parts, keys, labels } = isHashed(query) ? hashedGroups(summed, params) : plainGroups(summed, params);
	const earlierSum = (name: Metric) => [`earlier_${name}`, overParts(name, "is_earlier")] as const;
	const sums = [
		...query.metrics.flatMap((name) => [[name, overParts(name, "is_current")] as const, earlierSum(name)]),
		...onlyTotal.map(earlierSum),
	];
	const groups: Select = {
		columns: [
			...labels,
			...sums.map(([name, sum]) => `${sum} AS ${name}`),
			`${isCounted(query)} AS is_counted`,
			...overAll(page),
		],
		from: nested(parts, "parts"),
		groupBy: keys,
		orderBy:
			page.largest === undefined
				? ["is_counted DESC", ...orderBy(query, page.order)]
				: [`greatest(${page.largest}, earlier_${page.largest}) DESC`, ...orderBy(query, [])],
	};
	const cut = cutDay(summed);
	const asked = cut === undefined ? summed : wholeDays(summed, cut);
	if (page.limit === undefined) return statement(asked, groups, params);
	return statement(asked, { ...groups, limit: PAGE_LIMIT }, { ...params, limit: page.limit, offset: page.offset ?? 0 });
}
