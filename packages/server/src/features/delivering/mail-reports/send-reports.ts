import { describeCause } from "../../../platform/log/describe-cause.ts";
import { findSite } from "../../tenancy/sites/index.ts";
import { type MailReportDeps, recipientsOf } from "./change-reports.ts";
import { composeReport } from "./compose-report.ts";
import { readFigures, reportDays, runningPeriod } from "./figures.ts";
import { type Frequency, mailReports, type ReportRow, reportRecipients } from "./store.ts";
import { unsubscribeUrl } from "./unsubscribe-routes.ts";

/** Sends the reports whose morning has come, each once a period. A morning that was missed is made up for. */
export async function sendReports(deps: MailReportDeps): Promise<void> {
	for (const report of await mailReports.list(deps.metadata, { is_active: 1 }, "id")) {
		const site = deps.sites.get(report.site_id);
		if (site?.isActive !== true) continue;
		const period = runningPeriod(report.frequency, site.timezone, deps.clock.now());
		if (report.sent_period >= period.toString()) continue;
		try {
			await sendReport(deps, report, period);
		} catch (error) {
			// The others go out; this one is tried again.
			deps.log.warn({ report: report.id, cause: describeCause(error) }, "Email report could not be created");
		}
	}
}

async function sendReport(deps: MailReportDeps, report: ReportRow, period: Temporal.PlainDate): Promise<void> {
	const { content, isEmpty } = await reportContent(deps, report.site_id, report.frequency, period);
	const why = `You get this ${report.frequency} report because someone who manages the site added your address.`;
	const [sent_period, nowMs] = [period.toString(), deps.clock.now()];
	await deps.metadata.transaction().execute(async (trx) => {
		// None when another process has sent it, or the report is off by now.
		const due = { id: report.id, is_active: 1, sent_period: { "<": sent_period } };
		const claimed = await mailReports.update(trx, due, { sent_period, last_sent_at: nowMs });
		if (claimed === undefined || isEmpty) return;
		const standing = { siteId: report.site_id, nowMs };
		for (const { email, status } of (await recipientsOf(trx, standing, [report])).get(report.id) ?? []) {
			if (status !== "active") continue;
			const unsubscribe = unsubscribeUrl(deps, { siteId: report.site_id, email });
			const end = [why, { link: unsubscribe, label: "Unsubscribe", isQuiet: true }];
			const mail = { to: email, subject: content.subject, body: [...content.body, ...end], unsubscribe };
			await deps.mailer.queue(trx, { ...mail, reference: `mail-report ${report.id} ${email}` });
		}
	});
}

export async function reportContent(
	deps: Pick<MailReportDeps, "metadata" | "eventStore">,
	siteId: string,
	frequency: Frequency,
	period: Temporal.PlainDate,
) {
	const site = await findSite(deps.metadata, siteId);
	if (site === undefined) throw new Error("The site of a mail report is gone");
	const days = reportDays(frequency, period);
	const figures = await readFigures(deps, siteId, days);
	return { content: composeReport(site, { frequency, days }, figures), isEmpty: figures.isEmpty };
}

/** Notes the recipients whose address the mail server refuses for good: they get no more mails. */
export function noteRefusedMails({ mailer, metadata, clock }: MailReportDeps): void {
	mailer.onRefused(async (reference) => {
		const [, id, email] = /^mail-report (\d+) (.+)$/.exec(reference) ?? [];
		if (id === undefined || email === undefined) return;
		await reportRecipients.update(metadata, { report_id: Number(id), email }, { bounced_at: clock.now() });
	});
}
