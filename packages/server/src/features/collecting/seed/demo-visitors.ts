import type { SessionDimensions } from "../../../analytics/model/event-row.ts";
import { byRank, type Random, weighted } from "./random.ts";

export interface DemoSource
	extends Pick<
		SessionDimensions,
		"referrer" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content"
	> {
	/** Parameter of the click id that the visit carries; empty for none. */
	readonly clickIdParam: string;
	/** How much likelier than usual a purchase is. */
	readonly intent: number;
}

const none: DemoSource = {
	referrer: "",
	utm_source: "",
	utm_medium: "",
	utm_campaign: "",
	utm_term: "",
	utm_content: "",
	clickIdParam: "",
	intent: 1,
};
const source = (utm_source: string, utm_medium: string, rest: Partial<DemoSource> = {}): DemoSource => ({
	...none,
	utm_source,
	utm_medium,
	...rest,
});

const seasons = ["spring", "summer", "autumn", "winter", "black-week", "new-year"];
const offers = ["sale", "launch", "bundle", "free-shipping", "rental"];
const years = ["2025", "2026"];
const campaigns = seasons.flatMap((season) =>
	offers.flatMap((offer) => years.map((year) => `${season}-${offer}-${year}`)),
);
const terms = "trail shoes, rain jacket, light tent, backpack 40l, camping stove, hiking map, outdoor shop".split(", ");
const blogs = ["hikers", "gearlab", "mountain-news", "campers-forum", "slowtravel"].map((name) => `${name}.example`);
const partners = ["voucher-world.example", "cashback.example", "outdoor-deals.example"];

const fixedSources: readonly (readonly [DemoSource, number])[] = [
	[source("(direct)", "(none)", { intent: 1.3 }), 27],
	[source("google", "organic", { referrer: "google.com" }), 26],
	[source("bing", "organic", { referrer: "bing.com" }), 4],
	[source("duckduckgo", "organic", { referrer: "duckduckgo.com" }), 2.5],
	[source("ecosia", "organic", { referrer: "ecosia.org" }), 1.2],
	[source("facebook", "social", { referrer: "facebook.com", intent: 0.5 }), 3],
	[source("instagram", "social", { referrer: "instagram.com", intent: 0.5 }), 3.5],
	[source("reddit", "social", { referrer: "reddit.com", intent: 0.6 }), 1.5],
	[source("youtube", "referral", { referrer: "youtube.com", intent: 0.7 }), 1.2],
	[source("chatgpt", "ai", { referrer: "chatgpt.com", intent: 1.4 }), 1.6],
	[source("perplexity", "ai", { referrer: "perplexity.ai", intent: 1.4 }), 0.5],
	[source("gmail", "email", { referrer: "mail.google.com", intent: 1.2 }), 0.8],
	...byRank(blogs.map((blog) => source(blog, "referrer", { referrer: blog }))).map(
		([entry, weight]) => [entry, weight * 4] as const,
	),
];

const fixed = weighted(fixedSources);
const pickCampaign = weighted(byRank(campaigns));
const pickTerm = weighted(byRank(terms));
const pickPartner = weighted(byRank(partners));

type Draw = (random: Random) => Partial<DemoSource>;
const withTerm: Draw = (random) => ({ utm_term: pickTerm(random) });
const withAd: Draw = (random) => ({ utm_content: `ad-${random.below(12)}` });
const withPlace: Draw = (random) => ({ utm_content: random.chance(0.6) ? "header" : "footer" });
const fromPartner: Draw = (random) => {
	const partner = pickPartner(random);
	return { utm_source: partner, referrer: partner };
};
/** Sources of campaigns, the values that each of their visits draws, and weights. */
const paid: readonly (readonly [readonly [DemoSource, Draw?], number])[] = [
	[[source("google", "cpc", { referrer: "google.com", clickIdParam: "gclid", intent: 1.8 }), withTerm], 11],
	[[source("bing", "cpc", { referrer: "bing.com", clickIdParam: "msclkid" }), withTerm], 1.5],
	[[source("facebook", "paid-social", { referrer: "facebook.com", clickIdParam: "fbclid", intent: 0.8 }), withAd], 5],
	[[source("newsletter", "email", { intent: 2.2 }), withPlace], 5],
	[[source("", "affiliate", { intent: 2.5 }), fromPartner], 2],
	[[source("adnetwork", "display", { intent: 0.3 })], 2],
];
const pickPaid = weighted(paid);
const PAID_SHARE = 0.27;

/** Draws the source of a visit; `wild` sites run 50,000 campaigns. */
export function drawSource(random: Random, wild: boolean): DemoSource {
	if (!random.chance(PAID_SHARE)) return fixed(random);
	const utm_campaign = wild ? `campaign-${Math.floor(50_000 * random.next() ** 2)}` : pickCampaign(random);
	const [base, draw] = pickPaid(random);
	return { ...base, ...draw?.(random), utm_campaign };
}

export const drawVisitor = weighted<Pick<SessionDimensions, "device" | "browser" | "os">>([
	[{ device: "mobile", browser: "Chrome", os: "Android" }, 27],
	[{ device: "mobile", browser: "Safari", os: "iOS" }, 24],
	[{ device: "mobile", browser: "Samsung Internet", os: "Android" }, 4],
	[{ device: "mobile", browser: "Firefox", os: "Android" }, 1],
	[{ device: "desktop", browser: "Chrome", os: "Windows" }, 18],
	[{ device: "desktop", browser: "Edge", os: "Windows" }, 7],
	[{ device: "desktop", browser: "Firefox", os: "Windows" }, 3],
	[{ device: "desktop", browser: "Safari", os: "macOS" }, 6],
	[{ device: "desktop", browser: "Chrome", os: "macOS" }, 4],
	[{ device: "desktop", browser: "Firefox", os: "Linux" }, 1.5],
	[{ device: "desktop", browser: "Opera", os: "Windows" }, 1],
	[{ device: "tablet", browser: "Safari", os: "iOS" }, 2.5],
	[{ device: "tablet", browser: "Chrome", os: "Android" }, 1],
]);

const frequent = { ES: 24, DE: 19, FR: 13, IT: 9, GB: 7, AT: 5, PT: 4.5, CH: 4 };
const rare = { US: 4, PL: 3, NL: 2.5, MX: 1.2, SE: 1, AR: 0.7, IN: 0.6, JP: 0.4, Unknown: 1.1 };
export const drawCountry = weighted(Object.entries({ ...frequent, ...rare }));

export const drawBotAgent = weighted<string>([
	["Mozilla/5.0 (compatible; DemoCrawler/2.1; +https://crawler.example/bot)", 5],
	["python-requests/2.32.3", 3],
	["Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36", 2],
	["", 1],
]);
