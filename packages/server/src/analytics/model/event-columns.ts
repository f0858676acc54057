/** `hour` of a row that was imported by day. It counts in days and totals, and in no hour. */
export const UNKNOWN_HOUR = 255;

/**
 * The columns of the `events` table in storage order with their engine types: the one source for the
 * migration, the writer and the readers. Every row is a fact that only ever gets summed. The measures have room for
 * imported rows, which may stand for a whole day.
 */
export const eventColumns = {
	site: "LowCardinality(String)",
	/** Day and hour in the site's time zone, fixed when the hit was stored. */
	date: "Date",
	/** 0-23, or `UNKNOWN_HOUR`. */
	hour: "UInt8",
	/** Receipt at the server. */
	ts: "DateTime64(3, 'UTC')",
	/** 47 bits of the visitor's daily id, then the second of the day; 0 on imported rows that know no visits. */
	session: "UInt64",
	kind: "Enum8('pageview' = 1, 'engaged' = 2, 'conversion' = 3, 'microconversion' = 4, 'item' = 5)",
	path: "String",
	content_group: "LowCardinality(String)",
	/** Domain of the referrer of the session's entrance. */
	referrer: "LowCardinality(String)",
	landing_path: "LowCardinality(String)",
	/** Content group of the session's entrance. */
	landing_group: "LowCardinality(String)",
	utm_source: "LowCardinality(String)",
	utm_medium: "LowCardinality(String)",
	utm_campaign: "LowCardinality(String)",
	utm_term: "LowCardinality(String)",
	utm_content: "LowCardinality(String)",
	country: "LowCardinality(String)",
	device: "LowCardinality(String)",
	browser: "LowCardinality(String)",
	os: "LowCardinality(String)",
	channel: "LowCardinality(String)",
	clid: "String",
	event_type: "LowCardinality(String)",
	properties: "Map(LowCardinality(String), String)",
	amount: "Decimal(18, 4)",
	bot_score: "UInt8",
	bot_flags: "UInt16",
	import_id: "LowCardinality(String)",
	entrance: "UInt32",
	/** 1 on an entrance from the site's own pages that found no live session. */
	rejoined: "UInt32",
	engaged: "UInt32",
	page_view: "UInt32",
	conversion: "UInt32",
	microconversion: "UInt32",
	revenue: "Decimal(18, 4)",
	/** On page views and events: whole seconds since the visit's hit before. */
	visit_seconds: "UInt32",
	/** Visitors that were counted elsewhere: of imported rows without a session. Others are counted by their sessions. */
	visitor: "UInt32",
} as const satisfies Record<string, string>;

/** A column of the `events` table that rows are written with. */
export type EventColumn = keyof typeof eventColumns;

/** The character between the five values of `campaign`; it sorts before every other, and no value holds it. */
export const CAMPAIGN_SEPARATOR = "\0";

/** Columns that the engine makes of others as it stores a row. */
export const derivedColumns = {
	/** One column to group by instead of five, each of which costs as much. */
	campaign:
		"LowCardinality(String) MATERIALIZED concatWithSeparator('\\0', utm_source, utm_medium, utm_campaign, utm_term, utm_content)",
} as const satisfies Record<string, string>;

/** Any column of the `events` table. */
export type StoredColumn = EventColumn | keyof typeof derivedColumns;

/** Kind of an event. */
export type EventKind = "pageview" | "engaged" | "conversion" | "microconversion" | "item";

/** Sums have at most so many decimals. */
export const DECIMALS = 4;
/** As whole numbers of the smallest step sums add up without error. */
export const DECIMAL_STEPS = 10 ** DECIMALS;
