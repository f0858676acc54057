import fc from "fast-check";
import { amounts, type OracleSite, siteOf, zones } from "./oracle-data.ts";
import type { OracleHit } from "./oracle-hits.ts";

const some = (...choices: string[]) => fc.constantFrom(...choices);

const urls = [
	"/",
	"/404",
	"/blog/%C3%B1",
	"/a%2Cb",
	"/a?x=1",
	"/offer?utm_source=newsletter&utm_medium=email&utm_campaign=50%25_off",
	"/offer?utm_source=google&utm_medium=cpc&utm_campaign=1e3&utm_term=a%2Cb",
	"/offer?utm_source=%20newsletter+&utm_medium=email%09&utm_campaign=%C2%A050%25_off",
	"/ad?gclid=one",
	"/ad?gclid=two",
];

const referrers = ["", "", "https://www.google.com/search?q=x", "https://facebook.com/", "https://blog.example/post"];

const HALF_HOUR = 30 * 60_000;

/** Amounts as numbers and texts, those that are none, too large ones, and other currencies. */
const sums = fc.oneof(
	{ weight: 3, arbitrary: amounts.map((amount) => ({ amount })) },
	amounts.map((amount) => ({ amount, amountText: ` ${(amount / 10_000).toFixed(4)}` })),
	fc.record({ amount: amounts, currency: some("EUR", "eur", "USD", "points") }),
	some("", "12,50", "1e3", "5 EUR", "NaN").map((amountText) => ({ amount: 0, amountText })),
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
				properties: fc.constant({}),
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
