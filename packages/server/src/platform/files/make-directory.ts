import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Makes a directory and its parents, for this user alone. Node's own recursive call never ends below `/proc` and other places that refuse with `ENOENT`. */
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

const OTHERS = 0o077;

/** Makes a directory where there is none, and hides what is in it from other users. The directory itself stays as its owner made it. */
export function makePrivate(directory: string): void {
	makeDirectory(directory);
	for (const name of readdirSync(directory)) hide(join(directory, name));
}

/** Files of other users, files that are gone meanwhile, and the targets of links stay as they are. */
function hide(path: string): void {
	try {
		const found = lstatSync(path);
		if (!found.isSymbolicLink() && (found.mode & OTHERS) !== 0) chmodSync(path, found.mode & ~OTHERS & 0o7777);
	} catch {}
}
