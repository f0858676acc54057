import type { FileStore } from "../../../platform/files/file-store.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Forgetting } from "../../tenancy/data-keeping/index.ts";
import { deleteExport, selectExportsOf } from "./store.ts";

interface Deps {
	readonly metadata: Metadata;
	readonly files: Pick<FileStore, "remove">;
}

/**
 * Removes the exports of a site that may hold something of deleted days, with their files; false while one of them is being made.
 * One that was asked for when the rows were gone stays.
 */
export async function removeExportsOf(
	{ metadata, files }: Deps,
	{ site, days, rowsDeletedAt }: Pick<Forgetting, "site" | "days" | "rowsDeletedAt">,
): Promise<boolean> {
	let isDone = true;
	for (const row of await selectExportsOf(metadata, site.id, days, rowsDeletedAt)) {
		const isWorking = row.status === "estimating" || row.status === "generating";
		// The file first: without the row it would be orphaned.
		if (!isWorking && row.file_name !== null) await files.remove(row.file_name);
		if (isWorking || (await deleteExport(metadata, row.job_id)) === undefined) isDone = false;
	}
	return isDone;
}
