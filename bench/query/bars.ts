import { quantile } from "../support/quantile.ts";

/** Sorted milliseconds by the name of a report. */
export type Times = ReadonlyMap<string, readonly number[]>;

/** Measured times. */
export interface Measured {
	readonly overHttp: Times;
	readonly inEngine: Times;
	/** 30-day reports, each with the same one without comparison; itself where it has none. */
	readonly ofMonth: readonly { readonly name: string; readonly plain: string }[];
	readonly repeated: readonly number[];
	readonly crowd: readonly number[];
	readonly alone: readonly number[];
	readonly idleMegabytes: number;
	readonly rows: number;
	readonly batch: string;
	readonly widest: string;
}

/** A figure with the most that it may be. */
export interface Bar {
	readonly name: string;
	readonly value: number;
	readonly most: number;
}

const p50 = (times: readonly number[] = []) => quantile(times, 0.5);
const p95 = (times: readonly number[] = []) => quantile(times, 0.95);

/** Bars of the report bench, in milliseconds unless the name says otherwise. */
export function barsOf(measured: Measured): Bar[] {
	const { overHttp, inEngine, ofMonth } = measured;
	const compared = ofMonth.filter(({ name, plain }) => name !== plain);
	return [
		...ofMonth.map(({ name, plain }) => ({
			name: `p95 of ${name}`,
			value: p95(overHttp.get(name)),
			most: Math.max(18, 1.5 * p95(inEngine.get(plain))),
		})),
		...compared.map(({ name, plain }) => ({
			name: `times the median without comparison, ${name}`,
			value: p50(overHttp.get(name)) / p50(overHttp.get(plain)),
			most: 1.3,
		})),
		{ name: "p95 of a repeated report", value: p95(measured.repeated), most: 1.5 },
		{ name: "p95 of a batch of 50", value: p95(overHttp.get(measured.batch)), most: 150 },
		{ name: `p95 of ${measured.widest}`, value: p95(overHttp.get(measured.widest)), most: 180 },
		{ name: "times as long for 8 clients at once, p95", value: p95(measured.crowd) / p95(measured.alone), most: 3 },
		{
			name: "megabytes of memory, idle",
			value: measured.idleMegabytes,
			most: measured.rows >= 10_000_000 ? 380 : 350,
		},
	];
}
