import { pipeline, Transform } from "node:stream";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ImportDeps } from "./deps.ts";
import type { ImportFile } from "./formats/format.ts";
import type { FileToRead } from "./read-apart.ts";
import type { ImportRow } from "./store.ts";

/** The kind of the jobs that remove files. */
export const REMOVE_FILE_JOB = "import-file-removal";

/** The file of an import as formats read it; `onBytes` is called with the number of bytes read. */
export const storedFile = (
	{ files }: { readonly files: Pick<FileStore, "read"> },
	{ name, bytes, storedName }: FileToRead,
	onBytes: (bytes: number) => void,
): ImportFile => ({
	name,
	bytes,
	open: async () => {
		const file = storedName === null ? undefined : await files.read(storedName);
		if (file === undefined) {
			throw new JobFailure("The file is not on this machine; several machines share files by S3_URL");
		}
		let read = 0;
		const counting = new Transform({
			transform: (piece: Uint8Array, _encoding, done) => {
				read += piece.length;
				onBytes(read);
				done(null, piece);
			},
		});
		// A failure reaches the reader through its stream.
		return pipeline(file.content, counting, () => undefined);
	},
});

/** Removes a file once the transaction has committed, however often it takes. */
export async function removeFileLater(
	{ jobs }: Pick<ImportDeps, "jobs">,
	trx: Metadata,
	{ stored_name: fileName }: Pick<ImportRow, "stored_name">,
): Promise<void> {
	if (fileName !== null) await jobs.enqueue(trx, { kind: REMOVE_FILE_JOB, payload: { fileName } });
}
