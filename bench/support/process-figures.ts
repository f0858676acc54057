import { readdirSync, readFileSync } from "node:fs";

/** Kernel ticks a second in `/proc/<pid>/stat`: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Microseconds of processor time, user and system, that a process has used since its start. */
export function cpuMicroseconds(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
	// The program's name, in parentheses, may hold spaces.
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6;
}

/** Resident memory in megabytes (10^6 bytes). */
export function residentMegabytes(pid: number): number {
	const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
	return (Number(kilobytes ?? 0) * 1024) / 1e6;
}

/** Memory in megabytes (10^6 bytes) with each page shared among the processes that map it, so that sums count it once. */
export function proportionalMegabytes(pid: number): number {
	const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "latin1"))?.[1];
	return (Number(kilobytes ?? 0) * 1024) / 1e6;
}

/** One line on the memory of the service's two processes. */
export function describeMemory(pids: readonly number[]): string {
	const [main, store] = pids.map((pid) => Math.round(residentMegabytes(pid)));
	const together = pids.reduce((sum, pid) => sum + proportionalMegabytes(pid), 0);
	return `${Math.round(together)} together, shared pages once (resident: main ${main}, store ${store})`;
}

/** Processes that `pid` started and that still run. */
export function childrenOf(pid: number): number[] {
	return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
		readFileSync(`/proc/${pid}/task/${task}/children`, "latin1").trim().split(" ").filter(Boolean).map(Number),
	);
}

/** Highest memory of several processes together, and of each, sampled until `stop` is called. */
export function watchMemory(pids: readonly number[], everyMs = 100) {
	const peaks = pids.map(() => 0);
	let together = 0;
	const sample = () => {
		const now = pids.map(residentMegabytes);
		now.forEach((value, index) => {
			peaks[index] = Math.max(peaks[index] ?? 0, value);
		});
		together = Math.max(
			together,
			now.reduce((sum, value) => sum + value, 0),
		);
	};
	const timer = setInterval(sample, everyMs);
	return {
		stop() {
			clearInterval(timer);
			sample();
			return { peaks, together };
		},
	};
}
