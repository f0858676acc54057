import { readdirSync } from "node:fs";
import { setPriority } from "node:os";

/**
 * Puts this process behind those of less niceness (0 to 19). Linux sets it by thread, and threads of the garbage collector and the
 * compiler run before any code does: each of them is set. Threads that begin later take it from the one that begins them.
 */
export function lowerPriority(niceness: number): void {
	const threads = process.platform === "linux" ? readdirSync("/proc/self/task") : [process.pid];
	for (const thread of threads) setPriority(Number(thread), niceness);
}
