import { type Static, Type } from "typebox";
import { percentage } from "../../../analytics/catalog/rates.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import { ofVisits } from "../../../analytics/query/question/reading.ts";
import {
	type ExitCounts,
	type ExitRow,
	exitOrders,
	runExitPages,
} from "../../../analytics/query/reports/exit-pages.ts";
import { baselineStart } from "../../../analytics/query/reports/site-days.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { pageOf } from "../../../platform/http/envelope.ts";
import { OneOf, Page, paging } from "../../../platform/http/schemas.ts";
import { commonParameters, explainParameter, ownParameters } from "./parameters.ts";
import { parseRequest, type StatsDeps, type StatsSite } from "./parse.ts";
import { explained, PageMeta, pageMeta, sharedRoute } from "./report-route.ts";

const ExitPagesQuery = Type.Object({
	...commonParameters,
	...paging({ pageSize: 50, max: 1000 }),
	sort_by: Type.Optional(OneOf([...exitOrders], { default: exitOrders[0] })),
	sort_order: Type.Optional(OneOf(["asc", "desc"], { default: "desc" })),
	...ownParameters.search,
	...ownParameters.totals,
	...explainParameter,
});
type ExitPagesQuery = Static<typeof ExitPagesQuery>;

const numbers = {
	exits: Type.Integer({ description: "Visits whose last page view this was" }),
	exit_rate: Type.Number({ description: "Exits as a share of the page views, 0-100" }),
	page_views: Type.Integer({ description: "Page views of visits" }),
};

const earlier = {
	exits_prev: Type.Optional(Type.Integer({ description: "Only with `compare`" })),
	exit_rate_prev: Type.Optional(Type.Number({ description: "Only with `compare`" })),
	page_views_prev: Type.Optional(Type.Integer({ description: "Only with `compare`" })),
};

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
async function exitPages(deps: StatsDeps, site: StatsSite, query: ExitPagesQuery) {
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
		baselineStart(deps, { ...request, comparison }),
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

export function registerExitPages(app: App, deps: StatsDeps): void {
	addRoute(app, "GET /stats/exit-pages", {
		...sharedRoute("exit_pages"),
		summary: "Exit pages: the last pages of visits",
		querystring: ExitPagesQuery,
		answer: Type.Object({
			...Page(Type.Object({ path: Type.String(), ...numbers, ...earlier })).properties,
			comparison: Type.Optional(Type.Object(numbers, { description: "Only with `compare`" })),
			totals: Type.Optional(Type.Object(numbers, { description: "Only with `include_totals`" })),
			meta: Type.Optional(PageMeta),
		}),
		handler: async (request) => exitPages(deps, request.site, request.query),
	});
}
