import { readFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of memory that this process may have: those of the machine, or what its control group leaves it. */
export function machineMemory(): number {
	const limit = process.constrainedMemory();
	return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Memory of another process of this machine; undefined when it is gone, or the system does not tell (other than Linux). */
export async function residentBytes(pid: number): Promise<number | undefined> {
	const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
	const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
	return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

/**
 * Collects all garbage at once and gives the memory back to the system: a quarter of what a process has after its start, whose
 * garbage would otherwise stay until there is much more of it. Takes some 200 ms, during which nothing else runs.
 */
export function releaseMemory(): void {
	setFlagsFromString("--expose-gc");
	const collect: unknown = runInNewContext("gc");
	if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
