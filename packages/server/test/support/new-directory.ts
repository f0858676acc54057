import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeAtTheEnd } from "./remove-at-the-end.ts";

const made: string[] = [];
removeAtTheEnd({
	keepsOpen: () => [],
	// After the services on them have ended.
	remove: async () => {
		for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true, maxRetries: 20 });
	},
});

/** A directory that goes when the tests are over. */
export function newDirectory(): string {
	const directory = mkdtempSync(join(tmpdir(), "footfall-test-"));
	made.push(directory);
	return directory;
}
