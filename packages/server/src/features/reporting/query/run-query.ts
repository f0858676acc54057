import { runPage } from "../../../analytics/query/engine/run.ts";
import { runCompared } from "../../../analytics/query/engine/run-compared.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { OpenQuery } from "./parse.ts";
import { presentComparedDays, presentComparison, presentQuery } from "./present.ts";

/**
 * One page of a query; with `compare` also the same page of the earlier period, asked at the same time, or the earlier
 * numbers of each row, asked in the same statement.
 */
export async function runQuery(deps: { readonly eventStore: EventStore }, query: OpenQuery) {
	const { question, page, comparison, isJoined } = query;
	if (comparison && isJoined) {
		const found = await runCompared(deps, question, comparison.range, page);
		return { ...presentQuery(query, found), comparison_meta: presentComparedDays(comparison) };
	}
	const [current, earlier] = await Promise.all([
		runPage(deps, question, page),
		comparison && runPage(deps, { ...question, range: comparison.range }, page),
	]);
	const rows = current.rows.map((row) => ({ row }));
	return {
		...presentQuery(query, { ...current, rows }),
		...(comparison && earlier && presentComparison(query, comparison, earlier)),
	};
}
