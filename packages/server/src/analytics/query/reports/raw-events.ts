import { campaignDimensions } from "../../catalog/dimensions.ts";
import { rowSettings } from "../../catalog/projections.ts";
import type { EventKind } from "../../model/event-columns.ts";
import { dimensionColumn, type EventScope, eventsWhere, PAGE_LIMIT, type Params } from "../engine/compile.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import { select } from "../engine/select.ts";

/** Single events of one kind; imported sums of events have no session and are none. */
export interface RawEvents extends EventScope {
	readonly kind: Extract<EventKind, "conversion" | "microconversion" | "item">;
	/** Only rows with one of these click ids. */
	readonly clids?: readonly string[] | undefined;
}

const labels = [
	"country",
	"device_type",
	"browser",
	"os",
	"channel_group",
	...campaignDimensions,
	"landing_page",
] as const;

/** An event as it was stored; `date` and `hour` are those of the time zone that the site had then. */
export interface RawEvent
	extends Readonly<Record<"date" | "conversion_type" | "clid" | (typeof labels)[number], string>> {
	readonly hour: number;
	/** Milliseconds since the Unix epoch. */
	readonly at: number;
	readonly amount: number;
	readonly properties: Readonly<Record<string, string>>;
}

const columns = [
	"date",
	"hour",
	"toUnixTimestamp64Milli(ts) AS at",
	dimensionColumn("conversion_type"),
	"amount",
	...labels.map(dimensionColumn),
	"clid",
	"properties",
];

/** One page of events, oldest first unless `newestFirst`, and the number of all. */
export async function runRawEvents(
	deps: RunDeps,
	{ kind, clids, ...scope }: RawEvents,
	page: { readonly limit: number; readonly offset: number; readonly newestFirst?: boolean },
) {
	const params: Params = { kind };
	const where = [...eventsWhere(scope, params), "kind = {kind:String}", "session != 0"];
	if (clids !== undefined) {
		params.clids = clids;
		where.push("clid IN {clids:Array(String)}");
	}
	const events = { from: "events", where };
	// Items of a purchase share their timestamp. Their content decides the order, so that no page repeats or omits one.
	const order = ["ts", "session", "event_type", "toString(properties)"];
	const sql = select({
		columns,
		...events,
		orderBy: order.map((key) => (page.newestFirst ? `${key} DESC` : key)),
		limit: PAGE_LIMIT,
	});
	const count = select({ columns: ["count() AS total"], ...events });
	const paged = { ...params, limit: page.limit, offset: page.offset };
	const [rows, [counted]] = await Promise.all([
		ask<RawEvent>(deps, { sql, params: paged, settings: rowSettings }),
		ask<{ total: number }>(deps, { sql: count, params, settings: rowSettings }),
	]);
	return { rows, total: counted?.total ?? 0 };
}
