import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";

const PERIOD_US = 20_000;
/** Where Linux shows the controller of processor time: a hierarchy of its own (cgroups 1), or the one of all (cgroups 2). */
const [v1, v2] = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup"];

/** A group of processes that gets no more processor time than it may. */
export interface CpuLimit {
	/** Puts a process into the group; those that it has started already stay outside. */
	add(pid: number): void;
	/** Takes the group away once its processes have ended; the kernel does not before. */
	remove(): void;
}

/** Limits processes to a share of one core by a control group. Undefined where none can be made: not Linux, or not root. */
export function cpuLimit(name: string, share: number): CpuLimit | undefined {
	const quota = Math.round(PERIOD_US * share);
	try {
		if (existsSync(`${v1}/cpu.cfs_quota_us`) || existsSync(`${v1}/cpu.shares`)) {
			const folder = made(`${v1}/${name}`);
			writeFileSync(`${folder}/cpu.cfs_period_us`, String(PERIOD_US));
			writeFileSync(`${folder}/cpu.cfs_quota_us`, String(quota));
			return limitOf(folder);
		}
		if (!readFileSync(`${v2}/cgroup.subtree_control`, "utf8").includes("cpu")) return undefined;
		const folder = made(`${v2}/${name}`);
		writeFileSync(`${folder}/cpu.max`, `${quota} ${PERIOD_US}`);
		return limitOf(folder);
	} catch {
		return undefined;
	}
}

function made(folder: string): string {
	mkdirSync(folder, { recursive: true });
	return folder;
}

const limitOf = (folder: string): CpuLimit => ({
	add: (pid) => writeFileSync(`${folder}/cgroup.procs`, String(pid)),
	remove: () => rmdirSync(folder),
});
