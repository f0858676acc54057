import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a directory with those above it, for this user alone; what is there stays as it is, file or directory. Throws the error of the
 * operating system. Node's own recursive call never ends below `/proc` and other places that refuse with `ENOENT`.
 */
export function makeDirectory(path: string): void {
	const absolute = resolve(path);
	if (statSync(absolute, { throwIfNoEntry: false }) !== undefined) return;
	const above = dirname(absolute);
	if (above !== absolute) makeDirectory(above);
	try {
		mkdirSync(absolute, { mode: 0o700 });
	} catch (error) {
		const isThere = (error as { code?: unknown }).code === "EEXIST" && statSync(absolute).isDirectory();
		if (!isThere) throw error;
	}
}
