import { createTable, type TableDefinition } from "./create-table.ts";
import type { EventMigration } from "./migration.ts";

/** Everything but the session: what makes up the totals of a day. */
const DAY = "site, date, counted, score, flags";
const SUMS = "ts = max(ts), first_ts = min(first_ts), hits = sum(hits)";
/** A day in any time zone, and seven days more, are over by then: the whole day goes at once. */
const SESSIONS_END = "date + INTERVAL 9 DAY";

const table: TableDefinition = {
	name: "bot_hits",
	columns: {
		site: "LowCardinality(String)",
		date: "Date",
		// 1 where the hit is in `events` too, being at or below its site's threshold.
		counted: "UInt8",
		score: "UInt8",
		flags: "UInt16",
		session: "UInt64",
		ts: "DateTime64(3, 'UTC')",
		first_ts: "DateTime64(3, 'UTC') DEFAULT ts",
		hits: "UInt32 DEFAULT 1",
		user_agent: "String TTL toDateTime(ts) + INTERVAL 7 DAY",
		country: "LowCardinality(String)",
	},
	partitionBy: "date",
	orderBy: `${DAY}, session`,
	ttl: [
		`toDateTime(ts) + INTERVAL 1 DAY GROUP BY ${DAY}, session SET ${SUMS}, user_agent = max(user_agent), country = any(country)`,
		`${SESSIONS_END} DELETE WHERE counted = 1`,
		// The engine takes columns only, no constants; a session that stands for a whole day says nothing any more.
		`${SESSIONS_END} GROUP BY ${DAY} SET session = min(session), ${SUMS}`,
		"date + INTERVAL 91 DAY",
	].join(",\n\t"),
	shardBy: "sipHash64(site, session)",
};

/**
 * Suspicious hits, and all that are above their site's threshold: one by one for a day, then one row for those of a
 * session that are alike, and after seven days one row for those of a day that are alike, kept for 90 days. The engine
 * folds rows when it merges them, so the totals are the rows, and no crash can make the two disagree.
 */
export const botHits: EventMigration = {
	version: 2,
	name: "bot-hits",
	statements: (topology) => createTable(table, topology),
};
