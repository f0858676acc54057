import { type Caller, roleReaches, type SiteRole } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { ExportDeps } from "./deps.ts";
import { removeFileLater } from "./remove-file.ts";
import { deleteExport, type ExportRow, findSiteExport } from "./store.ts";

/** The error for an export that the site does not have. */
export const exportNotFound = () => new ServiceError("not_found", { message: "Export not found" });

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
		const row = await findSiteExport(trx, siteId, jobId);
		if (row === undefined) throw exportNotFound();
		if (!mayRemove(caller, role, row)) {
			throw new ServiceError("forbidden", { message: "Only the user who created the export can delete it" });
		}
		const removed = await deleteExport(trx, jobId);
		if (removed === undefined) throw new ServiceError("conflict", { message: "The export is being made" });
		if (removed.file_name !== null) await removeFileLater(deps, trx, removed.file_name);
	});
}
