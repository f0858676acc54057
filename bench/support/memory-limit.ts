import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** Where Linux shows the controller of memory: a hierarchy of its own (cgroups 1), or the one of all (cgroups 2). */
const [v1, v2] = ["/sys/fs/cgroup/memory", "/sys/fs/cgroup"];

/** A group of processes that gets no more memory than it may. */
export interface MemoryLimit {
	/** Command that runs the program and arguments that follow it inside the group. */
	readonly within: readonly string[];
	/** Processes that the kernel has killed for want of memory. */
	kills(): number;
	/** Megabytes (2^20 bytes) at the moment, files in memory included. */
	used(): number;
	/** Takes the group away once its processes have ended. */
	remove(): Promise<void>;
}

/** Limits processes to so many bytes by a control group. Undefined where none can be made: not Linux, or not root. */
export function memoryLimit(name: string, bytes: number): MemoryLimit | undefined {
	const isFirst = existsSync(`${v1}/memory.limit_in_bytes`);
	const folder = `${isFirst ? v1 : v2}/${name}`;
	try {
		mkdirSync(folder, { recursive: true });
		writeFileSync(`${folder}/${isFirst ? "memory.limit_in_bytes" : "memory.max"}`, String(bytes));
	} catch {
		return undefined;
	}
	const read = (file: string) => readFileSync(`${folder}/${file}`, "latin1");
	return {
		within: ["sh", "-c", `echo $$ > ${folder}/cgroup.procs; exec "$0" "$@"`],
		kills: () => Number(/^oom_kill (\d+)/m.exec(read(isFirst ? "memory.oom_control" : "memory.events"))?.[1] ?? 0),
		used: () => Math.round(Number(read(isFirst ? "memory.usage_in_bytes" : "memory.current")) / 2 ** 20),
		remove: async () => {
			for (let tries = 50; tries > 0; tries--) {
				try {
					return rmdirSync(folder);
				} catch {
					await pause(100);
				}
			}
		},
	};
}
