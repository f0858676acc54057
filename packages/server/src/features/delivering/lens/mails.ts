import { dayRange } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mail } from "../../../platform/outbound/mail/mailer.ts";
import { withoutLinks } from "../../../platform/outbound/mail/plain-text.ts";
import { findSite, type SiteRow } from "../../tenancy/sites/index.ts";
import type { WatchDeps } from "../mail-recipients/index.ts";
import { maybeMailed, ownerAddresses, standingsOf } from "../mail-recipients/index.ts";
import { refusalsOf, unsubscribeUrl } from "../mail-reports/index.ts";
import { deepLink } from "./insights/present.ts";
import { keyMetricsOf } from "./reports/present-figures.ts";
import type { KeyMetric } from "./reports/schemas.ts";
import {
	insightOf,
	listInsights,
	type ReportContent,
	type ReportRow,
	type Settings,
	type StoredInsight,
} from "./store.ts";
import { wordsOf } from "./words/insight-words.ts";
import { type Numbers, numbersIn } from "./words/numbers.ts";
import { reportTexts } from "./words/report-texts.ts";

type Content = Pick<Mail, "subject" | "body">;

/** Mails those of some addresses who may be mailed about a site and have not unsubscribed from its summaries. */
async function mailAll(
	deps: WatchDeps,
	trx: Metadata,
	{ siteId, emails }: { readonly siteId: string; readonly emails: readonly string[] },
	{ subject, body }: Content,
): Promise<void> {
	const refused = await refusalsOf(trx, siteId, emails);
	const standings = await standingsOf(trx, { siteId, emails, nowMs: deps.clock.now() });
	for (const { email } of standings.filter(maybeMailed)) {
		if (refused.has(email)) continue;
		const unsubscribe = unsubscribeUrl(deps, { siteId, email });
		const why =
			"You receive this email because you own the site, or because someone who manages it added your address.";
		const end = [why, { link: unsubscribe, label: "Unsubscribe", isQuiet: true }];
		await deps.mailer.queue(trx, { to: email, subject, body: [...body, ...end], unsubscribe });
	}
}

/** Most insights in a mail; it links to the page with all. */
const MOST = 10;

/** Mails what a run found, in its transaction: one mail for all that is new and wished for, to those named or the owners. */
export async function tellInsights(
	deps: WatchDeps,
	trx: Metadata,
	{ siteId, settings, ids }: { readonly siteId: string; readonly settings: Settings; readonly ids: readonly string[] },
): Promise<void> {
	if (!settings.notify_email || ids.length === 0) return;
	const rows = await listInsights(trx, { siteId, nowMs: deps.clock.now() });
	const told = rows.filter(({ id, severity }) => ids.includes(id) && settings[`notify_on_${severity}`]).map(insightOf);
	const site = await findSite(trx, siteId);
	if (told.length === 0 || site === undefined) return;
	const { email_recipients: named } = settings;
	const emails = named.length > 0 ? named : await ownerAddresses(trx, site.organization_id);
	await mailAll(deps, trx, { siteId, emails }, digest(deps, site, told));
}

function digest(
	{ rootUrl }: Pick<WatchDeps, "rootUrl">,
	site: Pick<SiteRow, "id" | "name" | "currency">,
	told: readonly StoredInsight[],
): Content {
	const name = withoutLinks(site.name);
	const shown = told.slice(0, MOST);
	const [first] = shown;
	if (first === undefined) throw new Error("A digest of nothing");
	// The value may be text of a visitor.
	const words = shown.map(({ finding }) => wordsOf(plain(finding), "en", site.currency));
	const numbers = numbersIn("en", site.currency);
	const body = shown.flatMap((insight, index) => {
		const { title = "", description = "", recommendation = "" } = words[index] ?? {};
		const { impact, days } = insight.finding;
		const worth = impact === null ? "" : ` Worth about ${numbers.money(impact)} a week.`;
		const link = `${rootUrl}${deepLink(site.id, insight.finding, days)}`;
		return [title, `${description}${worth} ${recommendation}`, { link, label: "View" }];
	});
	const more = told.length - shown.length;
	const [title] = words;
	return {
		subject:
			told.length === 1 ? `${name}: ${title?.title ?? ""}` : `${name}: ${told.length} insights, ${title?.title ?? ""}`,
		body: [
			...body,
			...(more > 0 ? [`And ${more} more.`] : []),
			{ link: `${rootUrl}/sites/${site.id}/insights`, label: "All insights" },
		],
	};
}

const plain = ({ entity, other, ...finding }: StoredInsight["finding"]): StoredInsight["finding"] => ({
	...finding,
	entity: entity === null ? null : withoutLinks(entity),
	other: other === null ? null : withoutLinks(other),
});

/** In percent, and against less than nothing, as refunds make it, by the difference. */
function changeText({ current, previous, change_pct: change, unit }: KeyMetric, numbers: Numbers): string {
	const by = current - (previous ?? 0);
	if (change === null && current > 0 && by === current) return "new";
	const size = change === null ? numbers.value(Math.abs(by), unit) : numbers.percent(change);
	return `${by > 0 ? "+" : by < 0 ? "-" : ""}${size}`;
}

/** Mails a weekly report to those whom somebody named, in the transaction that stores it. */
export async function mailReport(
	deps: WatchDeps,
	trx: Metadata,
	{ siteId, settings, report }: { readonly siteId: string; readonly settings: Settings; readonly report: ReportRow },
): Promise<void> {
	const emails = settings.email_recipients;
	const isMailed = settings.notify_email && report.report_type === "weekly" && emails.length > 0;
	const site = isMailed ? await findSite(trx, siteId) : undefined;
	if (site === undefined || report.content === null) return;
	const content = JSON.parse(report.content) as ReportContent;
	const numbers = numbersIn("en", site.currency);
	const texts = reportTexts.en;
	const { entrances, ...others } = keyMetricsOf(content);
	const rows = Object.entries(others)
		.filter(([, { current, previous }]) => current !== 0 || (previous ?? 0) !== 0)
		.map(([name, metric]) => [
			texts.metrics[name as keyof typeof texts.metrics],
			numbers.value(metric.current, metric.unit),
			changeText(metric, numbers),
		]);
	const name = withoutLinks(site.name);
	const count = content.insights.length;
	const days = dayRange(report.period_start, report.period_end);
	const visits = `${numbers.value(entrances.current, entrances.unit)} ${entrances.current === 1 ? "visit" : "visits"}`;
	const { change_pct: change } = entrances;
	const than =
		change === null ? "" : `, ${numbers.percent(change)} ${change < 0 ? "fewer" : "more"} than the week before`;
	await mailAll(
		deps,
		trx,
		{ siteId, emails },
		{
			subject: `${name}: weekly report, ${visits}, ${days}`,
			body: [
				{ lead: `${visits}${than}.` },
				`${name}, ${days}, compared with the previous week.`,
				...(rows.length === 0 ? [] : [{ heads: ["Other figures", "Value", "Change"], rows }]),
				count === 0 ? "Nothing unusual found." : `Insights: ${count}.`,
				{ link: `${deps.rootUrl}/sites/${siteId}/insights/reports/${report.id}`, label: "View report" },
			],
		},
	);
}
