import { dropImport } from "../../../analytics/deletion/drop-import.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import { lockOrganization } from "../../tenancy/organizations/index.ts";
import { noteStarted, refuseDuplicate } from "./asked-rows.ts";
import type { ImportDeps } from "./deps.ts";
import { dropLater, runLater } from "./import-jobs.ts";
import { reportOf } from "./present.ts";
import { refuseImports, refusePartitions } from "./quotas.ts";
import { monthsOf } from "./report.ts";
import { ended } from "./run-import.ts";
import { workingStates } from "./states.ts";
import { deleteImport, findSiteImport, type ImportRow, moveImport } from "./store.ts";
import { removeFileLater } from "./stored-file.ts";

/** Id and site of an import, and the caller. */
export interface ImportRequest {
	readonly site: { readonly id: string; readonly organizationId: string };
	readonly importId: string;
	readonly actor: Actor;
}

/** The error for an import that the site does not have. */
export const importNotFound = () => new ServiceError("not_found", { message: "Import not found" });

const conflict = (message: string) => new ServiceError("conflict", { message });

/** Asks for the rows of a dry run. Throws `not_found`, `conflict` in another state, `duplicate_entry` for a file that is imported, `quota_exceeded`. */
export async function startImport(deps: ImportDeps, { site, importId, actor }: ImportRequest): Promise<ImportRow> {
	const { metadata, clock } = deps;
	return metadata.transaction().execute(async (trx) => {
		await lockOrganization(trx, site.organizationId);
		const row = await findSiteImport(trx, site.id, importId);
		if (row === undefined) throw importNotFound();
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
		await noteStarted(deps, trx, { site, actor }, started);
		await runLater(deps, trx, { importId, organizationId: site.organizationId });
		return started;
	});
}

/** Removes exactly the rows of an import. Throws `not_found`, and `conflict` when it has not ended or has no rows any more. */
export async function undoImport(deps: ImportDeps, { site, importId, actor }: ImportRequest): Promise<ImportRow> {
	const { metadata, clock } = deps;
	await metadata.transaction().execute(async (trx) => {
		const row = await findSiteImport(trx, site.id, importId);
		if (row === undefined) throw importNotFound();
		if (row.status !== "completed" && row.status !== "failed") {
			throw conflict(`Only an import that is completed or failed can be undone; this one is ${row.status}`);
		}
		// The rows are dropped even if this process ends.
		await dropLater(deps, trx, row);
		const { source, file_name } = row;
		const entry = { resourceId: importId, siteId: site.id, organizationId: site.organizationId };
		await recordAudit(trx, actor, { action: "import.undone", ...entry, details: { source, file_name } }, clock.now());
	});
	await dropImport(deps, site.id, importId);
	const undone = await moveImport(metadata, importId, "undone", { undone_at: clock.now() });
	if (undone === undefined) throw conflict("The import has been undone meanwhile");
	return undone;
}

/**
 * Cancels an import that has not ended, with the rows that it has written; removes what is known of one without rows. Throws
 * `not_found`, and `conflict` for one with rows, which has to be undone.
 */
export async function removeImport(deps: ImportDeps, { site, importId }: Omit<ImportRequest, "actor">): Promise<void> {
	await deps.metadata.transaction().execute(async (trx) => {
		const row = await findSiteImport(trx, site.id, importId);
		if (row === undefined) throw importNotFound();
		if (row.status === "completed" || (row.status === "failed" && row.partitions > 0)) {
			throw conflict("The import has rows: undo it first");
		}
		if ((workingStates as readonly string[]).includes(row.status)) {
			if ((await cancelImport(deps, trx, row)) === undefined) throw conflict("The import has changed meanwhile");
			return;
		}
		await removeFileLater(deps, trx, row);
		if (!(await deleteImport(trx, importId, ["validated", "failed", "cancelled", "undone"]))) {
			throw conflict("The import has changed meanwhile");
		}
	});
}

/** Ends an import before its end, within a transaction of the caller: its file and rows go. */
export async function cancelImport(
	deps: ImportDeps,
	trx: Parameters<typeof recordAudit>[0],
	row: ImportRow,
	message: string | null = null,
): Promise<ImportRow | undefined> {
	const cancelled = await moveImport(trx, row.import_id, "cancelled", { ...ended(deps), error_message: message });
	if (cancelled === undefined) return undefined;
	await removeFileLater(deps, trx, row);
	if (row.status === "importing") await dropLater(deps, trx, row);
	return cancelled;
}
