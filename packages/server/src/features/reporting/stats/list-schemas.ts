import { type Static, type TInteger, type TOptional, type TProperties, type TSchema, Type } from "typebox";
import { OneOf, Page, paging, Success } from "../../../platform/http/schemas.ts";
import {
	addableFigures,
	commonParameters,
	explainParameter,
	extraDimensions,
	type Includable,
	includable,
	included,
	ownParameters,
	singleValueParameters,
} from "./parameters.ts";
import { PageMeta } from "./report-route.ts";
import type { ListReport, RowShape, TopReport } from "./reports.ts";

const { search, totals, contentGroup, pathFilter, figures, columns, landingPage, conversionType } = ownParameters;
const everyOwnParameter = {
	...search,
	...totals,
	...contentGroup,
	...pathFilter,
	...figures,
	...columns,
	...landingPage,
	...conversionType,
};

// Typed as if a report took all of them: all are optional in a request.
const ownOf = ({ takes = [], key }: RowShape): typeof everyOwnParameter =>
	Object.assign(
		{},
		...takes.map((name) => ownParameters[name]),
		takes.some((name) => name === "columns" || name === "figures") && { include: included(addableFigures(key)) },
	);

const sorting = ({ sortBy }: RowShape) => ({
	sort_by: Type.Optional(OneOf([...sortBy], { default: sortBy[0] })),
	sort_order: Type.Optional(OneOf(["asc", "desc"], { default: "desc" })),
});

export const ListQuery = (report: ListReport) =>
	Type.Object({
		...commonParameters,
		...paging({ pageSize: report.pageSize.default, max: report.pageSize.max }),
		...sorting(report),
		...ownOf(report),
		...explainParameter,
	});

/** A validated query of any paginated report; parameters that a report lacks are ignored. */
export type ListQuery = Static<ReturnType<typeof ListQuery>>;

// Typed as if every such report had a limit.
const limitOf = ({ limit }: TopReport): { limit: TOptional<TInteger> } =>
	limit === undefined
		? Object.create(null)
		: { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limit.max, default: limit.default })) };

export const TopQuery = (report: TopReport) =>
	Type.Object({
		...(report.singleValues ? singleValueParameters : commonParameters),
		...sorting(report),
		...ownOf(report),
		...limitOf(report),
		...explainParameter,
	});

export type TopQuery = Static<ReturnType<typeof TopQuery>>;

const fields = <S extends TProperties[string]>(names: readonly string[], schema: S) =>
	Object.fromEntries(names.map((name) => [name, schema]));

export const Numbers = (shown: object) => fields(Object.keys(shown), Type.Number());

/** Numbers that a request may add, in a row or in a sum of rows. */
const Added = ({ takes = [], key }: RowShape) =>
	takes.includes("columns") || takes.includes("figures")
		? fields(addableFigures(key), Type.Optional(Type.Number({ description: "Only with `include`" })))
		: {};

/** A row of a report; one that is compared has its earlier numbers too. */
export const Row = (shape: RowShape, isCompared = false) => {
	const { takes = [] } = shape;
	const added = takes.includes("columns") ? extraDimensions(true, Object.keys(includable) as Includable[]) : [];
	const shown = [...Object.keys(shape.columns), ...Object.keys(Added(shape)), ...(shape.share ? ["percentage"] : [])];
	const earlier = shown.map((field) => `${field}_prev`);
	return Type.Object({
		...fields(Object.keys(shape.key), Type.String()),
		...(takes.includes("contentGroup") && {
			content_grouping: Type.Optional(Type.String({ description: "Not with `include_content_group=false`" })),
		}),
		...(shape.named && { [shape.named.field]: Type.String() }),
		...Numbers(shape.columns),
		...Added(shape),
		...(shape.share && { percentage: Type.Number({ description: "Share of all entrances" }) }),
		...(isCompared && fields(earlier, Type.Optional(Type.Number({ description: "Only with `compare`" })))),
		...fields(added, Type.Optional(Type.String())),
	});
};

const ListRow = (report: ListReport) => {
	const lists = (report.nested ?? []).map((list) => {
		const part = Type.Object({
			...fields(Object.keys(list.key), Type.String()),
			...Numbers(list.columns),
			percentage: Type.Number({ description: "Share of the row" }),
		});
		return [list.field, Type.Array(part, { maxItems: 100 })];
	});
	return Type.Object({ ...Row(report, true).properties, ...Object.fromEntries(lists) });
};

export const ListAnswer = (report: ListReport): TSchema =>
	Type.Object({
		...Page(ListRow(report)).properties,
		comparison: Type.Optional(
			Type.Object(
				{ ...Numbers(report.comparison ?? report.columns), ...Added(report) },
				{ description: "Only with `compare`" },
			),
		),
		...(report.takes?.includes("totals") && {
			totals: Type.Optional(
				Type.Object({ ...Numbers(report.columns), ...Added(report) }, { description: "Only with `include_totals`" }),
			),
		}),
		meta: Type.Optional(PageMeta),
	});

export const TopAnswer = (report: TopReport): TSchema => {
	const row = Type.Object({
		...Row(report, true).properties,
		...(report.unique && { [report.unique.field]: Type.Integer() }),
	});
	return Success(Type.Array(row));
};
