import { type Counts, counts, type Fact, type Labels, wallClock } from "./oracle-facts.ts";

interface HitSite {
	readonly id: string;
	readonly timezone: string;
	/** Its own host names, without `www.`. */
	readonly hosts: readonly string[];
}

export interface OracleHit {
	readonly site: HitSite;
	/** Receipt, milliseconds since the Unix epoch. */
	readonly at: number;
	/** One address and user agent: a number stands for the pair. */
	readonly visitor: string;
	readonly url: string;
	readonly referrer: string;
	readonly group: string;
	readonly country: string;
	readonly device: keyof typeof devices;
	readonly event?: {
		readonly type: string;
		readonly micro: boolean;
		readonly amount: number;
		/** The text that is sent in its place. */
		readonly amountText?: string;
		/** Currency of the amount; absent = that of the site. */
		readonly currency?: string;
		readonly properties: Readonly<Record<string, string>>;
		readonly items: readonly Readonly<Record<string, string>>[];
	};
}

/** User agents by name, with what the reports say of them. */
export const devices = {
	phone: {
		userAgent:
			"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
		labels: { device_type: "mobile", browser: "Safari", os: "iOS" },
	},
	laptop: {
		userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
		labels: { device_type: "desktop", browser: "Firefox", os: "Linux" },
	},
} as const;

const MAX_AMOUNT = 10_000_000_000_000;
const SESSION_MS = 30 * 60_000;
const CLICK_MS = 30 * 24 * 60 * 60_000;

type Campaign = Pick<Labels, "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content">;

const none: Campaign = { utm_source: "", utm_medium: "", utm_campaign: "", utm_term: "", utm_content: "" };
const campaign = (utm_source: string, utm_medium: string): Campaign => ({ ...none, utm_source, utm_medium });
const direct = campaign("(direct)", "(none)");

// The hosts, click ids and channels that the generator draws; anything else must fail loudly.
const knownReferrers: Readonly<Record<string, Campaign>> = {
	"google.com": campaign("google", "organic"),
	"facebook.com": campaign("facebook", "social"),
};
const paymentHosts = ["paypal.com"];
const channels: Readonly<Record<string, string>> = {
	"(direct) (none)": "Direct",
	"google organic": "Organic Search",
	"facebook social": "Organic Social",
	"google cpc": "Paid Search",
	"newsletter email": "Email",
	"blog.example referrer": "Referral",
};

function channelOf({ utm_source, utm_medium }: Campaign): string {
	const channel = channels[`${utm_source} ${utm_medium}`];
	if (channel === undefined) throw new Error(`The oracle knows no channel for ${utm_source} / ${utm_medium}`);
	return channel;
}

interface Session {
	readonly key: string;
	labels: Omit<Labels, "path" | "content_grouping">;
	readonly clid: string;
	readonly opening: string;
	/** Pages of the visit, without campaign and click id. */
	readonly pages: Set<string>;
	readonly rejoined: boolean;
	entrance: Fact | undefined;
	pageViews: number;
	lastSeen: number;
	/** Since the hit before. */
	seconds: number;
}

interface Arrival {
	readonly campaign: Campaign;
	readonly referrer: string;
	readonly clid: string;
}

const hostOf = (address: string) => (address === "" ? "" : new URL(address).hostname.replace(/^www\./, ""));

function isOwn(hit: OracleHit): boolean {
	const referrer = hostOf(hit.referrer);
	return hit.site.hosts.some((host) => referrer === host || referrer.endsWith(`.${host}`));
}

function pageOf(hit: OracleHit): string {
	const url = new URL(hit.url);
	for (const name of [...url.searchParams.keys()]) {
		if (name.startsWith("utm_") || name === "gclid") url.searchParams.delete(name);
	}
	return url.href;
}

/** A page of the visit with the referrer of its arrival, and with no other campaign or click: the browser loaded it again. */
function isReload(hit: OracleHit, live: Session, { campaign: values }: Arrival): boolean {
	const hasCampaign = [...new URL(hit.url).searchParams.keys()].some((name) => name.startsWith("utm_"));
	const isSame = Object.entries(values).every(([name, value]) => live.labels[name as keyof Campaign] === value);
	return live.opening === hit.referrer && live.pages.has(pageOf(hit)) && (!hasCampaign || isSame);
}

/** The arrival that a hit would be; undefined where it is a step within a session. */
function arrivalOf(hit: OracleHit, clicks: ReadonlyMap<string, number>): Arrival | undefined {
	const query = new URL(hit.url).searchParams;
	const referrer = hostOf(hit.referrer);
	if (isOwn(hit)) return undefined;
	const gclid = query.get("gclid") ?? "";
	const arrival = (values: Campaign, clid = "") => ({ campaign: values, referrer, clid });
	const given = [...query].filter(([name]) => name.startsWith("utm_"));
	if (given.length > 0) {
		return arrival({ ...none, ...Object.fromEntries(given.map(([name, value]) => [name, value.trim()])) }, gclid);
	}
	const seen = clicks.get(`${hit.site.id} ${gclid}`);
	if (gclid !== "" && (seen === undefined || hit.at - seen > CLICK_MS))
		return arrival(campaign("google", "cpc"), gclid);
	if (referrer === "" || paymentHosts.includes(referrer)) return undefined;
	return arrival(knownReferrers[referrer] ?? campaign(referrer, "referrer"));
}

function sessionFor(
	hit: OracleHit,
	live: Session | undefined,
	clicks: ReadonlyMap<string, number>,
	key: string,
): Session {
	if (live !== undefined && hit.event !== undefined) return live;
	const arrival = arrivalOf(hit, clicks);
	const clid = new URL(hit.url).searchParams.get("gclid") ?? "";
	const isNewClick = clid !== "" && clid !== live?.clid && !clicks.has(`${hit.site.id} ${clid}`);
	if (live !== undefined && (arrival === undefined || (!isNewClick && isReload(hit, live, arrival)))) return live;
	const { campaign: values, ...booked } = arrival ?? { campaign: direct, referrer: "", clid: "" };
	return {
		key,
		labels: {
			...{ ...values, ...devices[hit.device].labels, landing_page: "", landing_content_grouping: "" },
			...{ referrer_domain: booked.referrer, country: hit.country, channel_group: channelOf(values) },
		},
		...{ clid: booked.clid, opening: hit.referrer, pages: new Set([pageOf(hit)]), rejoined: isOwn(hit) },
		...{ entrance: undefined, pageViews: 0, lastSeen: hit.at, seconds: 0 },
	};
}

function factOf(hit: OracleHit, session: Session, kind: Fact["kind"], added: Partial<Counts>): Fact {
	const visit_seconds = kind === "item" ? 0 : session.seconds;
	return {
		...{ site: hit.site.id, at: hit.at, ...wallClock(hit.at, hit.site.timezone), session: session.key, kind },
		labels: { ...session.labels, path: new URL(hit.url).pathname, content_grouping: hit.group.trim() },
		...{ event_type: hit.event?.type.trim() ?? "", properties: hit.event?.properties ?? {} },
		...{ clid: session.clid, rejoined: false, counts: counts({ ...added, visit_seconds }) },
	};
}

function pageviewFacts(hit: OracleHit, session: Session): Fact[] {
	session.pages.add(pageOf(hit));
	session.pageViews += 1;
	if (session.entrance === undefined) {
		const landing_page = new URL(hit.url).pathname;
		session.labels = { ...session.labels, landing_page, landing_content_grouping: hit.group.trim() };
		const entrance = {
			...factOf(hit, session, "pageview", { page_views: 1, entrances: 1 }),
			rejoined: session.rejoined,
		};
		session.entrance = entrance;
		return [entrance];
	}
	const view = factOf(hit, session, "pageview", { page_views: 1 });
	if (session.pageViews !== 2) return [view];
	// Engagement belongs to the moment and the page of the entrance.
	return [view, { ...session.entrance, kind: "engaged", rejoined: false, counts: counts({ engaged_entrances: 1 }) }];
}

function eventFacts(hit: OracleHit, session: Session, event: NonNullable<OracleHit["event"]>): Fact[] {
	if (event.micro) return [factOf(hit, session, "microconversion", { microconversions: 1 })];
	const conversion = factOf(hit, session, "conversion", { conversions: 1, revenue: amountOf(event) });
	const items = event.items.map((properties) => ({ ...factOf(hit, session, "item", {}), properties }));
	return [conversion, ...items];
}

/** An amount that is too large counts as 0; data of the oracle has amount 0 beside a text that cannot be read. */
const amountOf = ({ amount }: NonNullable<OracleHit["event"]>) => (Math.abs(amount) <= MAX_AMOUNT ? amount : 0);

/** False for a conversion with an amount in another currency: it is as if it had never come. */
const isTaken = ({ event }: OracleHit): boolean =>
	event === undefined || event.micro || amountOf(event) === 0 || event.currency !== "USD";

/**
 * Facts of hits in order: sessions of 30 minutes a visitor and site, each foreign arrival a new one, the entrance on
 * the first page view, engagement on the entrance. Hits must be in order of time.
 */
export function factsOfHits(hits: readonly OracleHit[]): Fact[] {
	const sessions = new Map<string, Session>();
	const clicks = new Map<string, number>();
	const visitors = new Map<string, bigint>();
	return hits.filter(isTaken).flatMap((hit, number) => {
		const key = `${hit.site.id} ${hit.visitor}`;
		// Visitors are not recognized from one day of UTC to the next.
		const visitor = `${key} ${Math.floor(hit.at / 86_400_000)}`;
		if (!visitors.has(visitor)) visitors.set(visitor, BigInt(visitors.size + 1));
		const id = String((visitors.get(visitor) ?? 0n) * 131_072n + BigInt(number));
		const last = sessions.get(key);
		const live = last !== undefined && hit.at - last.lastSeen < SESSION_MS ? last : undefined;
		const session = sessionFor(hit, live, clicks, id);
		session.seconds = Math.floor(hit.at / 1000) - Math.floor(session.lastSeen / 1000);
		session.lastSeen = hit.at;
		sessions.set(key, session);
		const gclid = new URL(hit.url).searchParams.get("gclid");
		if (gclid !== null && gclid !== "") clicks.set(`${hit.site.id} ${gclid}`, hit.at);
		return hit.event === undefined ? pageviewFacts(hit, session) : eventFacts(hit, session, hit.event);
	});
}
