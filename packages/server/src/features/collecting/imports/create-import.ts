import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { createLane } from "../../../platform/lib/lane.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { recordAudit } from "../../auditing/audit-log/index.ts";
import { lockOrganization, type SiteChange } from "../../tenancy/organizations/index.ts";
import type { FilingDeps, ImportDeps } from "./deps.ts";
import { type ImportSource, UnreadableFile } from "./formats/format.ts";
import { runLater } from "./import-jobs.ts";
import { refuseImports } from "./quotas.ts";
import { readApart } from "./read-apart.ts";
import { findImported, type ImportRow, imports, unfinishedStates } from "./store.ts";
import { type KeptFile, keepFile, newStoredName, shownName } from "./stored-file.ts";

export interface ImportInput {
	/** UUID; a new one when absent. */
	readonly importId?: string;
	readonly source: ImportSource;
	readonly dryRun: boolean;
	readonly timezone: string;
	readonly from: string | null;
	readonly to: string | null;
	readonly columnMap: Readonly<Record<string, string>>;
	readonly file: KeptFile;
}

/** Each has a file. */
const UNFINISHED_AT_MOST = 10;
/** Each check is a process of its own. */
const checks = createLane(2);

/**
 * Notes an import whose file is there, and has it read in the background. Throws `validation_error` for a file that is not of its
 * source, `duplicate_entry` when the same one is imported, `conflict` while too many of the site have not ended, `quota_exceeded`. The
 * file is the caller's until this has gone well. The signal ends the check of the file.
 */
export async function createImport(
	deps: FilingDeps,
	{ site, actor }: SiteChange,
	input: ImportInput,
	signal?: AbortSignal,
): Promise<ImportRow> {
	const { file } = input;
	if (input.from !== null && input.to !== null && input.from > input.to) {
		throw new ServiceError("bad_request", "The first day is after the last one");
	}
	// A file of our own has no other form.
	if (input.source !== "legacy_service") await checks.run(() => checkFile(deps, input, signal), signal);
	return deps.metadata.transaction().execute(async (trx) => {
		await lockOrganization(trx, site.organizationId);
		await refuseDuplicate(trx, { siteId: site.id, sha256: file.sha256 });
		await refuseUnfinished(trx, site.id);
		const row = await imports.insert(trx, {
			import_id: input.importId ?? uuid(),
			site_id: site.id,
			source: input.source,
			file_name: file.name,
			stored_name: file.storedName,
			file_size_bytes: file.bytes,
			file_sha256: file.sha256,
			dry_run: input.dryRun ? 1 : 0,
			timezone: input.timezone,
			date_from: input.from,
			date_to: input.to,
			column_map: JSON.stringify(input.columnMap),
			status: "pending",
			progress_percent: 0,
			batches_done: 0,
			partitions: 0,
			created_by: actor.userId,
			created_at: deps.clock.now(),
		});
		if (!input.dryRun) {
			await refuseImports(trx, row);
			await noteImport(deps, trx, { site, actor }, row, "import.started");
		}
		await runLater(deps, trx, { importId: row.import_id, organizationId: site.organizationId });
		return row;
	});
}

/** Throws `duplicate_entry` when the rows of the same file are there, or are going to be. */
export async function refuseDuplicate(
	trx: Metadata,
	of: { readonly siteId: string; readonly sha256: string; readonly besides?: string },
): Promise<void> {
	const other = await findImported(trx, of);
	if (other === undefined) return;
	throw new ServiceError(
		"duplicate_entry",
		`The same file was already imported, as ${other.import_id}; undo that import first`,
	);
}

/** Records what happens to an import. */
export function noteImport(
	{ clock }: Pick<ImportDeps, "clock">,
	trx: Metadata,
	{ site, actor }: SiteChange,
	{ import_id: resourceId, source, file_name, file_size_bytes }: ImportRow,
	action: "import.started" | "import.undone",
): Promise<void> {
	const details = { source, file_name, ...(action === "import.started" && { file_size_bytes }) };
	const of = { siteId: site.id, organizationId: site.organizationId };
	return recordAudit(trx, actor, { action, resourceId, ...of, details }, clock.now());
}

/** Throws `conflict` when too many imports of a site have not ended, with those that are uploaded at the moment. */
export async function refuseUnfinished(metadata: Metadata, siteId: string, uploads = 0): Promise<void> {
	const unfinished = await imports.count(metadata, { site_id: siteId, status: unfinishedStates });
	if (unfinished + uploads < UNFINISHED_AT_MOST) return;
	throw new ServiceError("conflict", "Another import of the site is running: wait until it ends");
}

async function checkFile(
	deps: FilingDeps,
	{ source, file, timezone, columnMap }: ImportInput,
	signal: AbortSignal | undefined,
): Promise<void> {
	try {
		await readApart(deps, { source, file, context: { timezone, columnMap } }, { signal }).next();
	} catch (error) {
		if (!(error instanceof UnreadableFile)) throw error;
		throw new ServiceError("validation_error", {
			message: "The file cannot be imported",
			detail: [{ field: `body.${error.field}`, message: error.message, type: "unreadable" }],
		});
	}
}

interface Content extends Pick<KeptFile, "name" | "storedName"> {
	readonly pieces: AsyncIterable<Uint8Array>;
}

/** Imports a file as it comes; a job does the rest. Throws as `createImport`, and when it cannot be read. */
export async function importContent(
	deps: FilingDeps,
	importer: SiteChange,
	content: Content,
	options: Omit<ImportInput, "file">,
	signal?: AbortSignal,
): Promise<ImportRow> {
	const file = await keepFile(deps.files, content.pieces, content, signal);
	try {
		return await createImport(deps, importer, { ...options, file }, signal);
	} catch (error) {
		await deps.files.remove(file.storedName);
		throw error;
	}
}

/** Imports a file of this machine, as one that was sent. */
export const importLocalFile = (
	deps: FilingDeps,
	importer: SiteChange,
	path: string,
	options: Omit<ImportInput, "file">,
): Promise<ImportRow> => {
	const names = { name: shownName(basename(path)), storedName: newStoredName() };
	return importContent(deps, importer, { ...names, pieces: createReadStream(path) }, options);
};

/** How far an import is; with its file gone once it has ended. */
export async function followImport(
	deps: FilingDeps,
	{ import_id, stored_name }: ImportRow,
): Promise<ImportRow | undefined> {
	const row = await imports.find(deps.metadata, { import_id });
	if (row?.stored_name === null && stored_name !== null) await deps.files.remove(stored_name);
	return row;
}
