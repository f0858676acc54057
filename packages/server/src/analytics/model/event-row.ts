import type { EventKind } from "./event-columns.ts";

/** The columns of what a session is booked under, in storage order. */
export const sessionColumns = [
	"referrer",
	"landing_path",
	"landing_group",
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"utm_content",
	"country",
	"device",
	"browser",
	"os",
	"channel",
	"clid",
] as const;

type TextColumn = Exclude<(typeof sessionColumns)[number], "device">;

/** Attribution of a session: the same on each of its rows. */
export interface SessionDimensions extends Readonly<Record<TextColumn, string>> {
	/** `unknown` in imported rows alone. */
	readonly device: "desktop" | "mobile" | "tablet" | "unknown";
}

/** One row of the `events` table, as the writer builds it. */
export interface EventRow extends SessionDimensions {
	readonly site: string;
	/** `YYYY-MM-DD` in the site's time zone. */
	readonly date: string;
	/** 0-23, or `UNKNOWN_HOUR`. */
	readonly hour: number;
	/** Milliseconds since the Unix epoch, UTC. */
	readonly ts: number;
	/** Decimal text of an unsigned 64-bit number. */
	readonly session: string;
	readonly kind: EventKind;
	readonly path: string;
	readonly content_group: string;
	readonly event_type: string;
	readonly properties: Readonly<Record<string, string>>;
	readonly amount: number;
	readonly bot_score: number;
	/** Bit set of bot flags, bit n = the n-th flag of the flag list. */
	readonly bot_flags: number;
	readonly import_id: string;
	readonly entrance: number;
	/** 1 on an entrance from the site's own pages that found no live session. */
	readonly rejoined: number;
	readonly engaged: number;
	readonly page_view: number;
	readonly conversion: number;
	readonly microconversion: number;
	readonly revenue: number;
	/** On page views and events: whole seconds since the visit's hit before. */
	readonly visit_seconds: number;
	/** Visitors of imported rows without a session. */
	readonly visitor: number;
}
