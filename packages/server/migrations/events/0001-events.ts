import { derivedColumns, eventColumns } from "../../src/analytics/model/event-columns.ts";
import { createTable } from "./create-table.ts";
import type { EventMigration } from "./migration.ts";

const MEASURES = ["entrance", "engaged", "page_view", "conversion", "microconversion", "revenue"] as const;

/** Sums of the measures by site, day and the dimensions of one family of reports. */
const sumsBy = (...dimensions: (keyof typeof eventColumns)[]) => {
	const keys = ["site", "date", ...dimensions].join(", ");
	return `SELECT ${keys}, ${MEASURES.map((measure) => `sum(${measure})`).join(", ")} GROUP BY ${keys}`;
};

/** The events and the projections that reports are answered from; the engine picks the projection by itself. */
export const events: EventMigration = {
	version: 1,
	name: "events",
	statements: (topology) =>
		createTable(
			{
				name: "events",
				columns: { ...eventColumns, ...derivedColumns },
				codecs: {
					// Rows lie in the order of their time, so the steps between them are small.
					ts: "Delta(8), ZSTD(1)",
					// Reports with filters read these row by row, and unpacking them was a third of their time.
					path: "LZ4",
					campaign: "LZ4",
				},
				projections: {
					by_hour: sumsBy("hour"),
					by_source: sumsBy("channel", "referrer", "utm_source", "utm_medium", "utm_campaign"),
					by_audience: sumsBy("country", "device", "browser", "os"),
					by_page: sumsBy("path", "content_group"),
					by_landing: sumsBy("landing_path", "landing_group"),
					by_event: sumsBy("event_type", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"),
				},
				partitionBy: "toYYYYMM(date)",
				orderBy: "site, date, hour, ts",
				shardBy: "sipHash64(site, session)",
			},
			topology,
		),
};
