import { openFilesAt } from "../../../platform/files/open-file-store.ts";
import { lowerPriority } from "../../../platform/lib/lower-priority.ts";
import type { CopyAnswer, CopyWish } from "./backup-jobs.ts";
import { BackupError } from "./manifest.ts";
import { openSnapshot } from "./snapshot.ts";
import { writeBackup } from "./write-backup.ts";

// Entry of a process that writes a snapshot to its target: reading and hashing gigabytes would block the collector.

/** Well behind the service and its event store. */
const NICENESS = 15;
lowerPriority(NICENESS);

process.umask(0o077);
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
// An incomplete copy is no backup and does no harm.
process.on("disconnect", () => process.exit(1));

process.once("message", (wish: CopyWish) => {
	void copy(wish).then((answer) => process.send?.(answer, () => process.exit(0)));
});

async function copy({ dataDir, id, target, keep }: CopyWish): Promise<CopyAnswer> {
	try {
		return { written: await writeBackup(openFilesAt(target), await openSnapshot(dataDir, id), { keep }) };
	} catch (error) {
		return { failure: reasonOf(error) };
	}
}

function reasonOf(error: unknown): string {
	if (error instanceof BackupError) return error.message;
	const code = String((error as { code?: unknown } | null)?.code ?? "unknown");
	return code === "ENOSPC" ? "The disk of the target is full" : `The backup could not be written (${code})`;
}
