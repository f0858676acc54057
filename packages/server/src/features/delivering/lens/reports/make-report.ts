import type { Dimension } from "../../../../analytics/catalog/dimensions.ts";
import { named, runCompared } from "../../../../analytics/query/engine/run.ts";
import type { DateRange } from "../../../../analytics/query/question/date-range.ts";
import { periods } from "../../../../analytics/query/question/periods.ts";
import { fieldError } from "../../../../platform/errors/service-error.ts";
import { uuid } from "../../../../platform/lib/ids.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { WatchDeps } from "../../mail-recipients/index.ts";
import { type Compared, lookedAt, partsOf, type Sums } from "../rules/week-figures.ts";
import {
	insightOf,
	lensReports,
	listInsights,
	type ReportContent,
	type ReportPart,
	type ReportRow,
	type ReportSums,
	type ReportType,
} from "../store.ts";

export const reportTypes = ["weekly", "monthly"] as const;

interface ReportPeriod extends Compared<DateRange> {
	readonly type: ReportType;
}

const sevenDays = (end: Temporal.PlainDate): ReportPeriod => ({
	type: "weekly",
	now: { start: end.subtract({ days: 6 }), end },
	before: { start: end.subtract({ days: 13 }), end: end.subtract({ days: 7 }) },
});

const monthOf = (day: Temporal.PlainDate): ReportPeriod => ({
	type: "monthly",
	now: periods.this_month(day),
	before: periods.last_month(day),
});

/** The last week, Monday to Sunday, that had ended by a day. */
export const weeklyPeriod = (day: Temporal.PlainDate): ReportPeriod => sevenDays(periods.last_week(day).end);

export const monthlyPeriod = (day: Temporal.PlainDate): ReportPeriod => monthOf(periods.last_month(day).start);

/** The period that somebody asks for: the seven days that end on a day, or its month. 422 for one that has not ended. */
export function askedPeriod(
	type: ReportType,
	{ end, today }: { readonly end: Temporal.PlainDate | undefined; readonly today: Temporal.PlainDate },
): ReportPeriod {
	if (end === undefined) return type === "weekly" ? weeklyPeriod(today) : monthlyPeriod(today);
	const period = type === "weekly" ? sevenDays(end) : monthOf(end);
	if (Temporal.PlainDate.compare(period.now.end, today) < 0) return period;
	const must = type === "weekly" ? "Must be a day that has ended" : "Must be a day of a month that has ended";
	throw fieldError("body.period_end", must);
}

/** A site has one report of a type and period; made again, it keeps its id. */
const periodColumns = ["site_id", "report_type", "period_start", "period_end"] as const;

const LONGEST = 50;

const metrics = [...lookedAt, "paid_conversions"] as const;

type Periods = Pick<ReportPeriod, "now" | "before">;

async function readTotals(deps: WatchDeps, site: string, { now, before }: Periods): Promise<Compared<ReportSums>> {
	const query = { site, range: now, dimensions: [], metrics, conditions: [] };
	const [found] = (await runCompared(deps, query, before, { order: [] })).rows;
	return { now: named(metrics, "", found?.row), before: named(metrics, "", found?.earlier) };
}

/** Reads the figures of a report, and the insights whose last day lies in it; undefined when `skipsEmpty` and there are no visits. */
async function readContent(
	deps: WatchDeps,
	site: string,
	period: ReportPeriod,
	skipsEmpty: boolean,
): Promise<ReportContent | undefined> {
	const totals = await readTotals(deps, site, period);
	if (skipsEmpty && !hasVisits(totals)) return undefined;
	const of = (dimension: Dimension) => shortPartsOf(deps, site, dimension, period);
	const from = period.now.start.toString();
	const until = period.now.end.toString();
	const rows = await listInsights(deps.metadata, { siteId: site, nowMs: deps.clock.now() });
	const insights = rows.filter(({ last_day: day }) => day >= from && day <= until).map(insightOf);
	return {
		...totals,
		channels: await of("channel_group"),
		audience: { device_type: await of("device_type"), country: await of("country"), browser: await of("browser") },
		insights: insights.map(({ row, finding }) => ({ id: row.id, finding })),
	};
}

async function shortPartsOf(
	deps: WatchDeps,
	site: string,
	dimension: Dimension,
	compared: Periods,
): Promise<ReportPart[]> {
	const short = ({ entrances, conversions, revenue }: Sums) => ({ entrances, conversions, revenue });
	return (await partsOf(deps, site, dimension, compared))
		.map(({ value, ...part }) => ({ value, now: short(part.now), before: short(part.before) }))
		.sort((one, other) => other.now.entrances - one.now.entrances || (one.value < other.value ? -1 : 1))
		.slice(0, LONGEST);
}

/** Time of storing a report, and the writes of the same transaction. */
interface Making {
	/** False when another process has made it. */
	isWanted(trx: Metadata): Promise<boolean>;
	/** True when a period without any visit, as the one before, needs no report. */
	readonly skipsEmpty: boolean;
	follow(trx: Metadata, report: ReportRow): Promise<void>;
}

const hasVisits = ({ now, before }: Pick<ReportContent, "now" | "before">): boolean =>
	[now, before].some(({ entrances, page_views: views }) => entrances > 0 || views > 0);

/** Makes the report of a period; undefined when it was not stored. When it fails, that is noted, and thrown. */
export async function makeReport(
	deps: WatchDeps,
	siteId: string,
	period: ReportPeriod,
	{ isWanted, skipsEmpty, follow }: Making,
): Promise<ReportRow | undefined> {
	const startedAt = deps.clock.now();
	const row = {
		id: uuid(),
		site_id: siteId,
		report_type: period.type,
		period_start: period.now.start.toString(),
		period_end: period.now.end.toString(),
		compared_from: period.before.start.toString(),
		generation_started_at: startedAt,
		view_count: 0,
		created_at: startedAt,
	};
	let content: ReportContent | undefined;
	try {
		content = await readContent(deps, siteId, period, skipsEmpty);
	} catch (error) {
		const error_message = "The report could not be made; it is tried again";
		const failed = { ...row, status: "failed" as const, error_message, updated_at: deps.clock.now() };
		await lensReports.insertUnlessTaken(deps.metadata, failed, ...periodColumns);
		throw error;
	}
	return deps.metadata.transaction().execute(async (trx) => {
		if (!(await isWanted(trx)) || content === undefined) return undefined;
		const now = deps.clock.now();
		const made = {
			status: "completed" as const,
			content: JSON.stringify(content),
			error_message: null,
			generation_started_at: startedAt,
			generation_completed_at: now,
			updated_at: now,
		};
		const report = await lensReports.upsert(trx, { ...row, ...made }, periodColumns, made);
		await follow(trx, report);
		return report;
	});
}
