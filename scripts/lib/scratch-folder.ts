import { mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Several times what the test files that run at once have ever written. */
const ROOM = 2 * 1024 ** 3;

/**
 * A new folder for what one test file writes. In memory where there is plenty: a test writes little and commits often, so
 * that on a disk it would mostly wait. `TMPDIR` names another place.
 */
export const newScratchFolder = (): string =>
	mkdtempSync(join(process.env.TMPDIR === undefined && hasRoom() ? MEMORY : tmpdir(), "footfall-"));

function hasRoom(): boolean {
	try {
		const { bavail, bsize } = statfsSync(MEMORY);
		return bavail * bsize > ROOM && process.availableMemory() > 2 * ROOM;
	} catch {
		return false;
	}
}
