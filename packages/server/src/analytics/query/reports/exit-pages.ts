import type { Condition } from "../../catalog/filters.ts";
import { rowSettings } from "../../catalog/projections.ts";
import type { StoredColumn } from "../../model/event-columns.ts";
import {
	conditionScope,
	type EventScope,
	engineDate,
	PAGE_LIMIT,
	type Params,
	type Statement,
	untilWhere,
} from "../engine/compile.ts";
import { columnsIn, conditionSql } from "../engine/condition-sql.ts";
import { askPage, named, type RunDeps } from "../engine/run.ts";
import { nested, type Select, select } from "../engine/select.ts";
import type { DateRange } from "../question/date-range.ts";

/** Metrics of an exit page. */
const exitMetrics = ["exits", "page_views"] as const;

/** The visits that ended on a page, and the page views of visits on it. */
export type ExitCounts = Readonly<Record<(typeof exitMetrics)[number], number>>;

/** Sort orders of exit pages. */
export const exitOrders = ["exits", "exit_rate", "page_views"] as const;

/** The visits that are looked at, and which of their pages are listed. */
export interface ExitQuestion extends Pick<EventScope, "range" | "earlier" | "conditions"> {
	/** Slug. */
	readonly site: string;
	/** Chooses among the pages, not among the visits. */
	readonly pages: readonly Condition[];
	readonly order: { readonly by: (typeof exitOrders)[number]; readonly direction: "asc" | "desc" };
	readonly limit: number;
	readonly offset: number;
}

/** A page with its counts in the earlier range: zeros without one. */
export interface ExitRow extends ExitCounts {
	readonly path: string;
	readonly earlier: ExitCounts;
}

/** Columns in which the hits of a visit differ. */
const ofTheHit: ReadonlySet<StoredColumn> = new Set(["date", "hour", "path", "content_group"]);

/** Conditions on `visits`, which hold for all hits of one or for none, and on a page view itself, so on the last one of a counted visit. */
function rowChoice(question: ExitQuestion, params: Params) {
	const { conditions } = question;
	const scope = conditionScope(question, params);
	const isOfHit = (condition: Condition) => columnsIn(condition).some((column) => ofTheHit.has(column));
	const sqlOf = (chosen: readonly Condition[]) => chosen.map((condition) => conditionSql(condition, scope));
	return {
		// Imported sums know no visits.
		visits: [
			"site = {site:String}",
			"kind = 'pageview'",
			"session != 0",
			...sqlOf(conditions.filter((condition) => !isOfHit(condition))),
		],
		hits: sqlOf(conditions.filter(isOfHit)),
	};
}

/**
 * The moment of a page view as one number, with some bits of its path below the millisecond: which of several is the last one
 * never depends on the order of rows. A pair of moment and path would take the engine three times as long.
 */
const MOMENT = "toUInt64(toUnixTimestamp64Milli(ts)) * 4194304 + bitAnd(cityHash64(path), 4194303)";

const atLast = (sql: string): string => `argMax(${sql}, ${MOMENT})`;

/**
 * Exits and page views by page in one range. A visit that goes on after its last day has not ended in it: so the day after
 * is read as well, but where the range is cut in the middle of a day, as the one that it is compared with still runs.
 */
function partsOf(
	range: DateRange,
	isEarlier: boolean,
	{ visits, hits }: ReturnType<typeof rowChoice>,
	params: Params,
): string[] {
	const prefix = isEarlier ? "earlier_" : "";
	params[`${prefix}start`] = engineDate(range.start);
	params[`${prefix}end`] = engineDate(range.end);
	params[`${prefix}next`] = engineDate(range.end.add({ days: 1 }));
	const days = (end: "end" | "next") => `date BETWEEN {${prefix}start:Date} AND {${prefix}${end}:Date}`;
	const until = untilWhere(range, params);
	const last = select({
		columns: [`${atLast("path")} AS last_path`],
		from: "events",
		where: [...visits, days("next"), ...until],
		groupBy: ["session"],
		having: [`max(date) <= {${prefix}end:Date}`, ...hits.map(atLast)].join(" AND "),
	});
	const flag = `${isEarlier ? 1 : 0} AS is_earlier`;
	const exits: Select = {
		columns: [flag, "last_path AS path", "count() AS exits", "toUInt64(0) AS page_views"],
		from: nested(last),
		groupBy: ["path"],
	};
	const views: Select = {
		columns: [flag, "path", "toUInt64(0) AS exits", "sum(page_view) AS page_views"],
		from: "events",
		where: [...visits, days("end"), ...until, ...hits],
		groupBy: ["path"],
	};
	return [select(exits), select(views)];
}

const orderSql = {
	exits: "exits",
	exit_rate: "if(page_views = 0, 0, exits / page_views)",
	page_views: "page_views",
} as const satisfies Record<ExitQuestion["order"]["by"], string>;

function compileExitPages(question: ExitQuestion): Statement {
	const { site, range, earlier, pages, order } = question;
	const params: Params = { site };
	const choice = rowChoice(question, params);
	const parts = [
		...partsOf(range, false, choice, params),
		...(earlier === undefined ? [] : partsOf(earlier, true, choice, params)),
	];
	const sums = exitMetrics.flatMap((name) => [
		[name, `sumIf(parts.${name}, NOT is_earlier)`] as const,
		[`earlier_${name}`, `sumIf(parts.${name}, is_earlier)`] as const,
	]);
	const sql = select({
		columns: [
			"path",
			...sums.map(([name, sum]) => `${sum} AS ${name}`),
			"exits != 0 OR page_views != 0 AS is_counted",
			"countIf(is_counted) OVER () AS total_rows",
			...sums.map(([name]) => `sum(${name}) OVER () AS total_${name}`),
		],
		from: nested(parts.join("\nUNION ALL\n"), "parts"),
		where: pages.map((condition) => conditionSql(condition, { params, visit: "session", around: [] })),
		groupBy: ["path"],
		orderBy: ["is_counted DESC", `${orderSql[order.by]} ${order.direction.toUpperCase()}`, "path"],
		limit: PAGE_LIMIT,
	});
	return { sql, params: { ...params, limit: question.limit, offset: question.offset }, settings: rowSettings };
}

type FoundRow = ExitCounts & { readonly path: string; readonly is_counted: number; readonly total_rows: number };

/**
 * The pages on which visits ended, and how many there are in the range, in one statement for both ranges. A page past the end has no rows and still tells the
 * totals; pages that only the earlier range has are in its totals alone.
 */
export async function runExitPages(deps: RunDeps, question: ExitQuestion) {
	const { rows, first } = await askPage<FoundRow, ExitQuestion>(deps, question, compileExitPages);
	return {
		rows: rows
			.filter((row) => row.is_counted === 1)
			.map((row): ExitRow => ({ ...row, earlier: named(exitMetrics, "earlier_", row) })),
		totalRows: first?.total_rows ?? 0,
		totals: named(exitMetrics, "total_", first),
		earlierTotals: named(exitMetrics, "total_earlier_", first),
	};
}
