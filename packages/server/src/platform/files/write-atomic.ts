// biome-ignore lint/style/noRestrictedImports: the one place that opens a FileHandle, as one that is lost ends the process
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { orUndo } from "../lib/with-resource.ts";

/** Opens a file, hands it to `use` and closes it, whatever happens meanwhile. A file that is made is this user's alone. */
export async function withFile<T>(
	path: string,
	flags: "r" | "w" | "wx",
	use: (file: FileHandle) => Promise<T>,
): Promise<T> {
	const file = await open(path, flags, 0o600);
	try {
		return await use(file);
	} finally {
		await file.close();
	}
}

/** Makes created, renamed and removed files of a directory durable: after this a power cut does not take a name back. */
export const syncDirectory = (path: string): Promise<void> => withFile(path, "r", (directory) => directory.sync());

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
