import { createTable } from "./create-table.ts";
import type { EventMigration } from "./migration.ts";

/**
 * Suspicious hits, kept for seven days for the bot statistics. `counted` is 1 where the hit is in the reports too,
 * being below its site's threshold.
 */
export const botHits: EventMigration = {
	version: 2,
	name: "bot-hits",
	statements: (topology) =>
		createTable(
			{
				name: "bot_hits",
				columns: {
					site: "LowCardinality(String)",
					date: "Date",
					ts: "DateTime64(3, 'UTC')",
					session: "UInt64",
					score: "UInt8",
					flags: "UInt16",
					counted: "UInt8",
					user_agent: "String",
					country: "LowCardinality(String)",
				},
				partitionBy: "date",
				orderBy: "site, date, session, ts",
				ttl: "toDateTime(ts) + INTERVAL 7 DAY",
				shardBy: "sipHash64(site, session)",
			},
			topology,
		),
};
