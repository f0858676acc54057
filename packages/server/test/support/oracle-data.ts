import fc from "fast-check";
import { type Counts, counts, type Fact, wallClock } from "./oracle-facts.ts";
import type { Asked, AskedFilter } from "./oracle-request.ts";

/** Just after midnight in Auckland, still the day before in Los Angeles. */
export const NOW = Date.parse("2026-11-21T11:30:00Z");

const HOUR = 3_600_000;

/** Zones on both sides of midnight, a half-hour one, and UTC. */
export const zones = ["Pacific/Auckland", "America/Los_Angeles", "Asia/Kolkata", "Europe/Madrid", "UTC"];

// Days around NOW, a leap day, clock changes of the zones above, and the same a year before.
const days = [
	"2024-02-29",
	"2025-03-30",
	"2025-11-02",
	"2025-11-20",
	"2025-11-21",
	"2026-03-08",
	"2026-03-29",
	"2026-04-05",
	"2026-09-27",
	"2026-10-25",
	"2026-11-01",
	"2026-11-15",
	"2026-11-20",
	"2026-11-21",
	"2026-11-22",
];

// Texts that quoting, escaping or type guessing would spoil.
const texts = [
	"google",
	"Google",
	"(direct)",
	"",
	"404",
	"1e3",
	"true",
	"null",
	"NULL",
	"\\N",
	"2026-01-01",
	"a,b",
	"a|b",
	"a:b",
	"50%_off",
	"50x1off",
	'it\'s "quoted"',
	"tab\there",
	"line\nbreak",
	"back\\slash",
	"nul\0byte",
	"{site:String}",
	"café",
	"CAFÉ",
	"日本語",
	"👍🏽",
];

const paths = ["/", "/404", "/blog/ñandú", "/50%_off", "/50x1off", "/a,b|c", "/x'y\\z", "/blog/", "//", "/A", "/a"];

const some = (...choices: string[]) => fc.constantFrom(...choices);

const labels = fc.record({
	path: some(...paths),
	content_grouping: some("", "blog", "shop"),
	landing_page: some(...paths),
	referrer_domain: some("", "google.com", "bücher.example", "t.co"),
	utm_source: some(...texts),
	utm_medium: some("organic", "cpc", "(none)", ""),
	utm_campaign: some(...texts),
	utm_term: some("", "shoes"),
	utm_content: some("", "banner"),
	country: some("ES", "DE", "US", "Unknown"),
	device_type: fc.constantFrom("desktop", "mobile", "tablet"),
	browser: some("Chrome", "Safari", "Unknown"),
	os: some("Windows", "iOS"),
	channel_group: some("Organic Search", "Direct", ""),
});

const kinds = fc.oneof(
	fc.record({ kind: fc.constant("pageview"), entrances: fc.constantFrom(0, 1) }).map(({ entrances }) => ({
		kind: "pageview" as const,
		counts: counts({ page_views: 1, entrances }),
	})),
	fc.constant({ kind: "engaged" as const, counts: counts({ engaged_entrances: 1 }) }),
	fc.integer({ min: -500_000, max: 90_000_000 }).map((revenue) => ({
		kind: "conversion" as const,
		counts: counts({ conversions: 1, revenue }),
	})),
	fc.constant({ kind: "microconversion" as const, counts: counts({ microconversions: 1 }) }),
	fc.constant({ kind: "item" as const, counts: counts({}) }),
);

/** A site that requests ask about. */
export interface OracleSite {
	readonly id: string;
	readonly timezone: string;
}

let sites = 0;

/** A site with a name that was not used before. */
export const siteOf = (timezone: string): OracleSite => {
	sites += 1;
	return { id: `oracle-${sites}`, timezone };
};

const moment = fc
	.record({
		day: some(...days),
		minutes: fc.integer({ min: -14 * 60, max: 30 * 60 }),
		ms: fc.integer({ max: 59_999, min: 0 }),
	})
	.map(({ day, minutes, ms }) => Date.parse(`${day}T00:00:00Z`) + minutes * 60_000 + ms);

const factParts = fc.record({
	siteIndex: fc.nat({ max: 2 }),
	at: moment,
	labels,
	event: kinds,
	session: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
	text: some(...texts),
	properties: fc.dictionary(some(...texts), some(...texts), { maxKeys: 3 }),
});

/** Sites and their facts. */
export interface DataSet {
	readonly sites: readonly OracleSite[];
	readonly facts: readonly Fact[];
}

/** Random facts of three sites in different zones, around midnights, clock changes and empty days. */
export const dataSets: fc.Arbitrary<DataSet> = fc
	.record({
		zones: fc.shuffledSubarray(zones, { minLength: 3, maxLength: 3 }),
		parts: fc.array(factParts, { minLength: 0, maxLength: 120, size: "max" }),
	})
	.map((drawn) => {
		const own = drawn.zones.map(siteOf);
		const facts = drawn.parts.flatMap((part): Fact[] => {
			const site = own[part.siteIndex];
			if (site === undefined) return [];
			return [
				{
					site: site.id,
					at: part.at,
					...wallClock(part.at, site.timezone),
					session: String(part.session),
					kind: part.event.kind,
					labels: part.labels,
					clid: part.text,
					event_type: part.text,
					properties: part.properties,
					rejoined: false,
					counts: part.event.counts,
				},
			];
		});
		return { sites: own, facts };
	});

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const periods = [
	..."today yesterday 7d 30d 90d 12m this_week last_week this_month last_month this_quarter".split(" "),
	..."last_quarter this_year last_year wtd mtd qtd ytd".split(" "),
];

const dates = fc.oneof(
	some(...periods).map((period) => ({ period })),
	fc.record({ day: some(...days), before: fc.nat({ max: 400 }) }).map(({ day, before }) => ({
		start: new Date(Date.parse(`${day}T00:00:00Z`) - before * 24 * HOUR).toISOString().slice(0, 10),
		end: day,
	})),
	some(...days).map((day) => ({ start: day, end: day })),
	some("2026-11-15", "2026-11-20").map((start) => ({ start })),
	some(...days).map((end) => ({ end })),
	fc.constant({}),
);

// Characters that a query string's end would lose are left out: the server trims its texts.
const sent = texts.filter((text) => text === text.trim());

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

const wholeValues = {
	utm_source: some(...sent),
	utm_medium: some("organic", "cpc", ""),
	utm_campaign: some(...sent),
	country: some("es", "US", "unknown"),
	device_type: some("MOBILE", "desktop"),
	path: some(...paths),
	referrer: some("", "google.com", "bücher.example"),
};

const filter: fc.Arbitrary<AskedFilter> = fc
	.constantFrom(...(Object.keys(wholeValues) as AskedFilter["field"][]))
	.chain((field) =>
		fc.oneof(
			fc.record({
				field: fc.constant(field),
				operator: fc.constantFrom("eq" as const, "ne" as const),
				values: wholeValues[field].map((value) => [value]),
			}),
			fc.record({
				field: fc.constant(field),
				operator: fc.constantFrom("in" as const, "not_in" as const),
				values: values(wholeValues[field]),
			}),
			fc.record({
				field: fc.constant(field),
				operator: fc.constantFrom("contains" as const, "not_contains" as const),
				values: some("o", "%_", "\\", "'", "é", ",", "/", "").map((value) => [value]),
			}),
			fc.record({
				field: fc.constant(field),
				operator: fc.constantFrom("regex" as const, "not_regex" as const),
				values: some("^g", "e$", "o+", "e.b", "[0-9]{2,}", "^$", "(a|é)").map((value) => [value]),
			}),
		),
	);

const rare = <T>(arbitrary: fc.Arbitrary<T>, nothing: T) =>
	fc.oneof({ arbitrary: fc.constant(nothing), weight: 2 }, { arbitrary, weight: 1 });

/** A random request about one of the sites. */
export function requestsTo(sites: readonly OracleSite[]): fc.Arbitrary<Asked> {
	const sortOf = {
		overview: [],
		sources: ["entrances", "engaged_entrances", "page_views", "conversions", "revenue"],
		pages: ["page_views", "entrances"],
	} as const;
	return fc.constantFrom("overview" as const, "sources" as const, "pages" as const).chain((report) =>
		fc
			.record({
				site: fc.constantFrom(...sites),
				dates,
				compare: optional(fc.constantFrom("previous" as const, "yoy" as const)),
				parameters: rare(parameters, {}),
				filters: rare(fc.array(filter, { maxLength: 3 }), []),
				granularity: optional(fc.constantFrom("auto" as const, "hourly" as const, "daily" as const)),
				sortBy:
					report === "overview" ? fc.constant(undefined) : optional(fc.constantFrom<keyof Counts>(...sortOf[report])),
				sortOrder: optional(fc.constantFrom("asc" as const, "desc" as const)),
				page: fc.constantFrom(1, 1, 1, 2, 7),
				pageSize: fc.constantFrom(50, 3, 100, 1),
				search: optional(some("GOOG", "é", "É", "%", "\\", "a", "")),
				includeTotals: fc.boolean(),
				pathFilter: optional(some("50%_", "/", "\\", "ñ", "a")),
				include: fc.subarray(["device", "browser", "os", "channel_group"] as const),
				includeUtm: fc.boolean(),
			})
			.map(({ site, ...asked }) => ({ ...asked, report, site: site.id, timezone: site.timezone })),
	);
}
