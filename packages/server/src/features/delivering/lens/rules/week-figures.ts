import type { Dimension } from "../../../../analytics/catalog/dimensions.ts";
import type { Measures } from "../../../../analytics/catalog/metrics.ts";
import { runLargest, runReport } from "../../../../analytics/query/engine/run.ts";
import { comparisonRange, type DateRange } from "../../../../analytics/query/question/date-range.ts";
import { botStatistics } from "../../../../analytics/query/reports/bot-hits.ts";
import { windowSums } from "../../../../analytics/query/reports/window-sums.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import type { SiteRow } from "../../../tenancy/sites/index.ts";
import type { WatchDeps } from "../../mail-recipients/index.ts";

export type LensSite = Pick<SiteRow, "id" | "timezone">;

export const lookedAt = [
	"entrances",
	"engaged_entrances",
	"page_views",
	"microconversions",
	"conversions",
	"revenue",
] as const;
export type Sums = Measures<(typeof lookedAt)[number]>;

/** A week, or another period, beside the one before. */
export interface Compared<T> {
	readonly now: T;
	readonly before: T;
}

export interface Part extends Compared<Sums> {
	readonly value: string;
}

export const partNames = [
	"channel_group",
	"utm_campaign",
	"country",
	"device_type",
	"landing_page",
	"utm_source",
] as const;
export type PartName = (typeof partNames)[number];

interface BotHits {
	readonly hits: number;
	readonly suspicious: number;
}

export interface WeekFigures extends Compared<Sums> {
	/** The last seven whole days, and the seven before. */
	readonly days: Compared<DateRange>;
	/** Of the 14 days, those with hits. */
	readonly daysWithData: number;
	readonly parts: Readonly<Record<PartName, readonly Part[]>>;
	readonly bots: Compared<BotHits>;
	/** Hits of the last 24 hours and the mean of the seven times 24 hours before; undefined while hits may not be stored yet. */
	readonly lastDay: { readonly hits: number; readonly usual: number } | undefined;
	/** Counts of the collector in the last 24 hours; undefined if another process collects. */
	readonly collected: { readonly accepted: number; readonly rejected: number } | undefined;
}

type ReadDeps = Pick<WatchDeps, "eventStore" | "clock" | "refused" | "isCaughtUp">;

const DAY_MINUTES = 1440;

/** The week that ends the day before, and the one before that. */
export function weeksBefore(day: Temporal.PlainDate): Compared<DateRange> {
	const now = { start: day.subtract({ days: 7 }), end: day.subtract({ days: 1 }) };
	return { now, before: comparisonRange(now, "previous") };
}

/** Reads what the rules look at in the morning of a day; undefined when the site had no hits in both weeks. */
export async function readFigures(deps: ReadDeps, site: LensSite, today: Temporal.PlainDate) {
	const days = weeksBefore(today);
	const range = { start: days.before.start, end: days.now.end };
	const query = { site: site.id, range, dimensions: ["date"], metrics: [...lookedAt], conditions: [] } as const;
	const rows = await runReport(deps, query);
	const found = rows.filter((row) => row.page_views > 0 || row.entrances > 0);
	if (found.length === 0) return undefined;
	const firstDay = days.now.start.toString();
	const parts: Partial<Record<PartName, readonly Part[]>> = {};
	for (const name of partNames) parts[name] = await partsOf(deps, site.id, name, days);
	return {
		days,
		now: addUp(rows.filter(({ date }) => String(date) >= firstDay)),
		before: addUp(rows.filter(({ date }) => String(date) < firstDay)),
		daysWithData: found.length,
		parts: parts as WeekFigures["parts"],
		bots: await botsOf(deps, site.id, range, firstDay),
		lastDay: await lastDayOf(deps, site.id),
		collected: (await deps.refused(site.id))?.(DAY_MINUTES),
	};
}

const addUp = (rows: readonly Sums[]): Sums =>
	Object.fromEntries(lookedAt.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as Sums;

/** Values of a dimension beyond these have fewer visits, in both periods, than rules and reports look at. */
const MOST_VALUES = 1000;

/** The values of a dimension with any figure in one of two periods, those with the most visits before first. */
export async function partsOf(
	deps: Pick<ReadDeps, "eventStore" | "clock">,
	site: string,
	dimension: Dimension,
	{ now, before }: Compared<DateRange>,
): Promise<Part[]> {
	const query = { site, range: now, dimensions: [dimension], metrics: [...lookedAt], conditions: [] };
	const rows = await runLargest(deps, query, before, { by: "entrances", limit: MOST_VALUES });
	return rows
		.map(({ row, earlier }) => ({ value: String(row[dimension] ?? ""), now: row, before: earlier }))
		.filter((part) => lookedAt.some((name) => part.now[name] !== 0 || part.before[name] !== 0))
		.sort((one, other) => other.before.entrances - one.before.entrances);
}

async function botsOf(deps: ReadDeps, site: string, range: DateRange, firstDay: string): Promise<Compared<BotHits>> {
	const { days } = await botStatistics(deps, site, range);
	const of = (isNow: boolean) => {
		const some = days.filter(({ date }) => date >= firstDay === isNow);
		return {
			hits: some.reduce((sum, day) => sum + day.total_hits, 0),
			suspicious: some.reduce((sum, day) => sum + day.score_31_60 + day.score_61_80 + day.score_81_100, 0),
		};
	};
	return { now: of(true), before: of(false) };
}

/** Page views and events by time: hits that have been missing since yesterday morning are detected this morning. */
async function lastDayOf(deps: ReadDeps, site: string): Promise<WeekFigures["lastDay"]> {
	const until = deps.clock.now();
	const from = until - DAY_MS;
	const windows = [
		{ from, until },
		{ from: from - 7 * DAY_MS, until: from },
	];
	const [last, week] = (await windowSums(deps, { sites: [site], windows, conditions: [] })).get(site) ?? [];
	if (last === undefined || week === undefined) return undefined;
	const found = { hits: hitsIn(last), usual: hitsIn(week) / 7 };
	// Hits that wait somewhere are no sign that none come.
	return found.hits > 0 || (await deps.isCaughtUp(until)) ? found : undefined;
}

const hitsIn = ({ page_views, microconversions, conversions }: Sums): number =>
	page_views + microconversions + conversions;
