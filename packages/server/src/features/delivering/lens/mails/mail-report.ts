import { dayRange } from "../../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { withoutLinks } from "../../../../platform/outbound/mail/plain-text.ts";
import type { LensDeps } from "../deps.ts";
import { type KeyMetric, keyMetricsOf } from "../reports/key-metrics.ts";
import type { ReportContent } from "../reports/report-content.ts";
import type { ReportRow } from "../reports/reports-store.ts";
import type { Settings } from "../settings/settings-store.ts";
import { type Numbers, numbersIn } from "../words/numbers.ts";
import { reportTexts } from "../words/report-texts.ts";
import { mailAll } from "./mail-all.ts";
import { siteWords } from "./mails-store.ts";

/** In percent, and against less than nothing, as refunds make it, by the difference. */
function changeText({ current, previous, change_pct: change, unit }: KeyMetric, numbers: Numbers): string {
	const by = current - (previous ?? 0);
	if (change === null && current > 0 && by === current) return "new";
	const size = change === null ? numbers.value(Math.abs(by), unit) : numbers.percent(change);
	return `${by > 0 ? "+" : by < 0 ? "-" : ""}${size}`;
}

/** Mails a weekly report to those whom somebody named, in the transaction that stores it. */
export async function mailReport(
	deps: LensDeps,
	trx: Metadata,
	{ siteId, settings, report }: { readonly siteId: string; readonly settings: Settings; readonly report: ReportRow },
): Promise<void> {
	const emails = settings.emailRecipients;
	const isMailed = settings.notifyEmail && report.report_type === "weekly" && emails.length > 0;
	const site = isMailed ? await siteWords(trx, siteId) : undefined;
	if (site === undefined || report.content === null) return;
	const content = JSON.parse(report.content) as ReportContent;
	const numbers = numbersIn("en", site.currency);
	const texts = reportTexts.en;
	const rows = Object.entries(keyMetricsOf(content))
		.filter(([, { current, previous }]) => current !== 0 || (previous ?? 0) !== 0)
		.map(([name, metric]) => [
			texts.metrics[name as keyof typeof texts.metrics],
			numbers.value(metric.current, metric.unit),
			changeText(metric, numbers),
		]);
	const name = withoutLinks(site.name);
	const count = content.insights.length;
	await mailAll(
		deps,
		trx,
		{ siteId, emails },
		{
			subject: `${name}: weekly report, ${dayRange(report.period_start, report.period_end)}`,
			body: [
				`${name}, ${dayRange(report.period_start, report.period_end)}, compared with the previous week.`,
				{ rows },
				count === 0 ? "Nothing unusual found." : `Insights: ${count}.`,
				{ link: `${deps.rootUrl}/sites/${siteId}/insights/reports/${report.id}`, label: "View report" },
			],
		},
	);
}
