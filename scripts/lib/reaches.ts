import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"(\.[^"]+)"/gm;
/** Folders of modules that only tests load; others are the product, which loads none of the targets. */
const OF_TESTS = /\/(test|scripts|bench)\//;

/** Whether a file loads one of the targets, by itself or by what it imports of the tests' support. Paths are absolute. */
export function reaches(file: string, targets: ReadonlySet<string>, seen = new Set<string>()): boolean {
	if (targets.has(file)) return true;
	if (seen.has(file) || !existsSync(file)) return false;
	seen.add(file);
	const imported = [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, path = ""]) =>
		resolve(dirname(file), path),
	);
	return imported.filter((path) => OF_TESTS.test(path)).some((path) => reaches(path, targets, seen));
}
