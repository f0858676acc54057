/**
 * Files that need a process of their own, by a part of their path and the reason. Everything else shares one with its
 * neighbours: to start a process and to load the service costs more than most files.
 */
const alone: readonly (readonly [part: string, reason: string])[] = [
	["platform/files/s3-store", "measures the memory of its process"],
	["collect/sessions/memory-session-store", "measures the memory of its process"],
	["collect/rejection-log", "measures the memory of its process"],
	["scripts/lib/test-group", "starts groups of its own"],
];

/** Files of a process: more save little, and a process that breaks off delays fewer others. */
const FILES = { journeys: 4, rest: 12 };

/** Sorts test files into groups that share a process each, the longest work first: always in the same way. */
export function testGroups(files: readonly string[]): readonly (readonly string[])[] {
	const isAlone = (file: string) => alone.some(([part]) => file.includes(part));
	const isJourney = (file: string) => /\/(journeys|screens)\//.test(file);
	const isTogether = (file: string) => !isAlone(file) && !isJourney(file);
	const sorted = [...files].sort((a, b) => a.localeCompare(b));
	return [
		...chunks(sorted.filter(isJourney), FILES.journeys),
		...sorted.filter(isAlone).map((file) => [file]),
		...chunks(sorted.filter(isTogether), FILES.rest),
	];
}

function chunks(files: readonly string[], size: number): string[][] {
	const count = Math.ceil(files.length / size);
	return Array.from({ length: count }, (_, index) => files.slice(index * size, (index + 1) * size));
}
