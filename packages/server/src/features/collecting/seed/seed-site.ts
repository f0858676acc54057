import { countryOfZone } from "../../../analytics/attribution/country-of-zone.ts";
import { botFlagBits, botHitColumns, botHitLine } from "../../../analytics/model/bot-flags.ts";
import { eventColumns } from "../../../analytics/model/event-columns.ts";
import { localHour } from "../../../analytics/model/site-clock.ts";
import { visitLines } from "../../../analytics/model/visit-rows.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { DAY_MS, HOUR_MS } from "../../../platform/lib/durations.ts";
import type { SiteFacts } from "../../tenancy/sites/index.ts";
import { newSessionId } from "../visitors/index.ts";
import { type DemoTraffic, demoVisit } from "./demo-hits.ts";
import { drawPage } from "./demo-pages.ts";
import { drawBotAgent } from "./demo-visitors.ts";
import { createRandom, type Random } from "./random.ts";

interface Target {
	readonly table: string;
	readonly columns: readonly string[];
	/** Names this run, so that a batch that is sent twice is stored once. */
	readonly run: string;
}

const BATCH_BYTES = 16 * 1024 * 1024;
/** Room that a batch keeps for one more line. */
const LONGEST_LINE = 64 * 1024;

/** Stores lines in batches, and returns their number; one batch is stored while the next is made. */
async function storeLines(
	store: EventStore,
	{ table, columns, run }: Target,
	lines: Iterable<string>,
): Promise<number> {
	// Lines go into bytes at once: as strings, a batch of them would keep the garbage collector busy half of the time.
	let [filling, spare] = [Buffer.allocUnsafe(BATCH_BYTES), Buffer.allocUnsafe(BATCH_BYTES)];
	let [length, rows, batch] = [0, 0, 0];
	let storing = Promise.resolve();
	const flush = async () => {
		await storing;
		if (length === 0) return;
		const tsv = filling.subarray(0, length);
		[filling, spare, length] = [spare, filling, 0];
		storing = store.insert({ table, columns, tsv, deduplicationToken: `${run}-${table}-${batch++}` });
		// A failure surfaces when the next batch waits.
		storing.catch(() => undefined);
	};
	for (const line of lines) {
		length += filling.write(line, length);
		rows++;
		if (length > BATCH_BYTES - LONGEST_LINE) await flush();
	}
	await flush();
	await storing;
	return rows;
}

/** Bot hits are kept for a week. */
const KEPT_DAYS = 7;
const SHARE_OF_ROWS = 0.04;
const MAX_SESSIONS = 400;

/** The hits of programs for the last week of the period. */
function* botLines(options: SeedOptions, end: number): Generator<string> {
	const random = createRandom(options.seed + 1);
	const days = Math.min(KEPT_DAYS, options.days);
	const count = Math.round((options.rows / options.days) * days * SHARE_OF_ROWS);
	for (let index = 0; index < count; index++) {
		yield botLine(random, options, end - days * DAY_MS + (index / count) * days * DAY_MS);
	}
}

function botLine(random: Random, { site }: SeedOptions, at: number): string {
	const userAgent = drawBotAgent(random);
	const visitor = 1 + random.below(MAX_SESSIONS);
	const isBlank = userAgent === "";
	const score = isBlank ? 90 : 85 + random.below(16);
	const ts = Math.floor(at);
	return botHitLine({
		site: site.id,
		date: localHour(site.timezone, ts).date,
		ts,
		session: newSessionId(visitor, 0, undefined),
		score,
		flags:
			(isBlank ? botFlagBits.empty_user_agent : botFlagBits.known_bot_pattern) |
			(random.chance(0.7) ? botFlagBits.missing_accept_language : 0),
		counted: false,
		userAgent,
		country: countryOfZone("America/New_York"),
	});
}

/** Share of a day's visits by hour, from midnight on: quiet nights, a lunch peak, a higher evening one. */
const hourWeights = [
	1.1, 0.7, 0.5, 0.4, 0.4, 0.7, 1.6, 3.0, 4.4, 5.2, 5.6, 5.8, 6.0, 5.6, 5.3, 5.2, 5.4, 5.8, 6.2, 6.9, 7.6, 7.4, 5.6,
	3.0,
];
/** Sunday first. */
const weekdayWeights = [1.12, 1.04, 0.98, 0.96, 0.97, 0.9, 1.0];
/** How much more traffic the last day has than the first. */
const GROWTH = 0.6;

interface ShapedHour {
	/** Its beginning, ms. */
	readonly start: number;
	/** Milliseconds; less than an hour where it was cut off. */
	readonly length: number;
	readonly share: number;
}

/** Spreads traffic over the `days` before `end` (ms) and before `cut`: weekly and daily rhythms, growth, and exceptional days. */
function shapeHours(random: Random, days: number, end: number, cut: number): ShapedHour[] {
	const first = end - days * DAY_MS;
	const weights: number[] = [];
	for (let day = 0; day < days; day++) {
		const weekday = new Date(first + day * DAY_MS).getUTCDay();
		const noise = 0.9 + 0.2 * random.next();
		const peak = random.chance(0.03) ? 1.6 : 1;
		const level = (1 + (GROWTH * day) / days) * (weekdayWeights[weekday] ?? 1) * noise * peak;
		for (const weight of hourWeights) weights.push(weight * level * (0.92 + 0.16 * random.next()));
	}
	const hours = weights.flatMap((weight, hour) => {
		const start = first + hour * HOUR_MS;
		const length = Math.min(HOUR_MS, cut - start);
		return length > 0 ? [{ start, length, weight: (weight * length) / HOUR_MS }] : [];
	});
	const total = hours.reduce((sum, { weight }) => sum + weight, 0);
	return hours.map(({ start, length, weight }) => ({ start, length, share: weight / total }));
}

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
}

/** On average, near enough to plan with. */
const ROWS_OF_A_VISIT = 3.3;

/** Fills a site with plausible traffic through the row code of the collector, oldest first, and counts what it holds. */
export async function seedSite(store: EventStore, options: SeedOptions) {
	const { site, seed, end, cut = end } = options;
	const run = `seed-${site.id}-${seed}-${options.rows}-${options.days}-${cut}`;
	const totals = { conversions: 0, revenue: 0 };
	const events = { table: "events", columns: Object.keys(eventColumns), run };
	const rows = await storeLines(store, events, eventLines({ ...options, cut }, totals));
	const bots = { table: "bot_hits", columns: botHitColumns, run };
	return { rows, botHits: await storeLines(store, bots, botLines(options, cut)), ...totals };
}

function* eventLines(
	{ site, rows, days, seed, end, cut, wild }: SeedOptions & { readonly cut: number },
	totals: { conversions: number; revenue: number },
): Generator<string> {
	const random = createRandom(seed);
	const traffic: DemoTraffic = {
		random,
		site,
		pages: drawPage(wild),
		wild,
		taken: new Set(),
		returns: createRandom(seed + 2),
		today: { date: "", visitors: [] },
	};
	let written = 0;
	function* visit(start: number) {
		for (const event of demoVisit(traffic, start)) {
			const lines = visitLines(event);
			written += lines.length;
			yield* lines;
			if (event.kind === "conversion") totals.conversions++;
			totals.revenue += event.amount;
		}
	}
	let planned = 0;
	for (const hour of shapeHours(random, days, end, cut)) {
		planned += hour.share * rows;
		for (const start of startsIn(random, hour, planned - written)) yield* visit(start);
	}
	while (written < rows) yield* visit(cut - 1 - random.below(HOUR_MS));
}

/** Starts of an hour's visits, in order. A surplus or deficit of one hour is balanced in the next. */
function startsIn(random: Random, hour: ShapedHour, rows: number): number[] {
	const visits = Math.max(0, Math.round(rows / ROWS_OF_A_VISIT));
	return Array.from({ length: visits }, () => hour.start + random.below(hour.length)).sort((a, b) => a - b);
}
