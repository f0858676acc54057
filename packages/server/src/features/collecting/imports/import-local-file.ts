import { createReadStream } from "node:fs";
import { basename } from "node:path";
import type { Importer } from "./asked-rows.ts";
import { createImport, type ImportInput } from "./create-import.ts";
import type { FilingDeps } from "./deps.ts";
import { keepFile, newStoredName, shownName } from "./keep-file.ts";
import { findImport, type ImportRow } from "./store.ts";

/** Imports a file of this machine, as one that was sent; a job does the rest. Throws as `createImport`, and when it cannot be read. */
export async function importLocalFile(
	deps: FilingDeps,
	importer: Importer,
	path: string,
	options: Omit<ImportInput, "file">,
): Promise<ImportRow> {
	const names = { name: shownName(basename(path)), storedName: newStoredName() };
	const file = await keepFile(deps.files, createReadStream(path), names);
	try {
		return await createImport(deps, importer, { ...options, file });
	} catch (error) {
		await deps.files.remove(file.storedName);
		throw error;
	}
}

/** How far an import is; with its file gone once it has ended. */
export async function followImport(
	deps: FilingDeps,
	{ import_id, stored_name }: ImportRow,
): Promise<ImportRow | undefined> {
	const row = await findImport(deps.metadata, import_id);
	if (row?.stored_name === null && stored_name !== null) await deps.files.remove(stored_name);
	return row;
}
