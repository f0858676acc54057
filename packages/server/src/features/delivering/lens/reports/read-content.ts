import type { Dimension } from "../../../../analytics/catalog/dimensions.ts";
import { runTop, runTotals } from "../../../../analytics/query/engine/run.ts";
import type { DateRange } from "../../../../analytics/query/question/date-range.ts";
import type { LensDeps } from "../deps.ts";
import { byWeight, insightOf } from "../insights/insight.ts";
import { listInsights } from "../insights/insights-store.ts";
import { joinParts } from "../rules/join-parts.ts";
import { lookedAt, type Sums } from "../rules/week-figures.ts";
import type { ReportContent, ReportPart, ReportSums } from "./report-content.ts";
import type { ReportPeriod } from "./report-period.ts";

/** Rows of the longest list, of which a page shows fewer. */
const LONGEST = 50;

/** Reads the figures of a report, and the insights whose last day lies in it. */
export async function readContent(deps: LensDeps, site: string, { now, before }: ReportPeriod): Promise<ReportContent> {
	const metrics = [...lookedAt, "paid_conversions"] as const;
	const totals = async (range: DateRange): Promise<ReportSums> => {
		const row = await runTotals(deps, { site, range, dimensions: [], metrics, conditions: [] });
		return Object.fromEntries(metrics.map((name) => [name, row[name]])) as Required<ReportSums>;
	};
	const of = (dimension: Dimension) => partsOf(deps, site, dimension, { now, before });
	const from = now.start.toString();
	const until = now.end.toString();
	const rows = await listInsights(deps.metadata, { siteId: site, nowMs: deps.clock.now() });
	const insights = rows
		.filter(({ last_day: day }) => day >= from && day <= until)
		.map(insightOf)
		.sort(byWeight);
	return {
		now: await totals(now),
		before: await totals(before),
		channels: await of("channel_group"),
		audience: { device_type: await of("device_type"), country: await of("country"), browser: await of("browser") },
		insights: insights.map(({ row, finding }) => ({ id: row.id, finding })),
	};
}

async function partsOf(
	deps: LensDeps,
	site: string,
	dimension: Dimension,
	periods: Pick<ReportPeriod, "now" | "before">,
): Promise<ReportPart[]> {
	const ask = async (range: DateRange) => {
		const query = { site, range, dimensions: [dimension], metrics: [...lookedAt], conditions: [] };
		const rows = await runTop(deps, query, { order: [{ by: "entrances", direction: "desc" }], limit: LONGEST });
		return rows.map((row) => ({ value: String(row[dimension] ?? ""), sums: row as Sums }));
	};
	const [now, before] = await Promise.all([ask(periods.now), ask(periods.before)]);
	const short = ({ entrances, conversions, revenue }: Sums) => ({ entrances, conversions, revenue });
	return joinParts({ now, before }, LONGEST)
		.map(({ value, ...part }) => ({ value, now: short(part.now), before: short(part.before) }))
		.sort((one, other) => other.now.entrances - one.now.entrances || (one.value < other.value ? -1 : 1))
		.slice(0, LONGEST);
}
