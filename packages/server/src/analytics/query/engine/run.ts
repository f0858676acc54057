import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { StoreFailure } from "../../../platform/event-store/store-error.ts";
import type { Dimension } from "../../catalog/dimensions.ts";
import { distinctOf, type Metric } from "../../catalog/metrics.ts";
import { refusedExpression } from "../question/bad-question.ts";
import type { Order, PageRequest, ReportQuery, ReportRow, TopRequest } from "../question/report-query.ts";
import { compilePage, compileReport, compileTop, compileUnique, type Statement } from "./compile.ts";
import { noted } from "./engine-work.ts";
import { foldCampaign, unfoldCampaign } from "./fold-campaign.ts";

/** Dependencies of running a report. */
export interface RunDeps {
	readonly eventStore: EventStore;
}

/** One page of groups, and the number of all groups. */
export interface ReportPage<M extends Metric = Metric> {
	readonly rows: readonly ReportRow<M>[];
	readonly totalRows: number;
	/** Sums over all groups; zeros for metrics that this was not asked for. */
	readonly totals: Readonly<Record<M, number>>;
}

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

/** All groups of a query. Throws `BadQuestion` for an expression that the engine refuses. */
export async function runReport<M extends Metric>(deps: RunDeps, query: ReportQuery<M>): Promise<ReportRow<M>[]> {
	const folded = foldCampaign(query, []);
	const rows = await ask<ReportRow<M>>(deps, compileReport(folded));
	return folded === query ? rows : rows.map(unfoldCampaign);
}

/** The first groups of a query in an order. */
export function runTop<M extends Metric>(
	deps: RunDeps,
	query: ReportQuery<M>,
	top: TopRequest,
): Promise<ReportRow<M>[]> {
	return ask<ReportRow<M>>(deps, compileTop(query, top));
}

/** All groups of a query in an order, each with the number of values that one more dimension has in it. */
export function runUnique<M extends Metric>(
	deps: RunDeps,
	query: ReportQuery<M>,
	counted: Dimension,
	order: readonly Order[],
): Promise<(ReportRow<M> & { readonly unique_values: number })[]> {
	return ask(deps, compileUnique(query, counted, order));
}

/** The sums of a query over everything, whatever its dimensions. */
export async function runTotals<M extends Metric>(
	deps: RunDeps,
	query: ReportQuery<M>,
): Promise<Readonly<Record<M, number>>> {
	const [row] = await runReport(deps, { ...query, dimensions: [] });
	return row ?? named(query.metrics, "");
}

/** The totals of those metrics that do not add up: somebody may be in several groups, and the sum of them would count too many. */
export async function distinctTotals<M extends Metric>(
	deps: RunDeps,
	query: ReportQuery<M>,
): Promise<Partial<Readonly<Record<M, number>>>> {
	const distinct = distinctOf(query.metrics);
	if (distinct.length === 0) return {};
	const totals = await runTotals(deps, { ...query, metrics: distinct });
	return Object.fromEntries(distinct.map((name) => [name, totals[name]])) as Partial<Record<M, number>>;
}

type PageRow<M extends Metric> = ReportRow<M> & Readonly<Record<"total_rows", number>>;

/** One sorted page of groups. A page past the end has no rows and still tells the totals. */
export async function runPage<M extends Metric>(
	deps: RunDeps,
	query: ReportQuery<M>,
	page: PageRequest,
): Promise<ReportPage<M>> {
	const folded = foldCampaign(query, page.order);
	const [found, distinct] = await Promise.all([
		ask<PageRow<M>>(deps, compilePage(folded, page)),
		distinctTotals(deps, { ...query, metrics: page.totals }),
	]);
	const rows = folded === query ? found : found.map(unfoldCampaign);
	const [first] = rows;
	if (first === undefined && page.offset > 0) {
		return { ...(await runPage(deps, query, { ...page, offset: 0, limit: 1 })), rows: [] };
	}
	return { rows, totalRows: first?.total_rows ?? 0, totals: { ...named(query.metrics, "total_", first), ...distinct } };
}

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
