import { metricsFor } from "../../../analytics/catalog/rates.ts";
import { comparedTo, runReport, runTop } from "../../../analytics/query/engine/run.ts";
import type { ComparisonMode } from "../../../analytics/query/question/date-range.ts";
import type { ReportQuery, ReportRow } from "../../../analytics/query/question/report-query.ts";
import type { StatsDeps } from "./deps.ts";
import { presentPart } from "./present.ts";
import { groupKey } from "./question.ts";
import type { NestedList } from "./reports.ts";

const MAX_NESTED = 100;

/** Finds the row of the earlier period that belongs to a row of today's. */
export async function earlierRows(
	deps: StatsDeps,
	question: ReportQuery,
	rows: readonly ReportRow[],
	comparison: ComparisonMode,
): Promise<(row: ReportRow) => ReportRow | undefined> {
	if (rows.length === 0) return () => undefined;
	const { dimensions } = question;
	const earlier = await runReport(deps, { ...comparedTo(question, comparison), groups: rows });
	const byKey = new Map(earlier.map((row) => [groupKey(row, dimensions), row]));
	return (row) => byKey.get(groupKey(row, dimensions));
}

/** The lists inside rows, by field. */
export type Nested = Record<string, ReturnType<typeof presentPart>[]>;

async function partsOf(deps: StatsDeps, question: ReportQuery, rows: readonly ReportRow[], list: NestedList) {
	const [outer] = question.dimensions;
	const [first, ...others] = metricsFor(Object.values(list.columns));
	if (outer === undefined || first === undefined) throw new Error("A list inside a row needs a key and a number");
	const parts = await runTop(
		deps,
		{
			...question,
			dimensions: [outer, ...Object.values(list.key)],
			metrics: [first, ...others],
			conditions: [
				...question.conditions,
				{ dimension: outer, operator: "in", values: rows.map((row) => String(row[outer])) },
			],
		},
		{ order: [{ by: first, direction: "desc" }], limit: MAX_NESTED, per: outer },
	);
	const grouped = Map.groupBy(parts, (part) => part[outer]);
	return (row: ReportRow) => (grouped.get(row[outer]) ?? []).map((part) => presentPart(list, part, row[first]));
}

/** Makes the lists inside the rows of a page; each holds its first 100 entries. */
export async function nestedLists(
	deps: StatsDeps,
	question: ReportQuery,
	rows: readonly ReportRow[],
	lists: readonly NestedList[],
): Promise<(row: ReportRow) => Nested> {
	if (rows.length === 0 || lists.length === 0) return () => ({});
	const parts = await Promise.all(
		lists.map(async (list) => [list.field, await partsOf(deps, question, rows, list)] as const),
	);
	return (row) => Object.fromEntries(parts.map(([field, of]) => [field, of(row)]));
}
