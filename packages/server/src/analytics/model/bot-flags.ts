import { tsvInstant, tsvText } from "./event-tsv.ts";

/**
 * The signs by which a hit is suspected to come from a program, with their weights. The n-th flag is bit n of a
 * stored bit set: new flags go to the end, none is ever removed or moved.
 */
export const botFlags = [
	{ name: "empty_user_agent", weight: 90, description: "No user agent was sent" },
	{
		name: "known_bot_pattern",
		weight: 85,
		description: "The user agent names a crawler, a script library, a load tool or a monitor",
	},
	{
		name: "headless_user_agent",
		weight: 70,
		description: "The user agent names a headless browser or an automation tool",
	},
	{
		name: "suspicious_user_agent",
		weight: 50,
		description: "The user agent is very short, names no known engine or has an impossible version",
	},
	{
		name: "platform_mismatch",
		weight: 40,
		description: "The platform client hint contradicts the user agent",
	},
	{ name: "mobile_mismatch", weight: 35, description: "The mobile client hint contradicts the user agent" },
	{
		name: "sec_fetch_inconsistent",
		weight: 30,
		description: "The fetch metadata can't come from a script in a page",
	},
	{ name: "missing_client_hints", weight: 25, description: "A Chromium browser sent no client hints" },
	{ name: "missing_sec_fetch", weight: 25, description: "A current browser sent no fetch metadata" },
	{ name: "missing_accept_language", weight: 20, description: "No preferred language was sent" },
	{
		name: "incomplete_accept_encoding",
		weight: 15,
		description: "The accepted compressions are not those of a browser",
	},
] as const satisfies readonly { name: string; weight: number; description: string }[];

/** Name of a flag, as the API shows it. */
export type BotFlag = (typeof botFlags)[number]["name"];

/** The bit of each flag. */
export const botFlagBits = Object.fromEntries(botFlags.map(({ name }, index) => [name, 1 << index])) as Readonly<
	Record<BotFlag, number>
>;

/** A hit with a score above this is suspicious; whether it is left out is decided by the site's threshold. */
export const SUSPICIOUS_ABOVE = 30;

/** Score of a set of flags: the sum of their weights, at most 100. */
export function botScore(flags: number): number {
	let score = 0;
	for (const [index, { weight }] of botFlags.entries()) {
		if ((flags & (1 << index)) !== 0) score += weight;
	}
	return Math.min(score, 100);
}

/** Names of the flags in a set, in the order of the list. */
export function botFlagNames(flags: number): readonly BotFlag[] {
	return botFlags.filter((_, index) => (flags & (1 << index)) !== 0).map(({ name }) => name);
}

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
