// biome-ignore lint/style/noRestrictedImports: the one place that opens a FileHandle, as one that is lost ends the process
import { type FileHandle, open } from "node:fs/promises";

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
