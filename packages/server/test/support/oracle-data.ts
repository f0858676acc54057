import fc from "fast-check";
import { UNKNOWN_HOUR } from "../../src/analytics/model/event-columns.ts";
import { counts, type Fact, wallClock } from "./oracle-facts.ts";
import { factsOfHits, type OracleHit } from "./oracle-hits.ts";
import { words } from "./words.ts";

/** What an arbitrary draws. */
export type ValueOf<Drawn> = Drawn extends fc.Arbitrary<infer Value> ? Value : never;

/** Just after midnight in Auckland, still the day before in Los Angeles. */
export const NOW = Date.parse("2026-11-21T11:30:00Z");

/** Zones on both sides of midnight, a half-hour one, and UTC. */
const zones = ["Pacific/Auckland", "America/Los_Angeles", "Asia/Kolkata", "Europe/Madrid", "UTC"];

/** Days around NOW, a leap day, clock changes of the zones above, and the same a year before. */
export const days = [
	..."2024-02-29 2025-03-30 2025-11-02 2025-11-20 2025-11-21 2026-03-08 2026-03-29 2026-04-05 2026-09-27".split(" "),
	..."2026-10-25 2026-11-01 2026-11-15 2026-11-20 2026-11-21 2026-11-22".split(" "),
];

/** Texts that quoting, escaping or type guessing would spoil. */
export const texts = [
	..."google Google (direct) 404 1e3 true null NULL \\N 2026-01-01 a,b a|b a:b a%2Cb a%257cb 50%_off 50x1off".split(
		" ",
	),
	..."back\\slash nul\0byte {site:String} café CAFÉ 日本語 👍🏽".split(" "),
	...["", 'it\'s "quoted"', "tab\there", "line\nbreak"],
];

/** Pages whose paths hold special characters. */
export const paths = "/ /404 /blog/ñandú /50%_off /50x1off /a,b|c /a%2Cb%7Cc /x'y\\z /blog/ // /A /a".split(" ");

/** Names of properties that end a field, an entry or a suffix early where they are not taken whole. */
export const propertyNames = ["plan", "sku", "a:b,c", "a%2Cb%3a", "size_not", 'it\'s "q"', "{site:String}.x\\"];

export const some = (...choices: readonly string[]) => fc.constantFrom(...choices);

/** As labels they are stored: NUL is not part of one. */
const labelTexts = texts.map((text) => text.replaceAll("\0", ""));

const labels = fc.record({
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

const amounts = fc.oneof(fc.integer({ min: -500_000, max: 90_000_000 }), fc.constantFrom(...oddAmounts));

const kinds = fc.oneof(
	fc.record({ kind: fc.constant("pageview"), entrances: fc.constantFrom(0, 1) }).map(({ entrances }) => ({
		kind: "pageview" as const,
		counts: counts({ page_views: 1, entrances }),
	})),
	fc.constant({ kind: "engaged" as const, counts: counts({ engaged_entrances: 1 }) }),
	amounts.map((revenue) => ({ kind: "conversion" as const, counts: counts({ conversions: 1, revenue }) })),
	fc.constant({ kind: "microconversion" as const, counts: counts({ microconversions: 1 }) }),
	fc.constant({ kind: "item" as const, counts: counts({}) }),
);

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
	properties: fc.dictionary(some(...texts, ...propertyNames), some(...texts), { maxKeys: 4 }),
});

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
			const { siteIndex, at, labels, event, visitor, second, seconds, text, properties } = part;
			const site = own[siteIndex];
			if (site === undefined) return [];
			const visit_seconds = ["engaged", "item"].includes(event.kind) ? 0 : seconds;
			return [
				{
					...{ site: site.id, at, ...wallClock(at, site.timezone), kind: event.kind, labels, properties },
					// A separate visit: hits that are years apart never belong to one visit.
					session: String(visitor * 131_072n + BigInt(index) * 719n + (second % 719n)),
					...{ clid: text, event_type: text, rejoined: false, counts: { ...event.counts, visit_seconds } },
				},
			];
		});
		return { sites: own, facts };
	});

const urls = words(`
	/ /404 /blog/%C3%B1 /a%2Cb /a?x=1 /offer?utm_source=newsletter&utm_medium=email&utm_campaign=50%25_off
	/offer?utm_source=google&utm_medium=cpc&utm_campaign=1e3&utm_term=a%2Cb
	/offer?utm_source=%20newsletter+&utm_medium=email%09&utm_campaign=%C2%A050%25_off /ad?gclid=one /ad?gclid=two
`);

const referrers = ["", "", "https://www.google.com/search?q=x", "https://facebook.com/", "https://blog.example/post"];

const HALF_HOUR = 30 * 60_000;

/** Amounts as numbers and texts, those that are none, too large ones, and other currencies. */
const sums = fc.oneof(
	{ weight: 3, arbitrary: amounts.map((amount) => ({ amount })) },
	amounts.map((amount) => ({ amount, amountText: ` ${(amount / 10_000).toFixed(4)}` })),
	fc.record({ amount: amounts, currency: some("EUR", "eur", "USD", "points") }),
	some("", "1e3", "5 EUR", "NaN").map((amountText) => ({ amount: 0, amountText })),
	fc.constant({ amount: 125_000, amountText: "12,50" }),
	fc.constantFrom(1e13, -1e13 - 1, 1e13 + 1).map((amount) => ({ amount })),
);

const hitParts = fc.record({
	siteIndex: fc.nat({ max: 2 }),
	visitor: some("1", "2", "3"),
	// In ms: at once, and the half hour at which a session ends with both of its neighbours.
	pause: fc.oneof(
		fc.integer({ min: 1, max: 60 }).map((steps) => steps * 7000),
		fc.integer({ min: 1, max: 4000 }).map((steps) => steps * 7000),
		fc.constantFrom(0, 1, HALF_HOUR - 1, HALF_HOUR, HALF_HOUR + 1),
	),
	url: some(...urls),
	referrer: fc.option(some(...referrers, "https://www.paypal.com/checkout"), { nil: "own", freq: 2 }),
	group: some("", "blog", " blog ", "\u00a0"),
	event: fc.option(
		fc
			.record({
				type: some("purchase", "404", "sign up", " sign up", "404\t"),
				micro: fc.boolean(),
				sum: sums,
				properties: fc.dictionary(some(...propertyNames), some("google", "404", "", "É"), { maxKeys: 2 }),
				items: fc.constantFrom([], [{ sku: "a" }, { sku: "b" }]),
			})
			.map(({ sum, ...event }) => ({ ...event, ...sum })),
		{ nil: undefined, freq: 3 },
	),
});

/** A device is a visitor's own, as the user agent is part of who a visitor is. */
const deviceOf = (visitor: string) => (visitor === "1" ? "phone" : "laptop");

/** Random hits of three sites in order of time, over midnights and a clock change. */
export const hitSets: fc.Arbitrary<{ readonly sites: readonly OracleSite[]; readonly hits: readonly OracleHit[] }> = fc
	.record({
		zones: fc.shuffledSubarray(zones, { minLength: 3, maxLength: 3 }),
		start: some("2026-10-24T18:00:00Z", "2026-11-01T02:00:00Z", "2026-11-20T18:00:00Z"),
		parts: fc.array(hitParts, { minLength: 0, maxLength: 80, size: "max" }),
	})
	.map((drawn) => {
		const own = drawn.zones.map(siteOf);
		let at = Date.parse(drawn.start);
		const hits = drawn.parts.flatMap(({ siteIndex, pause, url, referrer, event, ...part }): OracleHit[] => {
			const site = own[siteIndex];
			if (site === undefined) return [];
			at += pause;
			const host = `${site.id}.example`;
			return [
				{
					...part,
					...(event && { event: event.micro ? { ...event, amount: 0, items: [] } : event }),
					site: { ...site, hosts: [host] },
					at,
					url: `https://www.${host}${url}`,
					referrer: referrer === "own" ? `https://${host}/before` : referrer,
					country: "ES",
					device: deviceOf(part.visitor),
				},
			];
		});
		return { sites: own, hits };
	});

const importParts = fc.record({
	siteIndex: fc.nat({ max: 2 }),
	date: fc.constantFrom(...days),
	id: fc.constantFrom("import-1", "import-2"),
	labels,
	event_type: fc.constantFrom("", "404"),
	visitors: fc.nat({ max: 100_000 }),
	counts: fc.record({
		entrances: fc.nat({ max: 100_000 }),
		engaged_entrances: fc.nat({ max: 100_000 }),
		page_views: fc.nat({ max: 1_000_000 }),
		microconversions: fc.constantFrom(0, 5, 70_000),
		conversions: fc.constantFrom(0, 1, 300),
		revenue: fc.integer({ min: -1_000_000, max: 1_000_000_000 }),
		visit_seconds: fc.nat({ max: 10_000_000 }),
	}),
});

const factOf = (site: string, { id, visitors, ...part }: Omit<ValueOf<typeof importParts>, "siteIndex">): Fact => ({
	...{ site, at: Date.parse(`${part.date}T00:00:00Z`), hour: UNKNOWN_HOUR, session: "0" },
	kind: "pageview",
	...{ clid: "", properties: {}, rejoined: false, imported: { id, visitors } },
	...part,
});

/** Random facts among which some are imported: sums of a day that know neither the hour nor visits. */
export const importedSets: fc.Arbitrary<DataSet> = fc
	.record({ own: dataSets, parts: fc.array(importParts, { minLength: 1, maxLength: 20 }) })
	.map(({ own: { sites, facts }, parts }) => {
		const imported = parts.flatMap(({ siteIndex, ...part }) => {
			const site = sites[siteIndex];
			return site === undefined ? [] : [factOf(site.id, part)];
		});
		return { sites, facts: [...facts, ...imported] };
	});

export const visitSets: fc.Arbitrary<DataSet> = hitSets.map(({ sites, hits }) => ({ sites, facts: factsOfHits(hits) }));

/** Data sets, each with eight to twelve requests about its sites. */
export const withRequests = <Request>(
	sets: fc.Arbitrary<DataSet>,
	requestsTo: (sites: readonly OracleSite[]) => fc.Arbitrary<Request>,
) =>
	sets.chain((data) =>
		fc.array(requestsTo(data.sites), { minLength: 8, maxLength: 12 }).map((requests) => ({ ...data, requests })),
	);
