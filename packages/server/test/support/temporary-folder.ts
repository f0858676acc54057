import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext } from "node:test";

/**
 * A new folder, which is removed after the test that is given, else after the tests of the file. Hooks run in the order in which they
 * were made: what works in the folder has ended by then.
 */
export function temporaryFolder(t?: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), "footfall-test-"));
	const remove = () => rmSync(folder, { recursive: true, force: true });
	if (t === undefined) after(remove);
	else t.after(remove);
	return folder;
}
