import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { orUndo } from "../lib/with-resource.ts";
import { syncDirectory } from "./sync-directory.ts";
import { withFile } from "./with-file.ts";

/** Name of an incomplete file. */
export const partOf = (path: string): string => `${path}.part`;

/** Writes a file that appears with all its bytes, or not at all; the number of bytes. */
export async function writeAtomic(
	path: string,
	pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	signal?: AbortSignal,
): Promise<number> {
	const part = partOf(path);
	return orUndo(
		() => rm(part, { force: true }),
		async () => {
			const bytes = await writeAll(part, pieces, signal);
			await rename(part, path);
			await syncDirectory(dirname(path));
			return bytes;
		},
	);
}

function writeAll(path: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, signal?: AbortSignal) {
	// The operator may have chosen an existing file; the new one is private.
	return withFile(path, "w", async (file) => {
		let bytes = 0;
		for await (const piece of pieces) {
			signal?.throwIfAborted();
			await file.writev([piece]);
			bytes += piece.byteLength;
		}
		signal?.throwIfAborted();
		await file.sync();
		return bytes;
	});
}
