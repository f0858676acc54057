import fc from "fast-check";
import { days, type OracleSite, paths, propertyNames, some, texts } from "./oracle-data.ts";
import { type Days, shift } from "./oracle-dates.ts";
import {
	type Asked,
	type AskedField,
	isProperty,
	type PartOperator,
	type PropertyField,
	type ReportName,
} from "./oracle-request.ts";
import { isList, listNames, type OracleShape, seriesNames, shapeOf } from "./oracle-shapes.ts";

/** Texts that a request may hold: blanks at the ends of others are lost on the way. */
const sent = texts.filter((text) => text === text.trim());

const labelValues: Readonly<Record<Exclude<AskedField, PropertyField>, fc.Arbitrary<string>>> = {
	path: some(...paths),
	content_grouping: some("", "blog", "shop"),
	landing_page: some(...paths),
	referrer: some("", "google.com", "bücher.example"),
	referrer_domain: some("", "google.com", "t.co"),
	utm_source: some(...sent),
	utm_medium: some("organic", "cpc", ""),
	utm_campaign: some(...sent),
	utm_term: some("", "shoes"),
	utm_content: some("", "banner", "Banner"),
	country: some("es", "US", "unknown"),
	device_type: some("MOBILE", "desktop"),
	browser: some("Chrome", "safari"),
	os: some("Windows", "iOS"),
	channel: some("", "Direct", "direct"),
	channel_group: some("Organic Search", "Direct"),
	conversion_type: some("404", "google", "", "purchase", "sign up", "CAFÉ"),
	hour: fc.integer({ min: 0, max: 23 }).map(String),
	day_of_week: fc.integer({ min: 1, max: 7 }).map(String),
};

const propertyValues = some(...sent, "a", "b");

/** Values that a field is compared with as a whole. */
export const wholeValues = (field: AskedField) => (isProperty(field) ? propertyValues : labelValues[field]);

const properties = propertyNames.map((name): PropertyField => `property.${name}`);
export const fields = [...(Object.keys(labelValues) as AskedField[]), ...properties];
export const isNumber = (field: string) => field === "hour" || field === "day_of_week";

const parts = some("o", "%_", "\\", "'", "é", ",", "/", "");
const patterns = some("^g", "e$", "o+", "e.b", "[0-9]{2,}", "^$", "(a|é)");
/** Parts that values are searched for, by operator. */
export const partValues: Readonly<Record<PartOperator, fc.Arbitrary<string>>> = {
	contains: parts,
	not_contains: parts,
	starts_with: some("/b", "g", "", "4", "%"),
	ends_with: some("e", "/", "", "É", "ing"),
	regex: patterns,
	not_regex: patterns,
};

export const partOperators = Object.keys(partValues) as PartOperator[];

function comparing<Whole extends string>(...whole: readonly Whole[]) {
	return fc.constantFrom(...fields).chain((field) => {
		const one = fc.record({ operator: fc.constantFrom(...whole), values: wholeValues(field).map((value) => [value]) });
		const list = fc.record({
			operator: fc.constantFrom("in" as const, "not_in" as const),
			values: fc.array(wholeValues(field), { minLength: 1, maxLength: 3 }),
		});
		const part = fc
			.constantFrom(...partOperators)
			.chain((operator) => partValues[operator].map((value) => ({ operator, values: [value] })));
		const drawn = isNumber(field) ? fc.oneof(one, list) : fc.oneof(one, list, part);
		return drawn.map((rest) => ({ field, ...rest }));
	});
}

const advancedFilters = comparing("eq", "ne", "neq");

const condition = comparing("eq", "neq").map(({ field, operator, values }) => ({
	field,
	operator,
	value: operator === "in" || operator === "not_in" ? values : (values[0] ?? ""),
}));

const conditions = fc.array(condition, { maxLength: 2 });
const groups = fc.array(fc.record({ conditions }), { maxLength: 2 });

export const writtenSegments = fc.record({ conditions, groups, not_groups: groups });

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const periods = [
	..."today yesterday 7d 30d 90d 12m this_week last_week this_month last_month this_quarter".split(" "),
	..."last_quarter this_year last_year wtd mtd qtd ytd".split(" "),
];

const dates = fc.oneof(
	some(...periods).map((period) => ({ period })),
	fc
		.record({ day: some(...days), before: fc.nat({ max: 400 }) })
		.map(({ day, before }) => ({ start: shift(day, -before), end: day })),
	some(...days).map((day) => ({ start: day, end: day })),
	some("2026-11-15", "2026-11-20").map((start) => ({ start })),
	some(...days).map((end) => ({ end })),
	fc.constant({}),
);

/** Days anywhere, also after those that are compared with them, and over them. */
export const customDays = fc
	.record({ day: some(...days), length: fc.constantFrom(1, 1, 2, 30, 92, 93, 400, 730) })
	.map(({ day, length }): Days => [shift(day, 1 - length), day]);

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

const oneOf = <const T>(...choices: readonly T[]) => fc.constantFrom(...choices);

const segmentFilter = fc.oneof(
	fc.subarray(["ES", "DE", "Unknown"], { minLength: 1 }).map((values) => {
		return { dimension: "country", operator: "in", values } as const;
	}),
	some("mobile", "desktop").map((value) => ({ dimension: "device_type", operator: "ne", values: [value] }) as const),
	fc.record({
		dimension: oneOf("path", "content_grouping", "utm_source", "referrer_domain"),
		operator: oneOf("contains", "not_contains", "eq", "ne"),
		values: some("o", "/", "blog", "").map((value) => [value]),
	}),
);

const savedSegments = fc.record({
	all: fc.array(
		fc.oneof(
			segmentFilter,
			fc.array(segmentFilter, { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
			segmentFilter.map((not) => ({ not })),
		),
		{ maxLength: 3 },
	),
});

/** What a report that is no list has of a shape. */
const none: Partial<OracleShape> & Pick<OracleShape, "takes" | "sorts"> = { takes: [], sorts: [] };
const shapeFor = (report: ReportName) => (isList(report) ? shapeOf(report) : none);

const single = (chosen: Asked["parameters"]): Asked["parameters"] =>
	Object.fromEntries(Object.entries(chosen).map(([name, given]) => [name, given.slice(0, 1)]));

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

export function requestTo(report: ReportName, site: OracleSite): fc.Arbitrary<Asked> {
	const shape = shapeFor(report);
	const isPage = shape.form === "page";
	return fc
		.record({
			dates,
			compare: report === "type" || report === "types" ? fc.constant(undefined) : optional(comparison),
			elapsed: fc.boolean(),
			parameters: rare(parameters, {}),
			own: rare(ownParameters(shape), {}),
			filters: rare(fc.array(advancedFilters, { maxLength: 3 }), []),
			segment: optional(savedSegments),
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
			page: isPage ? fc.constantFrom(1, 1, 2, 3, 7) : fc.constant(1),
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
			parameters: shape.singleValues ? single({ ...asked.parameters, ...own }) : { ...asked.parameters, ...own },
			report,
			site: site.id,
			timezone: site.timezone,
		}));
}

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
	elapsed: false,
	parameters: {},
	filters: [],
	padding: "",
	...(report === "overview" && { granularity: "daily" }),
	page: 1,
	...(shapeFor(report).form === "page" && { pageSize: 100 }),
	includeTotals: true,
	include: [],
	figures: [],
	includeUtm: true,
	type: "404",
});
