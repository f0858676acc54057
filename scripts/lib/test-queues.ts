/**
 * Files that need a process of their own, by a part of their path and the reason. Everything else shares one with others:
 * to start a process and to load the service costs more than most files.
 */
const alone: readonly (readonly [part: string, reason: string])[] = [
	["platform/files/s3-store", "measures the memory of its process"],
	["collect/sessions/memory-session-store", "measures the memory of its process"],
	["collect/rejection-log", "measures the memory of its process"],
	["scripts/lib/test-group", "starts groups of its own"],
];

/** Test files by how they are run, each list in its order. */
interface TestQueues {
	/** Those with a process of their own. */
	readonly alone: readonly string[];
	/** Those that keep a processor busy and may follow each other in a process, the longest first. */
	readonly busy: readonly string[];
	/** Those that mostly wait for processes that they kill, and for time. */
	readonly waiting: readonly string[];
}

/** Sorts test files into queues: always in the same way. */
export function testQueues(files: readonly string[]): TestQueues {
	const isAlone = (file: string) => alone.some(([part]) => file.includes(part));
	const isScreen = (file: string) => /\/(journeys|screens)\//.test(file);
	const isFault = (file: string) => file.includes("/test/faults/");
	const isOther = (file: string) => !isAlone(file) && !isScreen(file) && !isFault(file);
	const sorted = [...files].sort((a, b) => a.localeCompare(b));
	return {
		alone: sorted.filter(isAlone),
		busy: [...sorted.filter(isScreen), ...sorted.filter(isOther)],
		waiting: sorted.filter(isFault),
	};
}
