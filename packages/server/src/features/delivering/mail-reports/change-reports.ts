import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { addedFields, changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { normalizeEmail } from "../../people/users/index.ts";
import { changeInTurn, type SiteChange, siteIsFull } from "../../tenancy/organizations/index.ts";
import { askStrangers, type SiteMailDeps, type Standing, standingsOf } from "../mail-recipients/index.ts";
import { runningPeriod } from "./figures.ts";
import {
	type Frequency,
	listRecipients,
	mailReports,
	type RecipientRow,
	type ReportRow,
	replaceRecipients,
	reportRecipients,
} from "./store.ts";

export interface MailReportDeps extends SiteMailDeps {
	readonly eventStore: EventStore;
	readonly log: Log;
}

/** Whether a recipient gets mails, and why not. */
export const recipientStatuses = [
	"active",
	"unsubscribed",
	"bounced",
	"deactivated",
	"unconfirmed",
	"no_access",
] as const;
type RecipientStatus = (typeof recipientStatuses)[number];

interface Recipient {
	readonly email: string;
	readonly status: RecipientStatus;
}

/** Makes these addresses the recipients of a report; those who have nothing to do with the site are asked first. */
async function chooseRecipients(
	deps: SiteMailDeps,
	trx: Metadata,
	{ id, site_id: siteId }: Pick<ReportRow, "id" | "site_id">,
	addresses: readonly string[],
): Promise<void> {
	const emails = [...new Set(addresses.map(normalizeEmail))];
	await replaceRecipients(trx, id, emails);
	await askStrangers(deps, trx, { siteId, emails });
}

const statuses: Readonly<Record<Standing["name"], RecipientStatus>> = {
	user: "active",
	agreed: "active",
	asked: "unconfirmed",
	refused: "unsubscribed",
	deactivated: "deactivated",
	// Somebody who could open the site and no longer can, or did not answer in time.
	stranger: "no_access",
};

function statusOf({ refusedAt, bouncedAt }: RecipientRow, standing: Standing | undefined): RecipientStatus {
	if (refusedAt !== null) return "unsubscribed";
	if (bouncedAt !== null) return "bounced";
	return standing === undefined ? "no_access" : statuses[standing.name];
}

/** The recipients of reports of one site, by report, as they stand at a moment. */
export async function recipientsOf(
	metadata: Metadata,
	{ siteId, nowMs }: { readonly siteId: string; readonly nowMs: number },
	reports: readonly Pick<ReportRow, "id">[],
): Promise<ReadonlyMap<number, readonly Recipient[]>> {
	const found = new Map<number, Recipient[]>(reports.map(({ id }) => [id, []]));
	const rows = await listRecipients(metadata, siteId, [...found.keys()]);
	const emails = [...new Set(rows.map(({ email }) => email))];
	const standings = new Map(
		(await standingsOf(metadata, { siteId, emails, nowMs })).map((standing) => [standing.email, standing]),
	);
	for (const row of rows) {
		found.get(row.reportId)?.push({ email: row.email, status: statusOf(row, standings.get(row.email)) });
	}
	return found;
}

const MAX_REPORTS = 20;

interface ReportInput {
	readonly frequency: Frequency;
	readonly recipients: readonly string[];
	readonly is_active: boolean;
}

interface ReportChange extends SiteChange {
	readonly site: SiteChange["site"] & { readonly timezone: string };
}

export interface Report {
	readonly row: ReportRow;
	readonly recipients: readonly Recipient[];
}

type ReadDeps = Pick<SiteMailDeps, "metadata" | "clock">;

/** The reports of a site, or one of them, with their recipients. */
export async function listWithRecipients(
	{ metadata, clock }: ReadDeps,
	siteId: string,
	id?: number,
): Promise<Report[]> {
	const rows = await mailReports.list(metadata, { site_id: siteId, ...(id !== undefined && { id }) }, "id");
	const recipients = await recipientsOf(metadata, { siteId, nowMs: clock.now() }, rows);
	return rows.map((row) => ({ row, recipients: recipients.get(row.id) ?? [] }));
}

export async function getReport(deps: ReadDeps, siteId: string, id: number): Promise<Report> {
	const [report] = await listWithRecipients(deps, siteId, id);
	if (report === undefined) throw new ServiceError("not_found", "Mail report not found");
	return report;
}

const audited = (row: ReportRow, recipients: readonly Recipient[]) => ({
	frequency: row.frequency,
	is_active: row.is_active === 1,
	recipients: recipients.map(({ email }) => email),
});

/** Adds a mail report; the first one goes out when the next period begins. `conflict` beyond 20. */
export function createReport(deps: SiteMailDeps, by: ReportChange, input: ReportInput): Promise<Report> {
	return changeInTurn(deps, by, async (trx, now) => {
		const count = await mailReports.count(trx, { site_id: by.site.id });
		if (count >= MAX_REPORTS) throw siteIsFull(MAX_REPORTS, "mail reports");
		const row = await mailReports.insert(trx, {
			site_id: by.site.id,
			frequency: input.frequency,
			is_active: input.is_active ? 1 : 0,
			sent_period: runningPeriod(input.frequency, by.site.timezone, now).toString(),
			created_by: by.actor.userId,
			created_at: now,
			updated_at: now,
		});
		await chooseRecipients(deps, trx, row, input.recipients);
		const report = await getReport({ ...deps, metadata: trx }, by.site.id, row.id);
		const details = addedFields(audited(report.row, report.recipients));
		return { answer: report, entry: { action: "mail_report.created", resourceId: row.id, details } };
	});
}

/**
 * Changes the given fields; an enabled report, or one with a new schedule, begins with the next period. Throws
 * `not_found`.
 */
export function changeReport(
	deps: SiteMailDeps,
	by: ReportChange,
	id: number,
	{ frequency, recipients, is_active: isActive }: Partial<ReportInput>,
): Promise<Report> {
	return changeInTurn(deps, by, async (trx, now) => {
		const before = await getReport({ ...deps, metadata: trx }, by.site.id, id);
		const isNew =
			(frequency ?? before.row.frequency) !== before.row.frequency || (isActive && before.row.is_active === 0);
		await mailReports.update(
			trx,
			{ id },
			{
				...(frequency !== undefined && { frequency }),
				...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
				...(isNew && {
					sent_period: runningPeriod(frequency ?? before.row.frequency, by.site.timezone, now).toString(),
				}),
				updated_at: now,
			},
		);
		if (recipients !== undefined) await chooseRecipients(deps, trx, before.row, recipients);
		const after = await getReport({ ...deps, metadata: trx }, by.site.id, id);
		const details = changedFields(audited(before.row, before.recipients), audited(after.row, after.recipients));
		return { answer: after, entry: { action: "mail_report.updated", resourceId: id, details } };
	});
}

export function removeReport(deps: ReadDeps, by: ReportChange, id: number): Promise<void> {
	return changeInTurn(deps, by, async (trx) => {
		const { row, recipients } = await getReport({ ...deps, metadata: trx }, by.site.id, id);
		await reportRecipients.drop(trx, { report_id: id });
		await mailReports.drop(trx, { id });
		const details = removedFields(audited(row, recipients));
		return { answer: undefined, entry: { action: "mail_report.deleted", resourceId: id, details } };
	});
}
