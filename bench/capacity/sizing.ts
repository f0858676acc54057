import type { Values } from "./constants.ts";
import { oneMachine } from "./deployment.ts";
import { insertCores } from "./resources.ts";
import { trafficOf } from "./traffic.ts";

/** Megabytes of both processes at the most that was measured, in an export of ten million rows: docs/benchmarks.md. */
const MOST_MEMORY_MB = 1113 + 240;
/** Gigabytes of program and packages, of the spool's `SPOOL_MAX_BYTES` and of files of exports that somebody asks for. */
const BESIDE_GB = 10;
/** The system, and files that it keeps in memory so that reports need not read them from the disk. */
const SYSTEM_MB = 400;
const MEMORY_GB = [2, 4, 8, 16];
const DISK_GB = [20, 40, 80, 160];
/** Cores of the machine that the benches run on, on which one client of reports keeps both busy. */
const CORES = 2;
/** From so many rows of twelve months on, reports that read rows take seconds on two cores. */
const MANY_ROWS = 1_000_000_000;

/** Needs of one machine with the embedded stores. */
export interface Sizing {
	readonly hitsAMonth: number;
	readonly peak: number;
	/** Share of one core that hits take in a burst of the busiest hour. */
	readonly processor: number;
	readonly diskGbAYear: number;
	readonly visitsMb: number;
	readonly cores: number;
	readonly memoryGb: number;
	readonly diskGb: number;
}

const least = (choices: readonly number[], needed: number) =>
	choices.find((choice) => choice >= needed) ?? Math.ceil(needed);

/** Cores, memory and disk for a number of hits a month on one machine; all sites together, twelve months kept. */
export function sizingOf(of: Values, hitsAMonth: number): Sizing {
	const traffic = trafficOf(hitsAMonth, of);
	const { peak, visits, clickIds, rowsAYear } = traffic;
	const processor = (peak * of.collectorUs) / 1e6 + insertCores(of, peak, oneMachine);
	const visitsMb = (visits * of.visitBytes + clickIds * of.clickIdBytes) / 1e6;
	const diskGbAYear = (rowsAYear * of.rowBytes) / 1e9;
	return {
		hitsAMonth,
		peak,
		processor,
		diskGbAYear,
		visitsMb,
		cores: rowsAYear < MANY_ROWS ? CORES : 2 * CORES,
		memoryGb: least(MEMORY_GB, (MOST_MEMORY_MB + SYSTEM_MB + visitsMb) / 1000),
		diskGb: least(DISK_GB, diskGbAYear + BESIDE_GB),
	};
}
