import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a directory and its parents, for this user alone; existing files and directories are unchanged. Throws the
 * error of the operating system. Node's own recursive call never ends below `/proc` and other places that refuse with
 * `ENOENT`.
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
