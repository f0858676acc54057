import { runPage } from "../../../analytics/query/engine/run.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { OpenQuery } from "./parse.ts";
import { presentComparison, presentQuery } from "./present.ts";

/** One page of a query, and with `compare` the same page of the earlier period, asked at the same time. */
export async function runQuery(deps: { readonly eventStore: EventStore }, query: OpenQuery) {
	const { question, page, comparison } = query;
	const [current, earlier] = await Promise.all([
		runPage(deps, question, page),
		comparison && runPage(deps, { ...question, range: comparison.range }, page),
	]);
	return {
		...presentQuery(query, current),
		...(comparison && earlier && presentComparison(query, comparison, earlier)),
	};
}
