import { countryOfZone } from "../../../analytics/attribution/country-of-zone.ts";
import { tsvText } from "../../../analytics/model/event-tsv.ts";
import { localHour } from "../../../analytics/model/site-clock.ts";
import type { Hit } from "./hit.ts";
import { newSessionId } from "./sessions/session-state.ts";

const LONGEST_USER_AGENT = 500;

/** Columns of the `bot_hits` table in the order in which the spool holds them. */
export const botHitColumns = [
	"site",
	"date",
	"ts",
	"session",
	"score",
	"flags",
	"counted",
	"user_agent",
	"country",
] as const;

/** A line of the `bot_hits` table; `counted`: whether the hit is in the reports too. */
export function botHitLine(hit: Hit, counted: boolean): string {
	const { receivedAt, userAgent } = hit.request;
	const { date } = localHour(hit.site.timezone, receivedAt);
	const session = hit.change?.session.session ?? newSessionId(hit.visitor, 0, undefined);
	return `${[
		hit.site.id,
		date,
		(receivedAt / 1000).toFixed(3),
		session,
		hit.score,
		hit.flags,
		counted ? 1 : 0,
		tsvText(userAgent.slice(0, LONGEST_USER_AGENT)),
		countryOfZone(hit.payload.zone),
	].join("\t")}\n`;
}
