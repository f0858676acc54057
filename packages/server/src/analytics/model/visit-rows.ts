import { isRecord } from "../../platform/lib/is-record.ts";
import { storedPath } from "../attribution/canonical-path.ts";
import { cleanLines, cutText, storedLabel } from "../attribution/clean-text.ts";
import type { EventKind } from "./event-columns.ts";
import type { SessionDimensions } from "./event-row.ts";
import { encodeInSession, type OwnColumns } from "./event-tsv.ts";
import type { LocalHour } from "./site-clock.ts";

const MAX_PROPERTIES = 50;
const MAX_NAME = 100;
const MAX_VALUE = 500;
const MAX_ITEMS = 100;
/** Deeper levels of a nested value are left out. */
const MAX_DEPTH = 20;

/** The name of a property as it is stored; empty for one that is left out. */
export const storedPropertyName = (name: string): string => storedLabel(name, MAX_NAME);

/**
 * Property values as the text that is stored: at most 50, names cut at 100 and values at 500 characters. Control
 * characters are left out, in values all but tabs and line ends; names lose blanks at their ends, and one without a name is
 * left out.
 */
function storedProperties(properties: Readonly<Record<string, unknown>>): Record<string, string> {
	const stored: [string, string][] = [];
	for (const [name, value] of Object.entries(properties)) {
		if (stored.length === MAX_PROPERTIES) break;
		const label = storedPropertyName(name);
		if (label !== "") stored.push([label, cutText(cleanLines(propertyText(value)), MAX_VALUE)]);
	}
	return Object.fromEntries(stored);
}

/** The properties of a conversion and of its items: `items` is no property of the conversion itself. */
function splitItems(properties: Readonly<Record<string, unknown>>): {
	readonly own: Readonly<Record<string, unknown>>;
	readonly items: readonly Readonly<Record<string, unknown>>[];
} {
	if (!Array.isArray(properties.items)) return { own: properties, items: [] };
	const { items, ...own } = properties;
	return { own, items: (Array.isArray(items) ? items : []).filter(isRecord).slice(0, MAX_ITEMS) };
}

/** Integers plain, other numbers in shortest form, null as empty, arrays and objects as JSON with sorted keys. */
function propertyText(value: unknown): string {
	if (typeof value === "string") return value;
	if (value === null || value === undefined) return "";
	if (typeof value === "number") return Number.isInteger(value) ? BigInt(value).toString() : String(value);
	return typeof value === "object" ? sortedJson(value, 0) : String(value);
}

function sortedJson(value: unknown, depth: number): string {
	if (depth > MAX_DEPTH) return "null";
	if (Array.isArray(value)) return `[${value.map((entry) => sortedJson(entry, depth + 1)).join(",")}]`;
	if (!isRecord(value)) return JSON.stringify(value);
	const names = Object.keys(value).sort();
	return `{${names.map((name) => `${JSON.stringify(name)}:${sortedJson(value[name], depth + 1)}`).join(",")}}`;
}

/** Something that happened in a visit, as far as rows tell of it. */
export interface VisitEvent extends LocalHour {
	readonly site: string;
	/** Milliseconds since the Unix epoch, UTC. */
	readonly ts: number;
	/** Decimal text of the visit's unsigned 64-bit id. */
	readonly session: string;
	/** Attribution of the visit. */
	readonly dimensions: SessionDimensions;
	readonly kind: Extract<EventKind, "pageview" | "conversion" | "microconversion">;
	readonly path: string;
	readonly contentGroup: string;
	/** Empty on page views, as are amount and properties. */
	readonly eventType: string;
	readonly amount: number;
	/** JSON values by name; `items` of a conversion become rows of their own. */
	readonly properties: Readonly<Record<string, unknown>>;
	readonly botScore: number;
	readonly botFlags: number;
	/** Whole seconds since the visit's event before; 0 on its first one. */
	readonly secondsSince: number;
	/** True for the page view that is the visit's entrance. */
	readonly isEntrance: boolean;
	/** True for an entrance from the site's own pages that found no live visit. */
	readonly rejoined: boolean;
	/** The visit's entrance, when this event is the page view that makes it an engaged one. */
	readonly engages: (LocalHour & { readonly ts: number }) | undefined;
	/** The import that it comes from; absent for what was collected. */
	readonly importId?: string;
}

/** Bytes of the item rows of one event: each repeats what its visit is booked under, and there may be a hundred. */
const MAX_ITEM_BYTES = 64 * 1024;

const NO_PROPERTIES: Readonly<Record<string, string>> = Object.freeze({});

/**
 * The lines of the `events` table that an event becomes: one for itself, one more when it made its visit an engaged one,
 * one for each item of a conversion, up to 64 KB of them.
 */
export function visitLines(event: VisitEvent): string[] {
	switch (event.kind) {
		case "pageview":
			return pageviewLines(event);
		case "microconversion": {
			const properties = storedProperties(event.properties);
			// The automatic event for a page that is missing names its path.
			if (event.eventType === "404" && properties.path?.startsWith("/")) properties.path = storedPath(properties.path);
			const row = eventRow(event, properties);
			return [encodeInSession(row, event.dimensions)];
		}
		case "conversion":
			return conversionLines(event);
	}
}

function pageviewLines(event: VisitEvent): string[] {
	const { dimensions, engages } = event;
	const row = eventRow(event, NO_PROPERTIES);
	const line = encodeInSession(row, dimensions);
	return engages === undefined ? [line] : [line, encodeInSession(engagedRow(row, dimensions, engages), dimensions)];
}

function conversionLines(event: VisitEvent): string[] {
	const { own, items } = splitItems(event.properties);
	const row = eventRow(event, storedProperties(own));
	const lines = [encodeInSession(row, event.dimensions)];
	let bytes = 0;
	for (const item of items) {
		const line = encodeInSession(itemRow(row, item), event.dimensions);
		bytes += Buffer.byteLength(line);
		if (bytes > MAX_ITEM_BYTES) break;
		lines.push(line);
	}
	return lines;
}

/** The row of the event itself. It is written out, as copies of so many fields are felt at thousands of hits a second. */
function eventRow(event: VisitEvent, properties: Readonly<Record<string, string>>): OwnColumns {
	const { kind, amount, isEntrance } = event;
	return {
		site: event.site,
		date: event.date,
		hour: event.hour,
		ts: event.ts,
		session: event.session,
		kind,
		path: event.path,
		content_group: event.contentGroup,
		event_type: event.eventType,
		properties,
		amount,
		bot_score: event.botScore,
		bot_flags: event.botFlags,
		import_id: event.importId ?? "",
		entrance: isEntrance ? 1 : 0,
		rejoined: isEntrance && event.rejoined ? 1 : 0,
		engaged: 0,
		page_view: kind === "pageview" ? 1 : 0,
		conversion: kind === "conversion" ? 1 : 0,
		microconversion: kind === "microconversion" ? 1 : 0,
		revenue: amount,
		visit_seconds: event.secondsSince,
		visitor: 0,
	};
}

/** Booked under the hour and page of the entrance, so that engaged entrances never exceed entrances in any grouping. */
function engagedRow(
	row: OwnColumns,
	{ landing_path, landing_group }: SessionDimensions,
	{ date, hour, ts }: NonNullable<VisitEvent["engages"]>,
): OwnColumns {
	return {
		...row,
		kind: "engaged",
		date,
		hour,
		ts,
		path: landing_path,
		content_group: landing_group,
		bot_score: 0,
		bot_flags: 0,
		page_view: 0,
		engaged: 1,
		visit_seconds: 0,
	};
}

function itemRow(conversion: OwnColumns, item: Readonly<Record<string, unknown>>): OwnColumns {
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
