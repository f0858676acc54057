import type { Forgetting } from "../../tenancy/data-keeping/index.ts";
import type { ImportDeps } from "./deps.ts";
import { cancelImport } from "./end-import.ts";
import { reportOf } from "./present.ts";
import { monthsOf, ofDays } from "./report.ts";
import { unfinishedStates } from "./states.ts";
import { type ImportRow, importsOf, updateEnded } from "./store.ts";

/**
 * Ends the imports of a site that may bring deleted days back, with their files, and takes these days out of the reports of the
 * others; false while a run may still be at work. Rows are deleted like all others.
 */
export async function removeImportsOf(
	deps: ImportDeps,
	{ deletionId, site, days, rowsDeletedAt }: Pick<Forgetting, "deletionId" | "site" | "days" | "rowsDeletedAt">,
): Promise<boolean> {
	let isDone = true;
	for (const row of await importsOf(deps.metadata, site.id)) {
		// Imports created after the deletion of the rows are not affected.
		if (row.created_at > rowsDeletedAt) continue;
		if (!isUnfinished(row)) await forgetDays(deps, row, days);
		// An import brings no rows that the site's retention excludes.
		else if (deletionId !== RETENTION && mayBring(row, days)) {
			// Which days it has is not known before it is read, and none of them is written without being asked for.
			const isUnread = row.dry_run === 1 && row.report === null && !isAll(days);
			if (isUnread || row.status === "importing") isDone = false;
			if (!isUnread) await cancelWithFile(deps, row);
		}
	}
	return isDone;
}

async function cancelWithFile(deps: ImportDeps, row: ImportRow): Promise<void> {
	await deps.metadata.transaction().execute((trx) => cancelImport(deps, trx, row, "Days of the site were deleted"));
	if (row.stored_name !== null) await deps.files.remove(row.stored_name);
}

type Days = Pick<Forgetting["days"], "from" | "to">;

/** Of the rows that have become too old. */
const RETENTION = 0;

const isUnfinished = ({ status }: ImportRow): boolean => (unfinishedStates as readonly string[]).includes(status);

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
	const kept = JSON.stringify({ ...report, ...ofDays(by_day) });
	await updateEnded(deps.metadata, row.import_id, { report: kept, partitions: monthsOf(by_day).size });
}
