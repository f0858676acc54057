import type { Filter } from "../../../analytics/catalog/filters.ts";
import { metricsFor } from "../../../analytics/catalog/rates.ts";
import { runTop } from "../../../analytics/query/engine/run.ts";
import type { ReportQuery, ReportRow } from "../../../analytics/query/question/report-query.ts";
import type { StatsDeps } from "./deps.ts";
import { presentPart } from "./present.ts";
import type { NestedList } from "./reports.ts";

const MAX_NESTED = 100;
const MOST_AT_ONCE = 5000;

/** The lists inside rows, by field. */
export type Nested = Record<string, ReturnType<typeof presentPart>[]>;

type Parts = ReadonlyMap<ReportRow[keyof ReportRow], readonly ReportRow[]>;

async function partsOf(
	deps: StatsDeps,
	question: ReportQuery,
	list: NestedList,
	page: () => Promise<readonly ReportRow[]>,
): Promise<(row: ReportRow) => Nested[string]> {
	const [outer] = question.dimensions;
	const shown = Object.values(list.columns);
	const [first, ...others] = metricsFor(shown);
	if (outer === undefined || first === undefined) throw new Error("A list inside a row needs a key and a number");
	const inner = { ...question, dimensions: [outer, ...Object.values(list.key)], metrics: [first, ...others], shown };
	const top = { order: [{ by: first, direction: "desc" }], limit: MAX_NESTED, per: outer } as const;
	let parts = await runTop(deps, inner, { ...top, most: MOST_AT_ONCE });
	if (parts.length === MOST_AT_ONCE) {
		const values = (await page()).map((row) => String(row[outer]));
		const onPage: Filter = { dimension: outer, operator: "in", values };
		parts = await runTop(deps, { ...inner, conditions: [...inner.conditions, onPage] }, top);
	}
	const grouped: Parts = Map.groupBy(parts, (part) => part[outer]);
	return (row) => (grouped.get(row[outer]) ?? []).map((part) => presentPart(list, part, row[first]));
}

/**
 * Makes the lists inside rows; each holds its first 100 entries. They are asked beside the page, for every row that there
 * is; after it, and for its own rows, only where there are too many.
 */
export async function nestedLists(
	deps: StatsDeps,
	question: ReportQuery,
	lists: readonly NestedList[],
	page: () => Promise<readonly ReportRow[]>,
): Promise<(row: ReportRow) => Nested> {
	const parts = await Promise.all(
		lists.map(async (list) => [list.field, await partsOf(deps, question, list, page)] as const),
	);
	return (row) => Object.fromEntries(parts.map(([field, of]) => [field, of(row)]));
}
