import { eventColumns } from "../../../analytics/model/event-columns.ts";
import { visitLines } from "../../../analytics/model/visit-rows.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import type { SiteFacts } from "../../tenancy/sites/index.ts";
import { demoBotHits } from "./demo-bots.ts";
import { type DemoTraffic, demoVisit } from "./demo-hits.ts";
import { drawPage } from "./demo-pages.ts";
import { createRandom, type Random } from "./random.ts";
import { RowWriter } from "./row-writer.ts";
import { type ShapedHour, shapeHours } from "./traffic-shape.ts";

/** Options of seeding: the same options create the same rows. */
export interface SeedOptions {
	readonly site: SiteFacts;
	/** Rows of the `events` table, at least; the last visit is written whole. */
	readonly rows: number;
	/** Days up to `end` that the rows are spread over. */
	readonly days: number;
	readonly seed: number;
	/** End of the period, ms. */
	readonly end: number;
	/** No visit begins from here on, ms; `end` when absent. */
	readonly cut?: number;
	/** 200,000 pages and 50,000 campaigns instead of some hundred. */
	readonly wild: boolean;
	/** Told now and then how many rows are stored. */
	readonly onProgress?: (rows: number) => void;
}

/** Written rows. */
export interface SeedResult {
	readonly rows: number;
	readonly botHits: number;
	readonly conversions: number;
	readonly revenue: number;
}

/** On average, near enough to plan with. */
const ROWS_OF_A_VISIT = 3.3;

/** Fills a site with plausible traffic through the row code of the collector, oldest first. */
export async function seedSite(store: EventStore, options: SeedOptions): Promise<SeedResult> {
	const random = createRandom(options.seed);
	const traffic: DemoTraffic = {
		random,
		site: options.site,
		pages: drawPage(options.wild),
		wild: options.wild,
		taken: new Set(),
	};
	const { end, cut = end } = options;
	const run = `seed-${options.site.id}-${options.seed}-${options.rows}-${options.days}-${cut}`;
	const writer = new RowWriter(store, { table: "events", columns: Object.keys(eventColumns), run });
	const totals = { conversions: 0, revenue: 0 };
	let planned = 0;
	for (const hour of shapeHours(random, options.days, end, cut)) {
		planned += hour.share * options.rows;
		for (const start of startsIn(random, hour, planned - writer.rows)) {
			writeVisit(traffic, start, writer, totals);
			if (writer.isFull) await writer.flush();
		}
		options.onProgress?.(writer.rows);
	}
	while (writer.rows < options.rows) {
		writeVisit(traffic, cut - 1 - random.below(HOUR_MS), writer, totals);
		if (writer.isFull) await writer.flush();
	}
	await writer.finish();
	return { rows: writer.rows, botHits: await demoBotHits(store, { ...options, end: cut }, run), ...totals };
}

type Totals = { conversions: number; revenue: number };

/** Starts of an hour's visits, in order. A surplus or deficit of one hour is balanced in the next. */
function startsIn(random: Random, hour: ShapedHour, rows: number): number[] {
	const visits = Math.max(0, Math.round(rows / ROWS_OF_A_VISIT));
	return Array.from({ length: visits }, () => hour.start + random.below(hour.length)).sort((a, b) => a - b);
}

function writeVisit(traffic: DemoTraffic, start: number, writer: RowWriter, totals: Totals) {
	for (const event of demoVisit(traffic, start)) {
		for (const line of visitLines(event)) writer.add(line);
		if (event.kind === "conversion") totals.conversions++;
		totals.revenue += event.amount;
	}
}
