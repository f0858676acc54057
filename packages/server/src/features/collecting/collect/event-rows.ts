import type { EventRow } from "../../../analytics/model/event-row.ts";
import { localHour } from "../../../analytics/model/site-clock.ts";
import { splitItems, storedProperties } from "./event-properties.ts";
import type { Hit, SessionChange } from "./hit.ts";
import type { Entrance } from "./sessions/session-state.ts";

const NO_PROPERTIES: Readonly<Record<string, string>> = Object.freeze({});

/** A row in the making: filled in place, as copies of so many fields are felt at thousands of hits a second. */
type DraftRow = { -readonly [Column in keyof EventRow]: EventRow[Column] };

/** The rows of a hit that counts: one for itself, one more when it made its session engaged, one for each item. */
export function eventRows(hit: Hit, change: SessionChange): readonly EventRow[] {
	const { payload } = hit;
	const row = blankRow(hit, change);
	if (payload.kind === "pageview") return pageviewRows(row, change);
	row.kind = payload.kind;
	row.event_type = payload.eventType;
	row.amount = payload.amount;
	row.revenue = payload.amount;
	row[payload.kind] = 1;
	if (payload.kind === "microconversion") {
		row.properties = storedProperties(payload.properties);
		return [row];
	}
	const { own, items } = splitItems(payload.properties);
	row.properties = storedProperties(own);
	return [row, ...items.map((item) => itemRow(row, item))];
}

function pageviewRows(row: DraftRow, { session, isEntrance, isEngaging, rejoined }: SessionChange): EventRow[] {
	row.page_view = 1;
	row.entrance = isEntrance ? 1 : 0;
	row.rejoined = isEntrance && rejoined ? 1 : 0;
	return isEngaging && session.entrance !== null ? [row, engagedRow(row, session.entrance)] : [row];
}

/** Booked under the hour and page of the entrance, so that engaged entrances never exceed entrances in any grouping. */
function engagedRow(row: EventRow, entrance: Entrance): EventRow {
	return {
		...row,
		kind: "engaged",
		date: entrance.date,
		hour: entrance.hour,
		ts: entrance.ts,
		path: row.landing_path,
		content_group: row.landing_group,
		bot_score: 0,
		bot_flags: 0,
		page_view: 0,
		visit_seconds: 0,
		engaged: 1,
	};
}

function itemRow(conversion: EventRow, item: Readonly<Record<string, unknown>>): EventRow {
	return {
		...conversion,
		kind: "item",
		properties: storedProperties(item),
		amount: 0,
		bot_score: 0,
		bot_flags: 0,
		conversion: 0,
		revenue: 0,
		visit_seconds: 0,
	};
}

function blankRow(hit: Hit, change: SessionChange): DraftRow {
	const { session, dimensions } = change.session;
	const { date, hour } = localHour(hit.site.timezone, hit.ts);
	return {
		site: hit.site.id,
		date,
		hour,
		ts: hit.ts,
		session,
		kind: "pageview",
		path: hit.page.path,
		content_group: hit.payload.contentGroup,
		...dimensions,
		event_type: "",
		properties: NO_PROPERTIES,
		amount: 0,
		bot_score: hit.score,
		bot_flags: hit.flags,
		import_id: "",
		entrance: 0,
		rejoined: 0,
		engaged: 0,
		page_view: 0,
		conversion: 0,
		microconversion: 0,
		revenue: 0,
		visit_seconds: change.secondsSince,
		visitor: 0,
	};
}
