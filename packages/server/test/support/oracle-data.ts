import fc from "fast-check";
import { counts, type Fact, wallClock } from "./oracle-facts.ts";

/** Just after midnight in Auckland, still the day before in Los Angeles. */
export const NOW = Date.parse("2026-11-21T11:30:00Z");

/** Zones on both sides of midnight, a half-hour one, and UTC. */
export const zones = ["Pacific/Auckland", "America/Los_Angeles", "Asia/Kolkata", "Europe/Madrid", "UTC"];

/** Days around NOW, a leap day, clock changes of the zones above, and the same a year before. */
export const days = [
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

/** Texts that quoting, escaping or type guessing would spoil. */
export const texts = [
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
	"a%2Cb",
	"a%257cb",
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

/** Pages whose paths hold special characters. */
export const paths = [
	"/",
	"/404",
	"/blog/ñandú",
	"/50%_off",
	"/50x1off",
	"/a,b|c",
	"/a%2Cb%7Cc",
	"/x'y\\z",
	"/blog/",
	"//",
	"/A",
	"/a",
];

const some = (...choices: string[]) => fc.constantFrom(...choices);

/** As labels they are stored: NUL is not part of one. */
const labelTexts = texts.map((text) => text.replaceAll("\0", ""));

/** Random labels of a fact. */
export const labels = fc.record({
	path: some(...paths),
	content_grouping: some("", "blog", "shop"),
	landing_page: some(...paths),
	landing_content_grouping: some("", "blog", "shop"),
	referrer_domain: some("", "google.com", "bücher.example", "t.co"),
	utm_source: some(...labelTexts),
	utm_medium: some("organic", "cpc", "(none)", ""),
	utm_campaign: some(...labelTexts),
	utm_term: some("", "shoes"),
	utm_content: some("", "banner"),
	country: some("ES", "DE", "US", "Unknown"),
	device_type: fc.constantFrom("desktop", "mobile", "tablet"),
	browser: some("Chrome", "Safari", "Unknown"),
	os: some("Windows", "iOS"),
	channel_group: some("Organic Search", "Direct", ""),
});

/** Halves and thirds of the last place that averages show, its neighbours, and both ends, in ten-thousandths. */
const oddAmounts = [
	0, 1, -1, 25, 49, 50, 51, -50, 3333, 5000, 9999, 10_001, 15_050, 9_999_999_999_999, -10_000_000_000_000,
];

/** Random amounts in ten-thousandths. */
export const amounts = fc.oneof(fc.integer({ min: -500_000, max: 90_000_000 }), fc.constantFrom(...oddAmounts));

const kinds = fc.oneof(
	fc.record({ kind: fc.constant("pageview"), entrances: fc.constantFrom(0, 1) }).map(({ entrances }) => ({
		kind: "pageview" as const,
		counts: counts({ page_views: 1, entrances }),
	})),
	fc.constant({ kind: "engaged" as const, counts: counts({ engaged_entrances: 1 }) }),
	amounts.map((revenue) => ({
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
	// Few visitors, some with several visits.
	visitor: fc.constantFrom(1n, 2n, 3n, 2n ** 46n, 2n ** 47n - 1n),
	second: fc.bigInt({ min: 0n, max: 86_399n }),
	seconds: fc.nat({ max: 1800 }),
	text: some(...labelTexts),
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
		const facts = drawn.parts.flatMap((part, index): Fact[] => {
			const site = own[part.siteIndex];
			if (site === undefined) return [];
			return [
				{
					site: site.id,
					at: part.at,
					...wallClock(part.at, site.timezone),
					// A separate visit: hits that are years apart never belong to one visit.
					session: String(part.visitor * 131_072n + BigInt(index) * 719n + (part.second % 719n)),
					kind: part.event.kind,
					labels: part.labels,
					clid: part.text,
					event_type: part.text,
					properties: part.properties,
					rejoined: false,
					counts: {
						...part.event.counts,
						visit_seconds: ["engaged", "item"].includes(part.event.kind) ? 0 : part.seconds,
					},
				},
			];
		});
		return { sites: own, facts };
	});

/** Data sets, each with eight to twelve requests about its sites. */
export const withRequests = <Data extends { readonly sites: readonly OracleSite[] }, Request>(
	sets: fc.Arbitrary<Data>,
	requestsTo: (sites: readonly OracleSite[]) => fc.Arbitrary<Request>,
) =>
	sets.chain((data) =>
		fc.record({ data: fc.constant(data), requests: fc.array(requestsTo(data.sites), { minLength: 8, maxLength: 12 }) }),
	);
