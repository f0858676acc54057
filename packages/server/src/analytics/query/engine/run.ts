import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { StoreFailure } from "../../../platform/event-store/store-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Dimension } from "../../catalog/dimensions.ts";
import { distinctOf, type Measures, type Metric } from "../../catalog/metrics.ts";
import { refusedExpression } from "../question/bad-question.ts";
import type { DateRange } from "../question/date-range.ts";
import type { ComparedPage, Order, PageRequest, ReportQuery, ReportRow, TopRequest } from "../question/report-query.ts";
import {
	compileAcross,
	compilePage,
	compileReport,
	compileTop,
	compileUnique,
	foldCampaign,
	type Statement,
	unfoldCampaign,
} from "./compile.ts";
import { compileCompared } from "./compile-compared.ts";
import { noted } from "./engine-work.ts";

/** Dependencies of running a report. */
export interface RunDeps {
	readonly eventStore: EventStore;
}

/** One page of groups, and the number of all groups. */
export interface ReportPage {
	readonly rows: readonly ReportRow[];
	readonly totalRows: number;
	/** Sums over all groups; zeros for metrics that this was not asked for. */
	readonly totals: Measures;
}

type PageRow = ReportRow & { readonly total_rows: number };

/** Rows of a compiled report. Throws `BadQuestion` for an expression that the engine refuses; `at` says where such ones stand. */
// The engine knows fewer names of Unicode classes than the check of an expression, and has a limit on its size.
export async function ask<Row extends object>(
	{ eventStore }: RunDeps,
	query: Statement,
	at: readonly string[] = ["filters"],
): Promise<Row[]> {
	try {
		return await eventStore.query<Row>(noted(query));
	} catch (error) {
		const cause = error instanceof ServiceError ? error.cause : undefined;
		if (!(cause instanceof StoreFailure) || cause.engineError !== "CANNOT_COMPILE_REGEXP") throw error;
		throw refusedExpression(at);
	}
}

/** Rows of a page, and the first one of all, which tells the totals also where the page lies past the end. */
export async function askPage<Row extends object, Page extends { readonly limit?: number; readonly offset?: number }>(
	deps: RunDeps,
	page: Page,
	compile: (page: Page) => Statement,
): Promise<{ readonly rows: readonly Row[]; readonly first: Row | undefined }> {
	const rows = await ask<Row>(deps, compile(page));
	const isPastEnd = rows.length === 0 && page.offset !== undefined && page.offset > 0;
	const [first] = isPastEnd ? await ask<Row>(deps, compile({ ...page, limit: 1, offset: 0 })) : rows;
	return { rows, first };
}

/** All groups of a query. Throws `BadQuestion` for an expression that the engine refuses. */
export async function runReport<M extends Metric>(deps: RunDeps, query: ReportQuery<M>): Promise<ReportRow<M>[]> {
	const folded = foldCampaign(query, []);
	const rows = await ask<ReportRow<M>>(deps, compileReport(folded));
	return folded === query ? rows : rows.map(unfoldCampaign);
}

/** The first groups of a query in an order. */
export const runTop = (deps: RunDeps, query: ReportQuery, top: TopRequest): Promise<ReportRow[]> =>
	ask(deps, compileTop(query, top));

/** All groups of a query in an order, each with the number of values that one more dimension has in it. */
export const runUnique = (deps: RunDeps, query: ReportQuery, counted: Dimension, order: readonly Order[]) =>
	ask<ReportRow & { readonly unique_values: number }>(deps, compileUnique(query, counted, order));

/** The sums of a query over everything, whatever its dimensions. */
export async function runTotals<M extends Metric>(
	deps: RunDeps,
	query: ReportQuery<M>,
): Promise<Readonly<Record<M, number>>> {
	const [row] = await runReport(deps, { ...query, dimensions: [] });
	return row ?? named(query.metrics, "");
}

/** The totals of those metrics that do not add up: somebody may be in several groups, and the sum of them would count too many. */
async function distinctTotals(deps: RunDeps, query: ReportQuery): Promise<Partial<Measures>> {
	const distinct = distinctOf(query.metrics);
	if (distinct.length === 0) return {};
	const totals = await runTotals(deps, { ...query, metrics: distinct });
	return Object.fromEntries(distinct.map((name) => [name, totals[name]]));
}

/** One sorted page of groups. A page past the end has no rows and still tells the totals. */
export async function runPage(deps: RunDeps, query: ReportQuery, page: PageRequest): Promise<ReportPage> {
	const folded = foldCampaign(query, page.order);
	const [{ rows, first }, distinct] = await Promise.all([
		askPage<PageRow, PageRequest>(deps, page, (asked) => compilePage(folded, asked)),
		distinctTotals(deps, { ...query, metrics: page.totals ?? [] }),
	]);
	return {
		rows: folded === query ? rows : rows.map(unfoldCampaign),
		totalRows: first?.total_rows ?? 0,
		totals: { ...named(query.metrics, "total_", first), ...distinct },
	};
}

/** A group over several sites with the number of sites that it has a count on. */
type AcrossRow = PageRow & { readonly account_count: number };

/** Groups over several sites: a sorted page of them, or all in the order of their dimensions; one row of sums without dimensions. */
export async function runAcross(deps: RunDeps, query: ReportQuery, page?: PageRequest) {
	if (page === undefined) {
		const rows = await ask<AcrossRow>(deps, compileAcross(query));
		return { rows, totalRows: rows.length };
	}
	const { rows, first } = await askPage<AcrossRow, typeof page>(deps, page, (asked) => compileAcross(query, asked));
	return { rows, totalRows: first?.total_rows ?? 0 };
}

/** The sums of each site that has any. */
export const runBySite = <M extends Metric>(deps: RunDeps, query: Omit<ReportQuery<M>, "dimensions">) =>
	ask<ReportRow<M> & { readonly site: string }>(deps, compileReport({ ...query, dimensions: ["site"] }));

/** The numbers of a row that bear some names behind a prefix, such as those of metrics; zeros without a row. */
export function named<Name extends string>(
	names: readonly Name[],
	prefix: string,
	row: object = {},
): Record<Name, number> {
	const values: Readonly<Record<string, unknown>> = { ...row };
	return Object.fromEntries(names.map((name) => [name, values[`${prefix}${name}`] ?? 0])) as Record<Name, number>;
}

/**
 * Throws `BadQuestion` for an expression that parses but that the engine refuses: the engine knows fewer names of
 * Unicode classes, and limits the size. Each expression is checked once before it is stored, or every later report
 * would fail.
 */
export async function checkExpression(deps: RunDeps, pattern: string): Promise<void> {
	await ask(deps, { sql: "SELECT match('', {pattern:String})", params: { pattern }, settings: {} }, []);
}

/** A group with its sums in the earlier period: zeros where it had none. */
interface ComparedRow {
	readonly row: ReportRow;
	readonly earlier: Measures;
}

/** Rows of a compared statement without the groups that only counted earlier; the row of a question without groups is one. */
function comparedRows({ dimensions, metrics }: ReportQuery, found: readonly Found[]): ComparedRow[] {
	const counted = dimensions.length === 0 ? found : found.filter((row) => row.is_counted === 1);
	return counted.map((row) => ({ row, earlier: named(metrics, "earlier_", row) }));
}

/** A row of a compared statement. */
type Found = PageRow & { readonly is_counted: number };

/**
 * The first groups of a query in an order, each beside itself in the earlier period, asked in one statement. A page past
 * the end has no rows and still tells the totals, over all groups and zeros for metrics that this was not asked for; groups
 * that only the earlier period has are in `earlierTotals` alone.
 */
export async function runCompared(deps: RunDeps, query: ReportQuery, earlier: DateRange, page: ComparedPage) {
	const { totals = [], earlierTotals = [] } = page;
	const asked = { ...query, earlier };
	const folded = foldCampaign(asked, page.order);
	const [{ rows, first }, distinct, earlierDistinct] = await Promise.all([
		askPage<Found, ComparedPage>(deps, page, (part) => compileCompared({ ...folded, earlier }, part)),
		distinctTotals(deps, { ...query, metrics: totals }),
		distinctTotals(deps, { ...query, range: earlier, metrics: earlierTotals }),
	]);
	const isWhole = query.dimensions.length === 0;
	return {
		rows: comparedRows(query, folded === asked ? rows : rows.map(unfoldCampaign)),
		totalRows: isWhole ? 1 : (first?.total_rows ?? 0),
		totals: { ...named(query.metrics, "total_", first), ...distinct },
		earlierTotals: { ...named([...query.metrics, ...earlierTotals], "total_earlier_", first), ...earlierDistinct },
	};
}

/** All groups of two periods, asked in one statement: those of today, and those of the earlier period. */
export async function runBothPeriods(deps: RunDeps, query: ReportQuery, earlier: DateRange) {
	const compiled = compileCompared({ ...query, earlier }, { order: [] });
	const rows = await ask<Found>(deps, compiled);
	return {
		rows: rows.filter((row) => row.is_counted === 1),
		earlierRows: rows.map((row) => ({ ...row, ...named(query.metrics, "earlier_", row) })),
	};
}

/** The groups with most of a metric in either of two periods, each with its sums in both, asked in one statement. */
export async function runLargest<M extends Metric>(
	deps: RunDeps,
	query: ReportQuery<M>,
	earlier: DateRange,
	{ by, limit }: { readonly by: M; readonly limit: number },
) {
	const rows = await ask<ReportRow<M>>(deps, compileCompared({ ...query, earlier }, { order: [], largest: by, limit }));
	return rows.map((row) => ({ row, earlier: named(query.metrics, "earlier_", row) }));
}

/** A reader on a slow line holds the query open while it takes the rows, and the engine counts that time too. */
const MAX_SECONDS = 300;
/** Limit until the first rows, as for any other report. */
const FIRST_ROWS_MS = 30_000;

/** Dependencies of reading in batches. */
interface StreamDeps extends RunDeps {
	readonly clock: Clock;
}

/** Rows of a statement in batches. Throws `gateway_timeout` when the first rows take too long. */
async function* streamRows<Row extends object>(
	{ eventStore, clock }: StreamDeps,
	statement: Statement,
): AsyncGenerator<readonly Row[]> {
	const tooSlow = new AbortController();
	const cancel = clock.after(FIRST_ROWS_MS, () => tooSlow.abort(new ServiceError("gateway_timeout")));
	try {
		const batches = eventStore.stream<Row>({
			...statement,
			settings: { ...statement.settings, max_execution_time: MAX_SECONDS },
			signal: tooSlow.signal,
		});
		for await (const rows of batches) {
			cancel();
			yield rows;
		}
	} finally {
		cancel();
	}
}

/** One sorted page of groups in batches, for pages too long to be held in memory. Throws as `streamRows`. */
export const streamPage = (deps: StreamDeps, query: ReportQuery, page: PageRequest) =>
	streamRows<ReportRow>(deps, compilePage(query, page));

/** The same, each group beside itself in an earlier period. */
export async function* streamCompared(
	deps: StreamDeps,
	query: ReportQuery,
	earlier: DateRange,
	page: PageRequest,
): AsyncGenerator<readonly ComparedRow[]> {
	const compiled = compileCompared({ ...query, earlier }, page);
	for await (const rows of streamRows<Found>(deps, compiled)) yield comparedRows(query, rows);
}
