import { runPage } from "../../../analytics/query/engine/run.ts";
import { runCompared } from "../../../analytics/query/engine/run-compared.ts";
import { baselineStart } from "../../../analytics/query/reports/baseline-start.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { OpenQuery } from "./parse.ts";
import { presentComparedDays, presentComparison, presentQuery } from "./present.ts";

/**
 * One page of a query; with `compare` also the same page of the earlier period, asked at the same time, or the earlier
 * numbers of each row, asked in the same statement.
 */
export async function runQuery(deps: { readonly eventStore: EventStore }, query: OpenQuery) {
	const { question, page, comparison, isJoined } = query;
	const beginning = baselineStart(deps, {
		sites: [question.site],
		earlier: comparison?.range,
		conditions: question.conditions,
	});
	if (comparison && isJoined) {
		const [found, began] = await Promise.all([runCompared(deps, question, comparison.range, page), beginning]);
		return { ...presentQuery(query, found, began), comparison_meta: presentComparedDays(comparison) };
	}
	const [current, earlier, began] = await Promise.all([
		runPage(deps, question, page),
		comparison && runPage(deps, { ...question, range: comparison.range }, page),
		beginning,
	]);
	const rows = current.rows.map((row) => ({ row }));
	return {
		...presentQuery(query, { ...current, rows }, began),
		...(comparison && earlier && presentComparison(query, comparison, earlier)),
	};
}
