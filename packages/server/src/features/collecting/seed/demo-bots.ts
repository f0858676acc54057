import { countryOfZone } from "../../../analytics/attribution/country-of-zone.ts";
import { botFlagBits } from "../../../analytics/model/bot-flags.ts";
import { botHitColumns, botHitLine } from "../../../analytics/model/bot-hit-row.ts";
import { localHour } from "../../../analytics/model/site-clock.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { SiteFacts } from "../../tenancy/sites/index.ts";
import { newSessionId } from "../collect/index.ts";
import { drawBotAgent } from "./demo-visitors.ts";
import { createRandom, type Random } from "./random.ts";
import { RowWriter } from "./row-writer.ts";

interface BotOptions {
	readonly site: SiteFacts;
	/** Rows and days of the seeded traffic: the number of bot hits follows from them. */
	readonly rows: number;
	readonly days: number;
	readonly seed: number;
	/** End of the period, ms. */
	readonly end: number;
}

/** Bot hits are kept for a week. */
const KEPT_DAYS = 7;
const SHARE_OF_ROWS = 0.04;
const MAX_SESSIONS = 400;

/** Writes the hits of programs that did not count, for the last week of the period; returns how many. */
export async function demoBotHits(store: EventStore, options: BotOptions, run: string): Promise<number> {
	const random = createRandom(options.seed + 1);
	const days = Math.min(KEPT_DAYS, options.days);
	const count = Math.round((options.rows / options.days) * days * SHARE_OF_ROWS);
	const writer = new RowWriter(store, { table: "bot_hits", columns: botHitColumns, run });
	for (let index = 0; index < count; index++) {
		writer.add(botLine(random, options, options.end - days * DAY_MS + (index / count) * days * DAY_MS));
		if (writer.isFull) await writer.flush();
	}
	await writer.finish();
	return writer.rows;
}

function botLine(random: Random, { site }: BotOptions, at: number): string {
	const userAgent = drawBotAgent(random);
	const visitor = 1 + random.below(MAX_SESSIONS);
	const isBlank = userAgent === "";
	const score = isBlank ? 90 : 85 + random.below(16);
	const ts = Math.floor(at);
	return botHitLine({
		site: site.id,
		date: localHour(site.timezone, ts).date,
		ts,
		session: newSessionId(visitor, 0, undefined),
		score,
		flags:
			(isBlank ? botFlagBits.empty_user_agent : botFlagBits.known_bot_pattern) |
			(random.chance(0.7) ? botFlagBits.missing_accept_language : 0),
		counted: false,
		userAgent,
		country: countryOfZone("America/New_York"),
	});
}
