import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "./make-directory.ts";

const OTHERS = 0o077;

/**
 * Makes a directory where there is none, and keeps what lies in it from other users of the machine, also where the
 * directory was made by somebody who let them read it. The directory itself stays as its owner made it.
 */
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
