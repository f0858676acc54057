import type { EventRow } from "../../../analytics/model/event-row.ts";
import { localHour } from "../../../analytics/model/site-clock.ts";
import { splitItems, storedProperties } from "./event-properties.ts";
import type { Hit, SessionChange } from "./hit.ts";
import type { Entrance, SessionState } from "./sessions/session-state.ts";

const NO_PROPERTIES: Readonly<Record<string, string>> = Object.freeze({});

/** The rows of a hit that counts: one for itself, one more when it made its session engaged, one for each item. */
export function eventRows(hit: Hit, change: SessionChange): readonly EventRow[] {
	const { payload } = hit;
	if (payload.kind === "pageview") return pageviewRows(hit, change);
	const { own, items } =
		payload.kind === "conversion" ? splitItems(payload.properties) : { own: payload.properties, items: [] };
	const isConversion = payload.kind === "conversion";
	const row: EventRow = {
		...blankRow(hit, change.session),
		kind: payload.kind,
		event_type: payload.eventType,
		properties: storedProperties(own),
		amount: payload.amount,
		conversion: isConversion ? 1 : 0,
		microconversion: isConversion ? 0 : 1,
		revenue: payload.amount,
	};
	return [row, ...items.map((item) => itemRow(row, item))];
}

function pageviewRows(hit: Hit, { session, isEntrance, isEngaging, rejoined }: SessionChange): EventRow[] {
	const row: EventRow = {
		...blankRow(hit, session),
		page_view: 1,
		entrance: isEntrance ? 1 : 0,
		rejoined: isEntrance && rejoined ? 1 : 0,
	};
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
		content_group: entrance.contentGroup,
		bot_score: 0,
		bot_flags: 0,
		page_view: 0,
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
	};
}

function blankRow(hit: Hit, { session, dimensions }: SessionState): EventRow {
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
	};
}
