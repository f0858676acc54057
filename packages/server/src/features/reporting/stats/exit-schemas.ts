import { type Static, Type } from "typebox";
import { exitOrders } from "../../../analytics/query/reports/exit-pages.ts";
import { OneOf, Page, paging } from "../../../platform/http/schemas.ts";
import { PageMeta } from "./explain.ts";
import { commonParameters, explainParameter, ownParameters } from "./parameters.ts";

/** Query of the exit pages. */
export const ExitPagesQuery = Type.Object({
	...commonParameters,
	...paging({ pageSize: 50, max: 1000 }),
	sort_by: Type.Optional(OneOf([...exitOrders], { default: exitOrders[0] })),
	sort_order: Type.Optional(OneOf(["asc", "desc"], { default: "desc" })),
	...ownParameters.search,
	...ownParameters.totals,
	...explainParameter,
});
export type ExitPagesQuery = Static<typeof ExitPagesQuery>;

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

/** Answer with the exit pages. */
export const ExitPagesAnswer = Type.Object({
	...Page(Type.Object({ path: Type.String(), ...numbers, ...earlier })).properties,
	comparison: Type.Optional(Type.Object(numbers, { description: "Only with `compare`" })),
	totals: Type.Optional(Type.Object(numbers, { description: "Only with `include_totals`" })),
	meta: Type.Optional(PageMeta),
});
