import { comesFirst, type DateRange } from "../question/date-range.ts";
import type { ComparedPage, GroupQuery } from "../question/report-query.ts";
import {
	anyMetric,
	anyTexts,
	dimensionColumn,
	eventsWhere,
	hashes,
	isHashed,
	metricColumns,
	orderBy,
	overParts,
	type Params,
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
	return [`${isCurrent} AS is_current`, `${[isEarlier, ...untilWhere(earlier, params)].join(" AND ")} AS is_earlier`];
}

interface Groups {
	/** The groups of each period by itself, in plain sums, which projections hold: sums under a condition they do not. */
	readonly parts: string;
	readonly keys: readonly string[];
	/** The dimensions over the parts. */
	readonly labels: readonly string[];
}

function plainGroups(query: InPeriods, params: Params): Groups {
	const parts = select({
		columns: [...flagColumns(query, params), ...query.dimensions.map(dimensionColumn), ...metricColumns(query.metrics)],
		from: "events",
		where: eventsWhere(query, params),
		groupBy: [...flags, ...query.dimensions],
	});
	return { parts, keys: query.dimensions, labels: query.dimensions };
}

function hashedGroups(query: InPeriods, params: Params): Groups {
	const keys = hashes(query.dimensions).map((_, index) => `h${index}`);
	const hashed = hashes(query.dimensions).map((hash, index) => `${hash} AS h${index}`);
	const parts = select({
		columns: [...flagColumns(query, params), ...hashed, ...anyTexts(query.dimensions), ...metricColumns(query.metrics)],
		from: "events",
		where: eventsWhere(query, params),
		groupBy: [...flags, ...keys],
	});
	return { parts, keys, labels: query.dimensions.map((name, index) => `any(k${index}) AS ${name}`) };
}

/** What is asked over all groups comes with each row: a question of its own would read all events once more. */
function overAll({ limit, totals = [], earlierTotals = [] }: ComparedPage): string[] {
	const summed = [...totals, ...earlierTotals.map((name) => `earlier_${name}`)];
	return [
		...(limit === undefined ? [] : ["countIf(is_counted) OVER () AS total_rows"]),
		...summed.map((name) => `sum(${name}) OVER () AS total_${name}`),
	];
}

/**
 * SQL for groups of two periods in one statement, with the sums of the earlier one as `earlier_<metric>`. Each row of a
 * page also carries `total_rows`, the number of groups that count today, and the sums over all groups that are asked for as
 * `total_<metric>` and `total_earlier_<metric>`. Groups that only counted earlier come last, `is_counted` 0.
 */
export function compileCompared(query: InPeriods, page: ComparedPage): Statement {
	const params: Params = {};
	const { parts, keys, labels } = isHashed(query) ? hashedGroups(query, params) : plainGroups(query, params);
	const sums = query.metrics.flatMap((name) => [
		[name, overParts(name, "is_current")] as const,
		[`earlier_${name}`, overParts(name, "is_earlier")] as const,
	]);
	const groups: Select = {
		columns: [
			...labels,
			...sums.map(([name, sum]) => `${sum} AS ${name}`),
			`${anyMetric(query.metrics)} AS is_counted`,
			...overAll(page),
		],
		from: nested(parts, "parts"),
		groupBy: keys,
		orderBy: ["is_counted DESC", ...orderBy(query, page.order)],
	};
	if (page.limit === undefined) return statement(query, groups, params);
	const limit = "{limit:UInt64} OFFSET {offset:UInt64}";
	return statement(query, { ...groups, limit }, { ...params, limit: page.limit, offset: page.offset ?? 0 });
}
