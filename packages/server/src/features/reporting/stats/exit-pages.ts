import { percentage } from "../../../analytics/catalog/rates.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import { ofVisits } from "../../../analytics/query/question/reading.ts";
import { baselineStart } from "../../../analytics/query/reports/baseline-start.ts";
import {
	type ExitCounts,
	type ExitRow,
	exitOrders,
	runExitPages,
} from "../../../analytics/query/reports/exit-pages.ts";
import { pageOf } from "../../../platform/http/envelope.ts";
import type { StatsDeps } from "./deps.ts";
import type { ExitPagesQuery } from "./exit-schemas.ts";
import { explained, pageMeta } from "./explain.ts";
import { parseRequest, type StatsSite } from "./parse.ts";

const numbersOf = ({ exits, page_views }: ExitCounts) => ({
	exits,
	exit_rate: percentage(exits, page_views),
	page_views,
});

function presentRow({ path, earlier, ...counts }: ExitRow, isCompared: boolean) {
	const { exits, exit_rate, page_views } = numbersOf(earlier);
	return {
		path,
		...numbersOf(counts),
		...(isCompared && { exits_prev: exits, exit_rate_prev: exit_rate, page_views_prev: page_views }),
	};
}

/** One page of the pages on which visits ended. */
export async function exitPages(deps: StatsDeps, site: StatsSite, query: ExitPagesQuery) {
	const { comparison, ...request } = await parseRequest(deps, site, query, ofVisits);
	const { page, page_size: pageSize, sort_by: by = exitOrders[0], sort_order: direction = "desc", search = "" } = query;
	const [{ rows, totalRows, totals, earlierTotals }, began] = await Promise.all([
		runExitPages(deps, {
			...request,
			...(comparison && { earlier: comparison }),
			pages: search === "" ? [] : [dimensionFilter("path", "search", [search])],
			order: { by, direction },
			limit: pageSize,
			offset: (page - 1) * pageSize,
		}),
		baselineStart(deps, { sites: [site.id], earlier: comparison, conditions: request.conditions }),
	]);
	return {
		...pageOf(
			rows.map((row) => presentRow(row, comparison !== undefined)),
			{ total: totalRows, page, pageSize },
		),
		...(comparison && { comparison: numbersOf(earlierTotals) }),
		...(query.include_totals && { totals: numbersOf(totals) }),
		...pageMeta({ ...began, ...explained(query) }),
	};
}
