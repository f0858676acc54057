import { countryOfZone } from "../../../analytics/attribution/country-of-zone.ts";
import { botHitLine, SUSPICIOUS_ABOVE } from "../../../analytics/model/bot-flags.ts";
import { localHour } from "../../../analytics/model/site-clock.ts";
import { type VisitEvent, visitLines } from "../../../analytics/model/visit-rows.ts";
import type { GoalMatcher } from "../../tenancy/sites/index.ts";
import { newSessionId } from "../visitors/index.ts";
import { after, all, type CollectContext, type Outcome } from "./collect-context.ts";
import type { Hit } from "./hit.ts";
import { sightOf } from "./sessions/click-id-memory.ts";

/** Keeps a hit above the site's threshold for the bot statistics alone. */
export function setBotAside(hit: Hit, context: CollectContext): Outcome {
	if (hit.score <= hit.site.botThreshold) return undefined;
	noteBot(hit, newSessionId(hit.visitor, 0, undefined), false);
	return keep(hit, context);
}

/** Published times tell conversions apart, and join items to them, so they are unique a site and kind. */
export function stampTime(hit: Hit, { sessions }: CollectContext): Outcome | Promise<Outcome> {
	const { payload, site, request, change } = hit;
	const isEvent = payload.kind !== "pageview";
	if (!isEvent && !change?.goals.length) return undefined;
	const goals = change?.goals ?? [];
	const unique = (kind: string) => sessions.uniqueTime(site.id, kind, request.receivedAt);
	const own = isEvent ? unique(payload.kind) : request.receivedAt;
	return after(
		all([own, ...goals.map(({ counts_as }) => unique(counts_as))]),
		([ts = request.receivedAt, ...times]): Outcome => {
			hit.ts = ts;
			hit.goalTimes = times;
			return undefined;
		},
	);
}

/** Makes the rows of a hit that counts. Day and hour are those of its receipt, whatever time it is stamped with. */
export function makeRows(hit: Hit): Outcome {
	const { payload, page, site, change, request } = hit;
	if (change === undefined) throw new Error("a hit without a session cannot be booked");
	const { session, dimensions, entrance } = change.session;
	const { date, hour } = localHour(site.timezone, request.receivedAt);
	const event: VisitEvent = {
		site: site.id,
		date,
		hour,
		ts: hit.ts,
		session,
		dimensions,
		kind: payload.kind,
		path: page.path,
		contentGroup: payload.contentGroup,
		eventType: payload.eventType,
		amount: hit.amount,
		properties: payload.properties,
		botScore: hit.score,
		botFlags: hit.flags,
		secondsSince: change.secondsSince,
		isEntrance: change.isEntrance,
		rejoined: change.rejoined,
		engages: change.isEngaging && entrance !== null ? entrance : undefined,
	};
	const lines = visitLines(event);
	for (const [index, goal] of change.goals.entries()) {
		lines.push(...goalLines(event, goal, hit.goalTimes[index] ?? hit.ts));
	}
	hit.events = lines.join("");
	hit.rows = lines.length;
	if (hit.score > SUSPICIOUS_ABOVE) noteBot(hit, session, true);
	return undefined;
}

type GoalPlace = Pick<VisitEvent, "site" | "date" | "hour" | "session" | "dimensions" | "path" | "contentGroup">;

/** Lines of a goal that an event reaches: one event more at its place in the visit, which is no hit of its own. */
export const goalLines = (event: GoalPlace, { id, counts_as, conversion_type, amount }: GoalMatcher, ts: number) =>
	visitLines({
		...event,
		ts,
		kind: counts_as,
		eventType: conversion_type,
		amount,
		properties: { goal_id: id },
		botScore: 0,
		botFlags: 0,
		secondsSince: 0,
		isEntrance: false,
		rejoined: false,
		engages: undefined,
	});

/** Hands the rows to the disk, and settles the hit when they are safe there or could not be kept. */
export function keep(hit: Hit, context: CollectContext): Outcome {
	const { site, request, events, botHits, rows } = hit;
	context.spool.append(site.id, events, botHits, rows, (error) => {
		if (error !== undefined) {
			abandon(hit, context);
			return;
		}
		if (events !== "") context.quota.count(site, request.receivedAt, 1 + (hit.change?.goals.length ?? 0));
		context.rejections.accept(site.id, request.receivedAt);
		if (hit.isAmountLost) context.rejections.reject(site.id, "invalid_amount", hit.origin, request.receivedAt);
		hit.settle("kept");
	});
	return "kept";
}

/** Leaves a hit to be sent again and undoes its visit and click ids. Hits of one visit have to be abandoned latest first. */
export function abandon(hit: Hit, { sessions }: CollectContext): void {
	const { change, notedClickIds, request } = hit;
	const undone = [
		...notedClickIds.map((id) => sessions.noteSight(sightOf(hit.site.id, id, request.receivedAt, true))),
		...(change === undefined ? [] : [sessions.putBack(hit.visitor, change.session, change.before)]),
	];
	const settle = () => hit.settle("unstored");
	const done = after(all(undone), settle);
	// A failed undo does not keep the hit from being answered.
	if (done instanceof Promise) done.catch(settle);
}

function noteBot(hit: Hit, session: string, counted: boolean): void {
	const { receivedAt, userAgent } = hit.request;
	hit.botHits = botHitLine({
		site: hit.site.id,
		date: localHour(hit.site.timezone, receivedAt).date,
		ts: receivedAt,
		session,
		score: hit.score,
		flags: hit.flags,
		counted,
		userAgent,
		country: countryOfZone(hit.payload.zone),
	});
	hit.rows++;
}
