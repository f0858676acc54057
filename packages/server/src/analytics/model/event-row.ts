import type { EventColumn, EventKind } from "./event-columns.ts";

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

type OwnText = "site" | "date" | "session" | "path" | "content_group" | "event_type" | "import_id";
type OwnNumber = Exclude<EventColumn, keyof SessionDimensions | OwnText | "kind" | "properties">;

/**
 * One row of the `events` table, as the writer builds it: its columns as `eventColumns` describes them. `ts` is in milliseconds
 * since the Unix epoch, `session` the decimal text of an unsigned 64-bit number.
 */
export interface EventRow
	extends SessionDimensions,
		Readonly<Record<OwnText, string>>,
		Readonly<Record<OwnNumber, number>> {
	readonly kind: EventKind;
	readonly properties: Readonly<Record<string, string>>;
}
