import { readFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { findingsOf } from "./finding.ts";
import type { Examine } from "./patient.ts";

const MIB = 1024 * 1024;
const MIN_FILES = 4096;
const MIN_MEMORY = 1000 * MIB;
const MIN_AVAILABLE = 128 * MIB;

const memory = findingsOf("memory");
const files = findingsOf("open files");

/** Memory, and how many files a process may open; as this command may, which is started as the service is. */
export const examineMachine: Examine = async () => {
	const limit = process.constrainedMemory();
	const all = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
	const available = process.availableMemory();
	const message = `${Math.round(available / MIB)} MiB of ${Math.round(all / MIB)} are available`;
	const found =
		all < MIN_MEMORY || available < MIN_AVAILABLE
			? memory.warning(message, "Give the service 1 GiB or more, or set EVENT_STORE_MEMORY lower")
			: memory.ok(message);
	return [found, ...(await examineFiles())];
};

async function examineFiles() {
	const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
	const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
	if (soft === undefined) return [];
	if (soft === "unlimited" || Number(soft) >= MIN_FILES) return [files.ok(`A process may open ${soft} files`)];
	const fix = "Raise it: LimitNOFILE=65536 in the unit of systemd, ulimit -n 65536 in a shell";
	return [files.warning(`A process may open only ${soft} files, connections included`, fix)];
}
