import { rowSettings } from "../../catalog/projections.ts";
import type { EventKind } from "../../model/event-columns.ts";
import { type EventScope, eventsWhere, type Params, type Statement } from "../engine/compile.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import { type Select, select } from "../engine/select.ts";

/** Single events of one kind; imported sums of events have no session and are none. */
export interface RawEvents extends EventScope {
	readonly kind: Extract<EventKind, "conversion" | "microconversion" | "item">;
	/** Only rows with one of these click ids. */
	readonly clids?: readonly string[];
}

/** An event as it was stored. */
export interface RawEvent {
	/** Day and hour in the time zone that the site had then. */
	readonly date: string;
	readonly hour: number;
	/** Milliseconds since the Unix epoch. */
	readonly at: number;
	readonly conversion_type: string;
	readonly amount: number;
	readonly country: string;
	readonly device_type: string;
	readonly browser: string;
	readonly os: string;
	readonly channel_group: string;
	readonly utm_source: string;
	readonly utm_medium: string;
	readonly utm_campaign: string;
	readonly utm_term: string;
	readonly utm_content: string;
	readonly landing_page: string;
	readonly clid: string;
	readonly properties: Readonly<Record<string, string>>;
}

const columns = [
	"date",
	"hour",
	"toUnixTimestamp64Milli(ts) AS at",
	"event_type AS conversion_type",
	"amount",
	"country",
	"device AS device_type",
	"browser",
	"os",
	"channel AS channel_group",
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"utm_content",
	"landing_path AS landing_page",
	"clid",
	"properties",
];

function eventsOf(question: RawEvents, params: Params): Pick<Select, "from" | "where"> {
	params.kind = question.kind;
	const where = [...eventsWhere(question, params), "kind = {kind:String}", "session != 0"];
	if (question.clids !== undefined) {
		params.clids = question.clids;
		where.push("clid IN {clids:Array(String)}");
	}
	return { from: "events", where };
}

function compileRows(question: RawEvents, page: RawPage): Statement {
	const params: Params = {};
	const sql = select({
		columns,
		...eventsOf(question, params),
		// Items of a purchase share their timestamp. Their content decides the order, so that no page repeats or omits
		// one.
		orderBy: ["ts", "session", "event_type", "toString(properties)"].map((key) =>
			page.newestFirst ? `${key} DESC` : key,
		),
		limit: "{limit:UInt64} OFFSET {offset:UInt64}",
	});
	return { sql, params: { ...params, limit: page.limit, offset: page.offset }, settings: rowSettings };
}

function compileCount(question: RawEvents): Statement {
	const params: Params = {};
	return {
		sql: select({ columns: ["count() AS total"], ...eventsOf(question, params) }),
		params,
		settings: rowSettings,
	};
}

interface RawPage {
	readonly limit: number;
	readonly offset: number;
	readonly newestFirst?: boolean;
}

/** One page of events, oldest first unless `newestFirst`, and the number of all. */
export async function runRawEvents(
	deps: RunDeps,
	question: RawEvents,
	page: RawPage,
): Promise<{ readonly rows: readonly RawEvent[]; readonly total: number }> {
	const [rows, [counted]] = await Promise.all([
		ask<RawEvent>(deps, compileRows(question, page)),
		ask<{ total: number }>(deps, compileCount(question)),
	]);
	return { rows, total: counted?.total ?? 0 };
}
