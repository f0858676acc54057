import { readdirSync } from "node:fs";
import { setPriority } from "node:os";

/**
 * Puts this process behind those of less niceness (0 to 19). Linux sets it by thread, and threads of the garbage collector and the
 * compiler run before any code does: each of them is set. Threads that begin later take it from the one that begins them.
 */
export function lowerPriority(niceness: number): void {
	setPriority(niceness);
	if (process.platform !== "linux") return;
	for (const thread of readdirSync("/proc/self/task")) {
		try {
			setPriority(Number(thread), niceness);
		} catch {
			// The thread has ended meanwhile.
		}
	}
}
