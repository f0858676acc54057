import { readFile } from "node:fs/promises";

/** Memory of another process of this machine; undefined when it is gone, or the system does not tell (other than Linux). */
export async function residentBytes(pid: number): Promise<number | undefined> {
	const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
	const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
	return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}
