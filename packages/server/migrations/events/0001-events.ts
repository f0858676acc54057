import { createTable } from "./create-table.ts";
import type { EventMigration } from "./migration.ts";

// Written out, and not taken from the code around: what a step says never changes again.
const columns = {
	site: "LowCardinality(String)",
	date: "Date",
	hour: "UInt8",
	ts: "DateTime64(3, 'UTC')",
	session: "UInt64",
	kind: "Enum8('pageview' = 1, 'engaged' = 2, 'conversion' = 3, 'microconversion' = 4, 'item' = 5)",
	path: "String",
	content_group: "LowCardinality(String)",
	referrer: "LowCardinality(String)",
	landing_path: "LowCardinality(String)",
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
	rejoined: "UInt32",
	engaged: "UInt32",
	page_view: "UInt32",
	conversion: "UInt32",
	microconversion: "UInt32",
	revenue: "Decimal(18, 4)",
	visit_seconds: "UInt32",
	visitor: "UInt32",
	campaign:
		"LowCardinality(String) MATERIALIZED concatWithSeparator('\\0', utm_source, utm_medium, utm_campaign, utm_term, utm_content)",
} as const;

type Column = keyof typeof columns;

const COUNTS = [
	"entrance",
	"rejoined",
	"engaged",
	"page_view",
	"conversion",
	"microconversion",
	"visit_seconds",
] as const;

// Most values are 0 or 1: by their bits they take less room than in a byte each.
const FEW_BITS = "T64, ZSTD(1)";

const codecs: Partial<Record<Column, string>> = {
	// Rows lie in the order of their time, so the steps between them are small.
	ts: "Delta(8), T64, ZSTD(1)",
	// Reports with filters read these row by row, and unpacking them was a third of their time: LZ4 unpacks fastest,
	// and packed with more effort it takes half the room. Beyond 5 the effort is felt at inserts and merges.
	path: "LZ4HC(5)",
	campaign: "LZ4HC(5)",
	...Object.fromEntries([...COUNTS, "visitor"].map((name) => [name, FEW_BITS])),
};

const SUMS = ["entrance", "engaged", "page_view", "conversion", "microconversion", "revenue"] as const;
const SECONDS = "sum(visit_seconds)";

/** Different visitors: the visitor's part of the session with the day above it, in one number; and those counted elsewhere. */
const VISITORS =
	"uniqCombinedIf(20)(bitShiftRight(session, 17) + bitShiftLeft(toUInt64(date), 47), (entrance > 0) AND (session > 0)), sum(visitor)";

/** Sums of the measures by site, day, import and the dimensions of one family of reports. */
const sumsBy = (dimensions: readonly Column[], more: readonly string[] = []) => {
	const keys = ["site", "date", "import_id", ...dimensions].join(", ");
	return `SELECT ${[keys, ...SUMS.map((measure) => `sum(${measure})`), ...more].join(", ")} GROUP BY ${keys}`;
};

/** The events and the projections that reports are answered from. An import has partitions of its own: undoing it drops them. */
export const events: EventMigration = {
	version: 1,
	name: "events",
	statements: (topology) =>
		createTable(
			{
				name: "events",
				columns,
				codecs,
				projections: {
					// Small, as what is distinct is merged anew by each question: a day at a time, not an hour.
					by_day: sumsBy([], [SECONDS, VISITORS]),
					by_hour: sumsBy(["hour"], [SECONDS]),
					by_source: sumsBy(["channel", "referrer", "utm_source", "utm_medium", "utm_campaign"], [SECONDS]),
					by_audience: sumsBy(["country", "device", "browser", "os"], [SECONDS]),
					by_page: sumsBy(["path", "content_group"]),
					by_landing: sumsBy(["landing_path", "landing_group"], [SECONDS]),
					by_event: sumsBy(["event_type", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"]),
				},
				partitionBy: "(toYYYYMM(date), import_id)",
				orderBy: "site, date, hour, ts",
				shardBy: "sipHash64(site, session)",
			},
			topology,
		),
};
