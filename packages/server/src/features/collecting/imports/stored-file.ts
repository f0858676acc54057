import { createHash } from "node:crypto";
import { pipeline, Transform } from "node:stream";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ImportDeps } from "./deps.ts";
import type { ImportFile } from "./formats/format.ts";
import type { ImportRow } from "./store.ts";

export interface KeptFile {
	/** As the user calls it. */
	readonly name: string;
	readonly storedName: string;
	readonly bytes: number;
	readonly sha256: string;
}

/** A stored file; without a stored name it has been removed. */
export interface FileToRead extends Pick<KeptFile, "name" | "bytes"> {
	readonly storedName: string | null;
}

const MAX_NAME = 255;

/** A name in the store that nothing else has. */
export const newStoredName = (): string => `import-${uuid()}.bin`;

export async function keepFile(
	files: Pick<FileStore, "write">,
	source: AsyncIterable<Uint8Array>,
	{ name, storedName }: Pick<KeptFile, "name" | "storedName">,
	signal?: AbortSignal,
): Promise<KeptFile> {
	const hash = createHash("sha256");
	async function* pieces() {
		for await (const piece of source) {
			hash.update(piece);
			yield piece;
		}
	}
	const bytes = await files.write(storedName, pieces(), signal);
	return { name, storedName, bytes, sha256: hash.digest("hex") };
}

/** The name as it is shown: nothing is ever opened by it. */
export function shownName(name: string | undefined): string {
	const clean = (name ?? "").replace(/\p{Cc}/gu, "").trim();
	return clean === "" ? "file" : clean.slice(0, MAX_NAME);
}

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
