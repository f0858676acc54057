import type { SessionDimensions } from "../model/event-row.ts";
import { findBuiltInReferrer } from "./built-in-referrers.ts";
import { type Campaign, campaign, campaignFields, explicitCampaign, type UtmMapping } from "./campaign.ts";
import { type ClickId, findClickIds } from "./click-ids.ts";
import { isSameSite } from "./domain-table.ts";
import { type PageAddress, parseQuery } from "./page-address.ts";
import { isPaymentHost, type PaymentPages } from "./payment-pages.ts";
import type { ReferrerMappings } from "./referrer-mappings.ts";
import { findPassthroughRule, type PassthroughRules } from "./site-rules.ts";
import { isPageOn, isReferrerOf, type Trail } from "./trail.ts";

/** The settings of a site that attribution depends on. */
export interface AttributionSettings {
	/** Active authorized domains: lower-case, punycode, without `www.`; empty = every host. */
	readonly domains: readonly string[];
	/** Active mappings, oldest first. */
	readonly utmMappings: readonly UtmMapping[];
	readonly passthroughRules: PassthroughRules;
	readonly referrerMappings: ReferrerMappings;
	readonly paymentPages: PaymentPages;
}

/** Fields of the live session that attribution needs. */
export interface LiveSession extends Campaign, Pick<SessionDimensions, "referrer" | "clid"> {
	readonly trail: Trail;
}

/** A hit whose attribution is asked for. */
export interface AttributionInput {
	readonly page: PageAddress;
	/** Undefined when there was none or it is no web address. */
	readonly referrer: PageAddress | undefined;
	readonly site: AttributionSettings;
	/** Undefined when no session is live. */
	readonly live: LiveSession | undefined;
	/** True when this click id arrived at the site within the last 30 days. */
	readonly isClickIdSeen: (clickId: string) => boolean;
}

/** An arrival that begins a session, and its attribution. */
export interface Entrance extends Campaign, Pick<SessionDimensions, "referrer" | "clid"> {
	readonly kind: "entrance";
	/** True when the visitor came from the site's own pages without a live session. */
	readonly rejoined: boolean;
}

/** Continues the live session, or starts a new one. */
export type Attribution = { readonly kind: "continue" } | Entrance;

interface Arrival extends AttributionInput {
	readonly sameSite: boolean;
	readonly explicit: Campaign | undefined;
	readonly clickIds: readonly ClickId[];
}

type Step = (arrival: Arrival) => Attribution | undefined;

const CONTINUE: Attribution = { kind: "continue" };

/** The first step with an answer decides. */
const cascade: readonly Step[] = [
	campaignInAddress,
	freshClickId,
	paymentPage,
	passthroughReferrer,
	ownReferrerMapping,
	builtInReferrer,
	otherForeignReferrer,
	ownPage,
	noReferrer,
];

/**
 * Decides whether a hit continues the live session or begins a new one, and with which values.
 * Without a live session the answer is always an entrance.
 */
export function resolveAttribution(input: AttributionInput): Attribution {
	const { page, referrer, site, live, isClickIdSeen } = input;
	const sameSite = referrer !== undefined && isSameSite(referrer.host, page.host, site.domains);
	// Where a session is live, no line of the cascade lets a click within the site begin another, nor an address without
	// referrer and parameters.
	if (live !== undefined && (sameSite || (referrer === undefined && page.query === ""))) return CONTINUE;
	const params = parseQuery(page.query);
	const explicit = explicitCampaign(params, site.utmMappings);
	const clickIds = findClickIds(params);
	const arrival: Arrival = { page, referrer, site, live, isClickIdSeen, sameSite, explicit, clickIds };
	const decided = decide(arrival);
	if (decided.kind === "entrance" && live !== undefined && isReload(arrival, live)) return CONTINUE;
	return decided;
}

function decide(arrival: Arrival): Attribution {
	for (const step of cascade) {
		const decided = step(arrival);
		if (decided !== undefined) return decided;
	}
	return directEntrance(false);
}

/**
 * A page of the visit with the referrer of its arrival is no second arrival: a browser sends the referrer of a document again
 * when it is reloaded or its tab is restored, also after a router has changed the address. A campaign or click id in the
 * address must be that of the visit.
 */
function isReload({ page, referrer, site, explicit, clickIds, isClickIdSeen }: Arrival, live: LiveSession): boolean {
	return (
		isPageOn(live.trail, page, site.utmMappings) &&
		isReferrerOf(live.trail, referrer, live.referrer) &&
		(explicit === undefined || campaignFields.every((field) => explicit[field] === live[field])) &&
		clickIds.every(({ value }) => value === live.clid || isClickIdSeen(value))
	);
}

function campaignInAddress({ explicit, sameSite, clickIds, referrer }: Arrival): Attribution | undefined {
	if (explicit === undefined || sameSite) return undefined;
	return entrance(explicit, referrer, clickIds[0]?.value);
}

function freshClickId({ clickIds, sameSite, referrer, isClickIdSeen }: Arrival): Attribution | undefined {
	if (sameSite) return undefined;
	const click = clickIds.find(({ value }) => !isClickIdSeen(value));
	if (click === undefined) return undefined;
	const named = referrer && findBuiltInReferrer(referrer.host)?.utm_source;
	const utm_source = named !== undefined && click.family?.includes(named) ? named : click.utm_source;
	return entrance(campaign({ utm_source, utm_medium: click.utm_medium }), referrer, click.value);
}

function paymentPage({ referrer, site, live }: Arrival): Attribution | undefined {
	if (referrer === undefined || !isPaymentHost(site.paymentPages, referrer.host)) return undefined;
	return live === undefined ? directEntrance(false) : CONTINUE;
}

function passthroughReferrer({ referrer, site, live }: Arrival): Attribution | undefined {
	const rule = referrer && findPassthroughRule(site.passthroughRules, referrer.host);
	if (rule === undefined) return undefined;
	if (live !== undefined) return CONTINUE;
	const { utm_source, utm_medium, utm_campaign, utm_term } = rule;
	return entrance(campaign({ utm_source, utm_medium, utm_campaign, utm_term }), referrer);
}

// A pattern may happen to match the site's own hosts; a click within the site is no arrival all the same.
function ownReferrerMapping({ referrer, sameSite, site }: Arrival): Attribution | undefined {
	const mapping = referrer && !sameSite ? site.referrerMappings(referrer.host) : undefined;
	return mapping && entrance(mapping, referrer);
}

function builtInReferrer({ referrer, sameSite }: Arrival): Attribution | undefined {
	const known = referrer && !sameSite ? findBuiltInReferrer(referrer.host) : undefined;
	return known && entrance(campaign({ utm_source: known.utm_source, utm_medium: known.utm_medium }), referrer);
}

function otherForeignReferrer({ referrer, sameSite }: Arrival): Attribution | undefined {
	if (referrer === undefined || sameSite) return undefined;
	return entrance(campaign({ utm_source: referrer.host, utm_medium: "referrer" }), referrer);
}

function ownPage({ sameSite, live }: Arrival): Attribution | undefined {
	if (!sameSite) return undefined;
	return live === undefined ? directEntrance(true) : CONTINUE;
}

function noReferrer({ live }: Arrival): Attribution {
	return live === undefined ? directEntrance(false) : CONTINUE;
}

function entrance(values: Campaign, referrer: PageAddress | undefined, clid = ""): Entrance {
	const { utm_source, utm_medium, utm_campaign, utm_term, utm_content } = values;
	return {
		kind: "entrance",
		utm_source,
		utm_medium,
		utm_campaign,
		utm_term,
		utm_content,
		referrer: referrer?.host ?? "",
		clid,
		rejoined: false,
	};
}

function directEntrance(rejoined: boolean): Entrance {
	return { ...entrance(campaign({ utm_source: "(direct)", utm_medium: "(none)" }), undefined), rejoined };
}
