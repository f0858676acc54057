import fc from "fast-check";
import { advancedFilters, sent, writtenSegments } from "./oracle-ask-filters.ts";
import { days, type OracleSite, paths } from "./oracle-data.ts";
import type { Days } from "./oracle-dates.ts";
import type { Asked, AskedSegment, ReportName } from "./oracle-request.ts";
import { seriesNames } from "./oracle-series.ts";
import { listNames, type OracleShape, oracleShapes, shapeOf } from "./oracle-shapes.ts";

const some = (...choices: string[]) => fc.constantFrom(...choices);

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const periods = [
	..."today yesterday 7d 30d 90d 12m this_week last_week this_month last_month this_quarter".split(" "),
	..."last_quarter this_year last_year wtd mtd qtd ytd".split(" "),
];

const dates = fc.oneof(
	some(...periods).map((period) => ({ period })),
	fc.record({ day: some(...days), before: fc.nat({ max: 400 }) }).map(({ day, before }) => ({
		start: new Date(Date.parse(`${day}T00:00:00Z`) - before * 24 * 3_600_000).toISOString().slice(0, 10),
		end: day,
	})),
	some(...days).map((day) => ({ start: day, end: day })),
	some("2026-11-15", "2026-11-20").map((start) => ({ start })),
	some(...days).map((end) => ({ end })),
	fc.constant({}),
);

/** Days anywhere, also after those that are compared with them, and over them. */
export const customDays = fc
	.record({ day: some(...days), length: fc.constantFrom(1, 1, 2, 30, 92, 93, 400, 730) })
	.map(
		({ day, length }): Days => [
			new Date(Date.parse(`${day}T00:00:00Z`) - (length - 1) * 24 * 3_600_000).toISOString().slice(0, 10),
			day,
		],
	);

const comparison = fc.oneof(fc.constantFrom("previous" as const, "yoy" as const, "yoy_weekday" as const), customDays);

const values = (arbitrary: fc.Arbitrary<string>) => fc.array(arbitrary, { minLength: 1, maxLength: 3 });

const parameters = fc.record(
	{
		country: values(some("es", "DE", "unknown", "Unknown", "zz")),
		device_type: values(some("Mobile", "desktop", "tablet")),
		browser: values(some("Chrome", "Safari", "chrome")),
		channel_group: values(some("", "Direct")),
		utm_source: values(some(...sent)),
		utm_medium: values(some("organic", "cpc", "")),
		utm_campaign: values(some(...sent)),
	},
	{ requiredKeys: [] },
);

const rare = <T>(arbitrary: fc.Arbitrary<T>, nothing: T) =>
	fc.oneof({ arbitrary: fc.constant(nothing), weight: 2 }, { arbitrary, weight: 1 });

const segmentFilter = fc.oneof(
	fc.record({
		dimension: fc.constant("country" as const),
		operator: fc.constant("in" as const),
		values: fc.subarray(["ES", "DE", "Unknown"], { minLength: 1 }),
	}),
	fc.record({
		dimension: fc.constant("device_type" as const),
		operator: fc.constant("ne" as const),
		values: some("mobile", "desktop").map((value) => [value]),
	}),
	fc.record({
		dimension: fc.constantFrom(
			"path" as const,
			"content_grouping" as const,
			"utm_source" as const,
			"referrer_domain" as const,
		),
		operator: fc.constantFrom("contains" as const, "not_contains" as const, "eq" as const, "ne" as const),
		values: some("o", "/", "blog", "").map((value) => [value]),
	}),
);

const segment: fc.Arbitrary<AskedSegment> = fc.record({
	all: fc.array(
		fc.oneof(
			segmentFilter,
			fc.array(segmentFilter, { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
			segmentFilter.map((not) => ({ not })),
		),
		{ maxLength: 3 },
	),
});

const none: Pick<OracleShape, "takes" | "sorts" | "form"> = { takes: [], sorts: [], form: "all" };

const single = (chosen: Asked["parameters"], shape: Partial<OracleShape>): Asked["parameters"] =>
	shape.singleValues
		? Object.fromEntries(Object.entries(chosen).map(([name, given]) => [name, given.slice(0, 1)]))
		: chosen;

const reports: readonly ReportName[] = ["overview", "overview", "devices", "type", "types", ...listNames];

/** Parameters that only some reports take. */
function ownParameters({ takes }: Pick<OracleShape, "takes">) {
	const kinds = {
		...(takes.includes("group") && { content_grouping: values(some("blog", "", "shop")) }),
		...(takes.includes("landingPage") && { landing_page: values(some(...paths)) }),
		...(takes.includes("type") && { conversion_type: values(some(...sent)) }),
	};
	return fc.record(kinds, { requiredKeys: [] });
}

const granularities = ["auto", "hourly", "daily", "weekly", "monthly"] as const;

const when = <T>(wanted: boolean, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
	wanted ? optional(arbitrary) : fc.constant(undefined);

/** A random request for a report of a site. */
export function requestTo(report: ReportName, site: OracleSite): fc.Arbitrary<Asked> {
	const shape: typeof none & Partial<OracleShape> =
		report in oracleShapes ? shapeOf(report as keyof typeof oracleShapes) : none;
	const isPage = shape.form === "page";
	return fc
		.record({
			dates,
			compare: report === "type" || report === "types" ? fc.constant(undefined) : optional(comparison),
			elapsed: fc.boolean(),
			parameters: rare(parameters, {}),
			own: rare(ownParameters(shape), {}),
			filters: rare(fc.array(advancedFilters, { maxLength: 3 }), []),
			segment: optional(segment),
			written: rare(optional(writtenSegments), undefined),
			imports: optional(fc.constantFrom("include" as const, "exclude" as const)),
			padding: rare(some(" ", "\t", " \u00a0"), ""),
			granularity: when(report === "overview", fc.constantFrom(...granularities)),
			series: when(
				report === "overview",
				fc.subarray([...seriesNames, "bounce_rate", "conversion_rate"], { minLength: 1 }),
			),
			sortBy: when(shape.sorts.length > 0, some(...(shape.sorts.length > 0 ? shape.sorts : [""]))),
			sortOrder: when(shape.sorts.length > 0, fc.constantFrom("asc" as const, "desc" as const)),
			page: isPage ? fc.constantFrom(1, 1, 1, 2, 7) : fc.constant(1),
			pageSize: when(isPage, fc.constantFrom(50, 3, 100, 1)),
			limit: when(shape.form === "top", fc.constantFrom(1, 5, 50)),
			search: optional(some("GOOG", "é", "É", "%", "\\", "a", "")),
			includeTotals: fc.boolean(),
			pathFilter: when(shape.takes.includes("pathFilter"), some("50%_", "/", "\\", "ñ", "a")),
			include: fc.subarray(["device", "browser", "os", "channel_group"] as const),
			// Visits last, pages do not.
			figures: fc.subarray<Asked["figures"][number]>(
				shape.path === "path" ? ["visitors"] : ["visitors", "visit_duration"],
			),
			includeUtm: fc.boolean(),
			type: some(...sent.filter((text) => text !== "")),
		})
		.map(({ own, ...asked }) => ({
			...asked,
			parameters: single({ ...asked.parameters, ...own }, shape),
			report,
			site: site.id,
			timezone: site.timezone,
		}));
}

/** A random request about one of the sites. */
export function requestsTo(sites: readonly OracleSite[]): fc.Arbitrary<Asked> {
	return fc
		.record({ report: fc.constantFrom(...reports), site: fc.constantFrom(...sites) })
		.chain(({ report, site }) => requestTo(report, site));
}

/** A request for a whole report without filters, from a day to the end of what the oracles draw. */
export const wholeReport = (report: ReportName, { id: site, timezone }: OracleSite, start: string): Asked => ({
	report,
	site,
	timezone,
	dates: { start, end: days.at(-1) ?? start },
	compare: undefined,
	elapsed: false,
	parameters: {},
	filters: [],
	segment: undefined,
	written: undefined,
	imports: undefined,
	padding: "",
	granularity: report === "overview" ? "daily" : undefined,
	series: undefined,
	sortBy: undefined,
	sortOrder: undefined,
	page: 1,
	pageSize: report in oracleShapes && shapeOf(report as keyof typeof oracleShapes).form === "page" ? 100 : undefined,
	limit: undefined,
	search: undefined,
	includeTotals: true,
	pathFilter: undefined,
	include: [],
	figures: [],
	includeUtm: true,
	type: "404",
});
