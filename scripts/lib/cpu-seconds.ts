import { readFileSync } from "node:fs";

/** `USER_HZ`, which is 100 on every platform that Node runs on. */
const CLOCK_TICKS = 100;

/** Processor time of this process and of all that it waited for, in seconds; 0 where the kernel does not tell. */
export function cpuSeconds(): number {
	try {
		const text = readFileSync("/proc/self/stat", "latin1");
		// The second field, a name in brackets, may hold spaces; times of the process and its children are fields 14 to 17.
		const ticks = text
			.slice(text.lastIndexOf(")") + 2)
			.split(" ")
			.slice(11, 15);
		return ticks.reduce((sum, count) => sum + Number(count), 0) / CLOCK_TICKS;
	} catch {
		return 0;
	}
}
