import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ExportDeps } from "./deps.ts";

/** The kind of the jobs that remove files. */
export const REMOVE_FILE_JOB = "export-file-removal";

/** Removes a file once the transaction has committed, however often it takes. */
export async function removeFileLater(
	{ jobs }: Pick<ExportDeps, "jobs">,
	trx: Metadata,
	fileName: string,
): Promise<void> {
	await jobs.enqueue(trx, { kind: REMOVE_FILE_JOB, payload: { fileName } });
}
