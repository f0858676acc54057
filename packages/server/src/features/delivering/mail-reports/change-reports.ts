import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addedFields, changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { changeInTurn, type SiteChange, siteIsFull } from "../../tenancy/organizations/index.ts";
import type { SiteMailDeps } from "../mail-recipients/index.ts";
import { runningPeriod } from "./period.ts";
import { chooseRecipients, type Recipient, recipientsOf } from "./recipients.ts";
import {
	deleteReport,
	type Frequency,
	findReport,
	insertReport,
	listReports,
	type ReportRow,
	updateReport,
} from "./store.ts";

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

const reportNotFound = () => new ServiceError("not_found", { message: "Mail report not found" });

export async function listWithRecipients({ metadata, clock }: ReadDeps, siteId: string): Promise<Report[]> {
	const rows = await listReports(metadata, siteId);
	const recipients = await recipientsOf(metadata, { siteId, nowMs: clock.now() }, rows);
	return rows.map((row) => ({ row, recipients: recipients.get(row.id) ?? [] }));
}

export async function getReport({ metadata, clock }: ReadDeps, siteId: string, id: number): Promise<Report> {
	const row = await findReport(metadata, siteId, id);
	if (row === undefined) throw reportNotFound();
	const recipients = await recipientsOf(metadata, { siteId, nowMs: clock.now() }, [row]);
	return { row, recipients: recipients.get(id) ?? [] };
}

const audited = (row: ReportRow, recipients: readonly Recipient[]) => ({
	frequency: row.frequency,
	is_active: row.is_active === 1,
	recipients: recipients.map(({ email }) => email),
});

/** Adds a mail report; the first one goes out when the next period begins. `conflict` beyond 20. */
export function createReport(deps: SiteMailDeps, by: ReportChange, input: ReportInput): Promise<Report> {
	return changeInTurn(deps, by, async (trx, now) => {
		const present = await listReports(trx, by.site.id);
		if (present.length >= MAX_REPORTS) throw siteIsFull(MAX_REPORTS, "mail reports");
		const row = await insertReport(trx, {
			site_id: by.site.id,
			frequency: input.frequency,
			is_active: input.is_active ? 1 : 0,
			sent_period: runningPeriod(input.frequency, by.site.timezone, now).toString(),
			last_sent_at: null,
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
		await updateReport(trx, id, {
			...(frequency !== undefined && { frequency }),
			...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
			...(isNew && {
				sent_period: runningPeriod(frequency ?? before.row.frequency, by.site.timezone, now).toString(),
			}),
			updated_at: now,
		});
		if (recipients !== undefined) await chooseRecipients(deps, trx, before.row, recipients);
		const after = await getReport({ ...deps, metadata: trx }, by.site.id, id);
		const details = changedFields(audited(before.row, before.recipients), audited(after.row, after.recipients));
		return { answer: after, entry: { action: "mail_report.updated", resourceId: id, details } };
	});
}

export function removeReport(deps: ReadDeps, by: ReportChange, id: number): Promise<void> {
	return changeInTurn(deps, by, async (trx) => {
		const { row, recipients } = await getReport({ ...deps, metadata: trx }, by.site.id, id);
		await deleteReport(trx, id);
		const details = removedFields(audited(row, recipients));
		return { answer: undefined, entry: { action: "mail_report.deleted", resourceId: id, details } };
	});
}
