import { classifyChannel } from "../../../analytics/attribution/channel-rules.ts";
import { countryOfZone } from "../../../analytics/attribution/country-of-zone.ts";
import { entranceFingerprint } from "../../../analytics/attribution/entrance-fingerprint.ts";
import { parseReferrer } from "../../../analytics/attribution/page-address.ts";
import {
	type Attribution,
	type Entrance,
	type LiveSession,
	resolveAttribution,
} from "../../../analytics/attribution/resolve-attribution.ts";
import { localHour } from "../../../analytics/model/site-clock.ts";
import type { CollectContext } from "./collect-context.ts";
import type { Hit, SessionChange } from "./hit.ts";
import { newSessionId, type SessionState, secondsBetween } from "./sessions/session-state.ts";
import type { SessionStep } from "./sessions/session-store.ts";
import { describeAgent } from "./user-agent.ts";

/** Finds the visitor's session, decides whether the hit continues it or begins another, and keeps the outcome. */
export function touchSession(hit: Hit, context: CollectContext): undefined | Promise<undefined> {
	const { sessions } = context;
	const { receivedAt } = hit.request;
	const ids = { today: hit.visitor, yesterday: hit.previousVisitor };
	const change = sessions.transact(ids, receivedAt, (live) => stepOf(hit, live, context));
	return change instanceof Promise ? change.then(keep) : keep(change);

	function keep(done: SessionChange): undefined {
		hit.change = done;
		return undefined;
	}
}

function stepOf(hit: Hit, live: SessionState | undefined, context: CollectContext): SessionStep<SessionChange> {
	const isPageview = hit.payload.kind === "pageview";
	// The cascade is evaluated for page views; other events take the values of their session, if there is one.
	if (live !== undefined && !isPageview) return continued(hit, live);
	const decision = decide(hit, live, context);
	if (decision.kind === "continue" && live !== undefined) return continued(hit, live);
	if (decision.kind === "continue") throw new Error("a session that is not there cannot continue");
	return begun(hit, live, decision, context);
}

function decide(hit: Hit, live: SessionState | undefined, context: CollectContext): Attribution {
	const { passthroughRules, referrerMappings } = context.attribution.get(hit.site.id);
	return resolveAttribution({
		page: hit.page,
		referrer: parseReferrer(hit.payload.referrer),
		site: {
			domains: hit.site.domains,
			utmMappings: hit.site.utmMappings,
			passthroughRules,
			referrerMappings,
			paymentPages: context.paymentPages,
		},
		live: live && liveSession(live),
		isClickIdSeen: (clickId) => hit.seenClickIds.has(clickId),
	});
}

function liveSession({ dimensions, entranceFingerprint: fingerprint }: SessionState): LiveSession {
	return { ...dimensions, entranceFingerprint: fingerprint ?? undefined };
}

function continued(hit: Hit, live: SessionState): SessionStep<SessionChange> {
	const { receivedAt } = hit.request;
	const isPageview = hit.payload.kind === "pageview";
	const isEntrance = isPageview && live.entrance === null;
	const isEngaging = isPageview && live.entrance !== null && !live.engaged;
	const session: SessionState = {
		...live,
		...(isEntrance ? entranceOf(hit, live) : {}),
		engaged: live.engaged || isEngaging,
		lastSeen: Math.max(receivedAt, live.lastSeen),
	};
	const secondsSince = secondsBetween(live.lastSeen, session.lastSeen);
	return { next: session, result: { session, isEntrance, isEngaging, rejoined: false, secondsSince } };
}

/** The first page view of a session that an event opened is its entrance, and its page the landing page. */
function entranceOf(hit: Hit, live: SessionState): Pick<SessionState, "entrance" | "dimensions"> {
	return {
		entrance: {
			...localHour(hit.site.timezone, hit.request.receivedAt),
			ts: hit.request.receivedAt,
		},
		dimensions: { ...live.dimensions, landing_path: hit.page.path, landing_group: hit.payload.contentGroup },
	};
}

function begun(
	hit: Hit,
	live: SessionState | undefined,
	decision: Entrance,
	context: CollectContext,
): SessionStep<SessionChange> {
	const { receivedAt, userAgent } = hit.request;
	const { device, browser, os } = describeAgent(userAgent);
	const { utm_source, utm_medium, utm_campaign, utm_term, utm_content } = decision;
	const { channelRules } = context.attribution.get(hit.site.id);
	const touch = { source: utm_source, medium: utm_medium, campaign: utm_campaign };
	const opened: SessionState = {
		session: newSessionId(hit.visitor, receivedAt, live?.session),
		dimensions: {
			referrer: decision.referrer,
			landing_path: "",
			landing_group: "",
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
		entrance: null,
		engaged: false,
		lastSeen: receivedAt,
		entranceFingerprint: entranceFingerprint(hit.page, parseReferrer(hit.payload.referrer)),
	};
	const isEntrance = hit.payload.kind === "pageview";
	const session = isEntrance ? { ...opened, ...entranceOf(hit, opened) } : opened;
	const result = { session, isEntrance, isEngaging: false, rejoined: decision.rejoined, secondsSince: 0 };
	return { next: session, result };
}
