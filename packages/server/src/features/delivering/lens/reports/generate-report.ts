import { placed } from "../../../../analytics/query/question/bad-question.ts";
import { parseDay } from "../../../../analytics/query/question/parse-day.ts";
import type { LensDeps, LensSite } from "../deps.ts";
import { analyse } from "../runs/analyse.ts";
import { findSettings } from "../settings/settings-store.ts";
import { makeReport } from "./make-report.ts";
import { askedPeriod, type ReportType } from "./report-period.ts";
import type { ReportRow } from "./reports-store.ts";

const todayIn = (timezone: string, nowMs: number): Temporal.PlainDate =>
	Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timezone).toPlainDate();

/**
 * Makes the report that somebody asks for; one of the same period is made anew. Where nothing looks at the site by itself,
 * this does. 422 for a period that has not ended.
 */
export async function generateReport(
	deps: LensDeps,
	site: LensSite,
	{ type, end }: { readonly type: ReportType; readonly end: string | undefined },
): Promise<ReportRow> {
	const today = todayIn(site.timezone, deps.clock.now());
	const day = placed("body.period_end", () => parseDay(end, "period_end"));
	const period = askedPeriod(type, { end: day, today });
	const { analysisFrequency } = await findSettings(deps.metadata, site.id);
	const always = { isWanted: async () => true, follow: async () => undefined };
	if (analysisFrequency === "manual") await analyse(deps, site, today, always);
	const report = await makeReport(deps, site.id, period, { ...always, skipsEmpty: false });
	if (report === undefined) throw new Error("A report that was asked for was not stored");
	return report;
}
