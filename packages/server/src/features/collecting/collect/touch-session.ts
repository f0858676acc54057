import { classifyChannel } from "../../../analytics/attribution/channel-rules.ts";
import { countryOfZone } from "../../../analytics/attribution/country-of-zone.ts";
import { type PageAddress, parseReferrer } from "../../../analytics/attribution/page-address.ts";
import {
	type Attribution,
	type Entrance,
	type LiveSession,
	resolveAttribution,
} from "../../../analytics/attribution/resolve-attribution.ts";
import { beginTrail, extendTrail, noTrail } from "../../../analytics/attribution/trail.ts";
import { localHour } from "../../../analytics/model/site-clock.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { coversHit, type GoalMatcher } from "../../tenancy/sites/index.ts";
import { describeAgent, newSessionId, secondsBetween, visitorId } from "../visitors/index.ts";
import { after, type CollectContext, type Outcome } from "./collect-context.ts";
import type { Hit, SessionChange } from "./hit.ts";
import type { SessionState, SessionStep } from "./sessions/session-store.ts";

/** Finds the visitor's session, decides whether the hit continues it or begins another, and keeps the outcome. */
export function touchSession(hit: Hit, context: CollectContext): Outcome | Promise<Outcome> {
	const ids = { today: hit.visitor, yesterday: () => yesterdaysId(hit, context) };
	const change = context.sessions.transact(ids, hit.request.receivedAt, (live) => stepOf(hit, live, context));
	return after(change, (done): Outcome => {
		hit.change = done;
		return undefined;
	});
}

/** No more visits begin at one address than there may be people behind it; the one that was too many never began. */
export function checkNewcomer(hit: Hit, { newcomers, sessions }: CollectContext): Outcome | Promise<Outcome> {
	const { change, request } = hit;
	if (change === undefined || change.before !== undefined) return undefined;
	if (newcomers.admit(request.ip, request.receivedAt)) return undefined;
	return after(sessions.putBack(hit.visitor, change.session, undefined), (): Outcome => "rate_limit");
}

/** The id under the salt of the day before, as long as a session that it names may be live. */
function yesterdaysId({ request, site }: Hit, context: CollectContext): number | undefined {
	const { receivedAt, ip, userAgent } = request;
	if (receivedAt % DAY_MS >= context.sessionTimeoutMs && receivedAt >= context.restoredUntil) return undefined;
	const salt = context.salts.on(receivedAt - DAY_MS);
	return salt === undefined ? undefined : visitorId(salt, site.id, ip, userAgent);
}

function stepOf(hit: Hit, found: SessionState | undefined, context: CollectContext): SessionStep<SessionChange> {
	const live = found !== undefined && isForgotten(hit, found) ? undefined : found;
	// The cascade is evaluated for page views; other events take the values of their session, if there is one.
	if (live !== undefined && hit.payload.kind !== "pageview") return continued(hit, live);
	const referrer = parseReferrer(hit.payload.referrer);
	const decision = decide(hit, referrer, live, context);
	if (decision.kind === "entrance") return begun(hit, referrer, { live, found }, decision, context);
	if (live !== undefined) return continued(hit, live);
	throw new Error("a session that is not there cannot continue");
}

/** True for a visit whose first rows were deleted meanwhile; one that has no entrance yet goes by its last hit. */
function isForgotten({ site }: Hit, { entrance, lastSeen }: SessionState): boolean {
	if (site.forgottenVisits.length === 0) return false;
	const { date, ts } = entrance ?? { ts: lastSeen, ...localHour(site.timezone, lastSeen) };
	return site.forgottenVisits.some((days) => coversHit(days, date, ts));
}

function decide(
	hit: Hit,
	referrer: PageAddress | undefined,
	live: SessionState | undefined,
	context: CollectContext,
): Attribution {
	const { passthroughRules, referrerMappings } = context.attribution.get(hit.site.id);
	const { domains, utmMappings } = hit.site;
	return resolveAttribution({
		page: hit.page,
		referrer,
		site: { domains, utmMappings, passthroughRules, referrerMappings, paymentPages: context.paymentPages },
		live: live && liveSession(live),
		isClickIdSeen: (clickId) => hit.seenClickIds.has(clickId),
	});
}

function liveSession({ dimensions, trail = noTrail }: SessionState): LiveSession {
	const { utm_source, utm_medium, utm_campaign, utm_term, utm_content, referrer, clid } = dimensions;
	return { utm_source, utm_medium, utm_campaign, utm_term, utm_content, referrer, clid, trail };
}

function continued(hit: Hit, live: SessionState): SessionStep<SessionChange> {
	const isPageview = hit.payload.kind === "pageview";
	const isEntrance = isPageview && live.entrance === null;
	const isEngaging = isPageview && live.entrance !== null && !live.engaged;
	const goals = goalsOf(hit, live.reached);
	// Written out, as a copy by spreading is felt at thousands of hits a second.
	const session: SessionState = {
		session: live.session,
		dimensions: isEntrance ? landedOn(hit, live.dimensions) : live.dimensions,
		entrance: isEntrance ? entranceOf(hit) : live.entrance,
		engaged: live.engaged || isEngaging,
		lastSeen: Math.max(hit.request.receivedAt, live.lastSeen),
		trail: isPageview ? extendTrail(live.trail ?? noTrail, hit.page, hit.site.utmMappings) : live.trail,
		reached: goals.length === 0 ? live.reached : [...(live.reached ?? noGoals), ...goals.map(({ id }) => id)],
	};
	const secondsSince = secondsBetween(live.lastSeen, session.lastSeen);
	const result = { before: live, session, isEntrance, isEngaging, rejoined: false, secondsSince, goals };
	return { next: session, result };
}

const noGoals: readonly never[] = [];

/** Goals that a hit reaches in a visit that has reached these. */
function goalsOf({ site, payload, page }: Hit, reached: readonly string[] = noGoals): readonly GoalMatcher[] {
	if (site.goals.length === 0 || payload.kind === "conversion") return noGoals;
	const [kind, value] = payload.kind === "pageview" ? ["page", page.path] : ["event", payload.eventType];
	return site.goals.filter((goal) => goal.kind === kind && !reached.includes(goal.id) && goal.matches(value));
}

/** The first page view of a session is its entrance, also when an event opened it, and its page the landing page. */
function entranceOf(hit: Hit): NonNullable<SessionState["entrance"]> {
	const { date, hour } = localHour(hit.site.timezone, hit.request.receivedAt);
	return { date, hour, ts: hit.request.receivedAt };
}

const landedOn = (hit: Hit, dimensions: SessionState["dimensions"]): SessionState["dimensions"] => ({
	...dimensions,
	landing_path: hit.page.path,
	landing_group: hit.payload.contentGroup,
});

function begun(
	hit: Hit,
	referrer: PageAddress | undefined,
	// A forgotten session still has its number, which no other visit may get.
	{ live, found }: { readonly live: SessionState | undefined; readonly found: SessionState | undefined },
	decision: Entrance,
	context: CollectContext,
): SessionStep<SessionChange> {
	const { receivedAt, userAgent } = hit.request;
	const { device, browser, os } = describeAgent(userAgent);
	const { utm_source, utm_medium, utm_campaign, utm_term, utm_content } = decision;
	const { channelRules } = context.attribution.get(hit.site.id);
	const touch = { source: utm_source, medium: utm_medium, campaign: utm_campaign };
	const isEntrance = hit.payload.kind === "pageview";
	const goals = goalsOf(hit);
	const session: SessionState = {
		session: newSessionId(hit.visitor, receivedAt, found?.session),
		dimensions: {
			referrer: decision.referrer,
			landing_path: isEntrance ? hit.page.path : "",
			landing_group: isEntrance ? hit.payload.contentGroup : "",
			utm_source,
			utm_medium,
			utm_campaign,
			utm_term,
			utm_content,
			country: countryOfZone(hit.payload.zone),
			device,
			browser,
			os,
			channel: classifyChannel(touch, channelRules),
			clid: decision.clid,
		},
		entrance: isEntrance ? entranceOf(hit) : null,
		engaged: false,
		lastSeen: receivedAt,
		trail: beginTrail(hit.page, referrer, hit.site.utmMappings),
		reached: goals.map(({ id }) => id),
	};
	const { rejoined } = decision;
	const result = { before: live, session, isEntrance, isEngaging: false, rejoined, secondsSince: 0, goals };
	return { next: session, result };
}
