import { accessSync, constants, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Why this user cannot keep files in a directory, or make it: the end of a sentence. Undefined when nothing is in the way. */
export function lackOfRight(path: string): string | undefined {
	const directory = resolve(path);
	const found = statSync(directory, { throwIfNoEntry: false });
	if (found === undefined) {
		const above = dirname(directory);
		return above === directory || lackOfRight(above) !== undefined ? "cannot be made" : undefined;
	}
	if (!found.isDirectory()) return "is no directory";
	try {
		accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
		return undefined;
	} catch {
		return "cannot be written by this user";
	}
}
