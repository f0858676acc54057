import { dropImport } from "../../../analytics/deletion/delete-rows.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Forgetting } from "../../tenancy/data-keeping/index.ts";
import { lockOrganization, type SiteChange } from "../../tenancy/organizations/index.ts";
import { noteImport, refuseDuplicate } from "./create-import.ts";
import type { ImportDeps } from "./deps.ts";
import { dropLater, runLater } from "./import-jobs.ts";
import { reportOf } from "./present.ts";
import { refuseImports, refusePartitions } from "./quotas.ts";
import { monthsOf, ofDays } from "./report.ts";
import { endImport } from "./run-import.ts";
import { findSiteImport, type ImportRow, imports, isUnfinished, moveImport } from "./store.ts";
import { removeFileLater } from "./stored-file.ts";

interface ImportRequest extends SiteChange {
	readonly importId: string;
}

/** Throws `not_found`. */
export async function getImport(metadata: Metadata, siteId: string, importId: string): Promise<ImportRow> {
	const row = await findSiteImport(metadata, siteId, importId);
	if (row === undefined) throw new ServiceError("not_found", "Import not found");
	return row;
}

const conflict = (message: string) => new ServiceError("conflict", message);

/** Asks for the rows of a dry run. Throws `not_found`, `conflict` in another state, `duplicate_entry` for a file that is imported, `quota_exceeded`. */
export async function startImport(deps: ImportDeps, { site, importId, actor }: ImportRequest): Promise<ImportRow> {
	const { metadata, clock } = deps;
	return metadata.transaction().execute(async (trx) => {
		await lockOrganization(trx, site.organizationId);
		const row = await getImport(trx, site.id, importId);
		if (row.status !== "validated")
			throw conflict(`Only an import that is validated can be run; this one is ${row.status}`);
		await refuseDuplicate(trx, { siteId: site.id, sha256: row.file_sha256, besides: importId });
		await refuseImports(trx, row);
		await refusePartitions(trx, row, monthsOf(reportOf(row)?.by_day ?? []).size);
		const started = await moveImport(trx, importId, "importing", {
			dry_run: 0,
			progress_percent: 0,
			started_at: clock.now(),
		});
		if (started === undefined) throw conflict("The import has changed meanwhile");
		await noteImport(deps, trx, { site, actor }, started, "import.started");
		await runLater(deps, trx, { importId, organizationId: site.organizationId });
		return started;
	});
}

/** Removes exactly the rows of an import. Throws `not_found`, and `conflict` when it has not ended or has no rows any more. */
export async function undoImport(deps: ImportDeps, { site, importId, actor }: ImportRequest): Promise<ImportRow> {
	const { metadata, clock } = deps;
	await metadata.transaction().execute(async (trx) => {
		const row = await getImport(trx, site.id, importId);
		if (row.status !== "completed" && row.status !== "failed") {
			throw conflict(`Only an import that is completed or failed can be undone; this one is ${row.status}`);
		}
		// The rows are dropped even if this process ends.
		await dropLater(deps, trx, row);
		await noteImport(deps, trx, { site, actor }, row, "import.undone");
	});
	await dropImport(deps, site.id, importId);
	const undone = await moveImport(metadata, importId, "undone", { undone_at: clock.now() });
	if (undone === undefined) throw conflict("The import has been undone meanwhile");
	return undone;
}

/** Cancels an unfinished import with its rows, or removes one without rows. Throws `not_found`, and `conflict` for one with rows. */
export async function removeImport(deps: ImportDeps, { site, importId }: Omit<ImportRequest, "actor">): Promise<void> {
	await deps.metadata.transaction().execute(async (trx) => {
		const row = await getImport(trx, site.id, importId);
		if (row.status === "completed" || (row.status === "failed" && row.partitions > 0)) {
			throw conflict("The import has rows: undo it first");
		}
		if (row.status !== "validated" && isUnfinished(row)) {
			if ((await cancelImport(deps, trx, row)) === undefined) throw conflict("The import has changed meanwhile");
			return;
		}
		await removeFileLater(deps, trx, row);
		const removable = { import_id: importId, status: ["validated", "failed", "cancelled", "undone"] as const };
		if ((await imports.delete(trx, removable)) === undefined) throw conflict("The import has changed meanwhile");
	});
}

/** Ends an import before its end, within a transaction of the caller: its file and rows go. */
async function cancelImport(
	deps: ImportDeps,
	trx: Metadata,
	row: ImportRow,
	message: string | null = null,
): Promise<ImportRow | undefined> {
	const cancelled = await endImport(deps, trx, row, { to: "cancelled", changes: { error_message: message } });
	if (cancelled !== undefined && row.status === "importing") await dropLater(deps, trx, row);
	return cancelled;
}

/** Ends imports that may bring deleted days back, and takes these days out of reports of others; false while a run may be at work. */
export async function removeImportsOf(
	deps: ImportDeps,
	{ deletionId, site, days, rowsDeletedAt }: Pick<Forgetting, "deletionId" | "site" | "days" | "rowsDeletedAt">,
): Promise<boolean> {
	let isDone = true;
	for (const row of await imports.list(deps.metadata, { site_id: site.id }, "id")) {
		// Imports created after the deletion of the rows are not affected.
		if (row.created_at > rowsDeletedAt) continue;
		if (!isUnfinished(row)) await forgetDays(deps, row, days);
		// An import brings no rows that the site's retention excludes.
		else if (deletionId !== RETENTION && mayBring(row, days)) {
			// Which days it has is not known before it is read, and none of them is written without being asked for.
			const isUnread = row.dry_run === 1 && row.report === null && !isAll(days);
			if (isUnread || row.status === "importing") isDone = false;
			if (isUnread) continue;
			await deps.metadata.transaction().execute((trx) => cancelImport(deps, trx, row, "Days of the site were deleted"));
			if (row.stored_name !== null) await deps.files.remove(row.stored_name);
		}
	}
	return isDone;
}

type Days = Pick<Forgetting["days"], "from" | "to">;

/** Of the rows that have become too old. */
const RETENTION = 0;

const isAll = ({ from, to }: Days): boolean => from === null && to === null;

function mayBring(row: ImportRow, days: Days): boolean {
	if (isAll(days)) return true;
	const report = reportOf(row);
	const first = report === undefined ? row.date_from : report.date_from;
	const last = report === undefined ? row.date_to : report.date_to;
	if (report !== undefined && first === null) return false;
	return (
		(days.from === null || last === null || last >= days.from) &&
		(days.to === null || first === null || first <= days.to)
	);
}

async function forgetDays(deps: ImportDeps, row: ImportRow, { from, to }: Days): Promise<void> {
	const report = reportOf(row);
	if (report === undefined) return;
	const by_day = report.by_day.filter(({ date }) => (from !== null && date < from) || (to !== null && date > to));
	if (by_day.length === report.by_day.length) return;
	const kept = { report: JSON.stringify({ ...report, ...ofDays(by_day) }), partitions: monthsOf(by_day).size };
	await imports.update(deps.metadata, { import_id: row.import_id }, kept);
}
