import { type Caller, roleReaches, type SiteRole } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Forgetting } from "../../tenancy/data-keeping/index.ts";
import type { ExportDeps } from "./deps.ts";
import { deleteExport, type ExportRow, exports } from "./store.ts";

export const exportNotFound = () => new ServiceError("not_found", "Export not found");

/** A key removes what it asked for itself; users what they asked for, editors whatever the site has. */
function mayRemove(caller: Caller, role: SiteRole, row: ExportRow): boolean {
	if (caller.kind === "key") return row.created_by_token === caller.tokenId;
	return (row.created_by === caller.userId && row.created_by_token === null) || roleReaches(role, "editor");
}

/**
 * Removes an export with its file; one that waits is never made. Throws `not_found`, `forbidden` for somebody else's,
 * `conflict` while the file is being made.
 */
export async function removeExport(
	deps: Pick<ExportDeps, "metadata" | "jobs">,
	{ siteId, caller, role }: { readonly siteId: string; readonly caller: Caller; readonly role: SiteRole },
	jobId: string,
): Promise<void> {
	await deps.metadata.transaction().execute(async (trx) => {
		const row = await exports.find(trx, { site_id: siteId, job_id: jobId });
		if (row === undefined) throw exportNotFound();
		if (!mayRemove(caller, role, row)) {
			throw new ServiceError("forbidden", "Only the user who created the export can delete it");
		}
		const removed = await deleteExport(trx, jobId);
		if (removed === undefined) throw new ServiceError("conflict", "The export is being made");
		if (removed.file_name !== null) await removeFileLater(deps, trx, removed.file_name);
	});
}

export const REMOVE_FILE_JOB = "export-file-removal";

/** Removes a file once the transaction has committed, however often it takes. */
export async function removeFileLater({ jobs }: Pick<ExportDeps, "jobs">, trx: Metadata, fileName: string) {
	await jobs.enqueue(trx, { kind: REMOVE_FILE_JOB, payload: { fileName } });
}

/**
 * Removes the exports of a site that may hold something of deleted days, with their files; false while one of them is being made.
 * One that was asked for when the rows were gone stays.
 */
export async function removeExportsOf(
	{ metadata, files }: Pick<ExportDeps, "metadata"> & { readonly files: Pick<FileStore, "remove"> },
	{ site, days, rowsDeletedAt }: Pick<Forgetting, "site" | "days" | "rowsDeletedAt">,
): Promise<boolean> {
	let isDone = true;
	const touched = { date_to: { ">=": days.from ?? undefined }, date_from: { "<=": days.to ?? undefined } };
	const asked = { site_id: site.id, created_at: { "<=": rowsDeletedAt } };
	for (const row of await exports.list(metadata, { ...asked, ...touched })) {
		const isWorking = row.status === "estimating" || row.status === "generating";
		// The file first: without the row it would be orphaned.
		if (!isWorking && row.file_name !== null) await files.remove(row.file_name);
		if (isWorking || (await deleteExport(metadata, row.job_id)) === undefined) isDone = false;
	}
	return isDone;
}

const KEPT_MS = 30 * DAY_MS;

/** Ends the links that have run out, of a site or of all; their files go too. */
export async function expireDueExports(deps: Pick<ExportDeps, "metadata" | "clock" | "jobs">, siteId?: string) {
	await deps.metadata.transaction().execute(async (trx) => {
		const due = {
			status: "completed",
			download_expires_at: { "<=": deps.clock.now() },
			...(siteId !== undefined && { site_id: siteId }),
		} as const;
		const expired = { status: "expired", download_token_hash: null, download_token: null } as const;
		for (const row of await exports.updateAll(trx, due, expired)) {
			if (row.file_name !== null) await removeFileLater(deps, trx, row.file_name);
		}
	});
}

/** The same, and forgets exports without a file after 30 days. */
export async function cleanUpExports(deps: Pick<ExportDeps, "metadata" | "clock" | "jobs">): Promise<void> {
	await expireDueExports(deps);
	const created_at = { "<": deps.clock.now() - KEPT_MS };
	await exports.drop(deps.metadata, { status: ["failed", "expired"], created_at });
}
