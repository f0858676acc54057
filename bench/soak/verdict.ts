import type { Sample } from "./sample.ts";

/** This share of the run is warm-up. */
const WARM_UP = 0.5;
const GROWTH = 1.05;
/** Descriptors and files come and go by a few. */
const FEW = 20;
/** A segment of the spool, which is filled and given back. */
const SEGMENT_MEGABYTES = 40;
const ROWS_SHOWN = 10;

type Figure = Exclude<keyof Sample, "seconds">;

interface Bar {
	readonly name: string;
	readonly figure: Figure;
	/** The most that the end may be, by what it was after the warm-up. */
	readonly limit: (before: number) => number;
	/**
	 * Compares the lowest in place of the highest: files that come and go by the hundred, as in a merge, would hide a
	 * leak.
	 */
	readonly isFloor?: true;
}

const bars: readonly Bar[] = [
	{ name: "memory of the main process", figure: "mainMegabytes", limit: (before) => before * GROWTH },
	{ name: "memory of the event store", figure: "storeMegabytes", limit: (before) => before * GROWTH },
	{ name: "open files of the main process", figure: "mainFiles", limit: (before) => before + FEW },
	{ name: "its open files, a folder", figure: "storeFilesAFolder", limit: (before) => before + FEW, isFloor: true },
	{
		name: "its open files that were removed",
		figure: "storeRemovedFiles",
		limit: (before) => before + FEW,
		isFloor: true,
	},
	{ name: "files beside the events", figure: "files", limit: (before) => before + FEW },
	{ name: "megabytes beside the events", figure: "fileMegabytes", limit: (before) => before + SEGMENT_MEGABYTES },
];

/** Compares the highest of the last quarter with the highest of the quarter after the warm-up: peaks come and go in both. */
export function judge(samples: readonly Sample[]) {
	const warm = samples.slice(Math.floor(samples.length * WARM_UP));
	const middle = Math.floor(warm.length / 2);
	return bars.map(({ name, figure, limit, isFloor }) => {
		const outermost = isFloor ? Math.min : Math.max;
		const before = outermost(...warm.slice(0, middle).map((sample) => sample[figure]));
		const after = outermost(...warm.slice(middle).map((sample) => sample[figure]));
		const says = `${before.toFixed(0)} after the warm-up, ${after.toFixed(0)} at the end`;
		return { name, holds: after <= limit(before), says };
	});
}

export function printTable(samples: readonly Sample[]): void {
	const every = Math.max(1, Math.ceil(samples.length / ROWS_SHOWN));
	console.log("    s  main MB  store MB  main files  store files  files  files MB");
	for (const sample of samples.filter((_, index) => (index + 1) % every === 0)) {
		const cells: [number, number][] = [
			[sample.seconds, 5],
			[sample.mainMegabytes, 9],
			[sample.storeMegabytes, 10],
			[sample.mainFiles, 12],
			[sample.storeFiles, 13],
			[sample.files, 7],
			[sample.fileMegabytes, 10],
		];
		console.log(cells.map(([value, width]) => value.toFixed(0).padStart(width)).join(""));
	}
}
