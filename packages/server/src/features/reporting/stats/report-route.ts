import { type TSchema, Type } from "typebox";
import type { Guard, ShareList } from "../../../access/index.ts";
import { currentWork } from "../../../analytics/query/engine/engine-work.ts";
import { ErrorRef, Page } from "../../../platform/http/schemas.ts";

/** The `meta` of a page; pages without anything to say have none. */
export const pageMeta = (meta: object) => (Object.keys(meta).length === 0 ? {} : { meta });

/** Field that `compare` may add to the `meta` of an answer. */
const baselineField = {
	baseline_start: Type.Optional(
		Type.String({
			format: "date",
			description: "Only with `compare`, where the comparison period starts before it: the site's first day with data",
		}),
	),
};

/** The `meta` of a report that has no comparison, where one is asked for. */
export const notCompared = ({ compare }: { readonly compare?: string }) =>
	compare === undefined ? {} : { comparison: null };

/** A page of single rows: the comparison period has only their number. */
export const CountedPage = <T extends TSchema>(row: T) =>
	Type.Object({
		...Page(row).properties,
		comparison: Type.Optional(
			Type.Object(
				{ total: Type.Integer({ description: "Rows of the comparison period" }) },
				{ description: "Only with `compare`" },
			),
		),
		meta: Type.Optional(Type.Object(baselineField)),
	});

/** Addition of `explain` to the `meta` of an answer. */
const Explanation = Type.Object(
	{
		sql: Type.String({
			description:
				"The SQL statements with placeholders for values; several are separated by a semicolon and an empty line",
		}),
		engine_ms: Type.Number({ description: "Milliseconds of the engine; 0 for a cached result" }),
	},
	{ description: "Only with `explain`" },
);

export const PageMeta = Type.Object({ ...baselineField, ...Type.Partial(Explanation).properties });

/** How the answer to the request at hand was made, where it asks for that. */
export function explained({ explain = false }: { readonly explain?: boolean }) {
	const work = currentWork();
	if (!explain || work === undefined) return {};
	return { sql: work.sql.join(";\n\n"), engine_ms: Math.round(work.ms * 10) / 10 };
}

/** Reports of one site: any role, a key with `stats:read`, or an app. */
export const readingReports: Extract<Guard, { kind: "site" }> = {
	kind: "site",
	siteFrom: "query",
	keyScope: "stats:read",
	oauth: "admitted",
	role: "viewer",
	write: false,
};

/** The errors of a report beside those of its guard and its schemas. */
export const errors = { 400: { description: "`bad_request`", ...ErrorRef } };

/** Parts that the routes of all reports of one site share. */
export const reportRoute = { tags: ["Stats"], guard: readingReports, errors };

/** The same, for readers of a shared link that shows this too. */
export const sharedRoute = (share: "overview" | ShareList) => ({
	...reportRoute,
	guard: { ...readingReports, share } satisfies Guard,
});
