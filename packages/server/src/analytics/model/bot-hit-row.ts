import { tsvInstant, tsvText } from "./event-tsv.ts";

const LONGEST_USER_AGENT = 500;

/** Columns of the `bot_hits` table in the order in which lines hold them. */
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

/** A hit that looks like one of a program. */
export interface BotHit {
	readonly site: string;
	/** `YYYY-MM-DD` in the site's time zone. */
	readonly date: string;
	/** Receipt, milliseconds since the Unix epoch. */
	readonly ts: number;
	readonly session: string;
	readonly score: number;
	readonly flags: number;
	/** Whether the hit is in the reports too. */
	readonly counted: boolean;
	readonly userAgent: string;
	readonly country: string;
}

/** A line of the `bot_hits` table, line feed included. */
export function botHitLine(hit: BotHit): string {
	const userAgent = tsvText(hit.userAgent.slice(0, LONGEST_USER_AGENT));
	const judged = `${hit.score}\t${hit.flags}\t${hit.counted ? 1 : 0}`;
	return `${hit.site}\t${hit.date}\t${tsvInstant(hit.ts)}\t${hit.session}\t${judged}\t${userAgent}\t${hit.country}\n`;
}
