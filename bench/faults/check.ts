import { setTimeout as pause } from "node:timers/promises";
import type { LoadResult } from "../support/numbered-load.ts";
import { withStore } from "../support/table-sizes.ts";
import { type Recomputed, recompute, type SourceSums, type StoredRow, type Sums } from "./naive.ts";
import { readSources, readSums, readViews } from "./reports.ts";
import { type Service, waitingBytes } from "./service.ts";
import { type Stage, VISITORS } from "./stage.ts";
import { until } from "./until.ts";

/** Processes that run at the end of a drill. */
export interface Running {
	readonly collector: Service;
	/** Answers reports; the collector when absent. */
	readonly api?: Service;
	/** All of them, the one that ends last at the end; those above when absent. */
	readonly all?: readonly Service[];
}

interface Expected {
	/** Hits that may be missing although they were acknowledged, as the drill has damaged what was on the disk. */
	readonly mayLose?: number;
	/** The sums of entrances where visitors make more than one visit each. */
	readonly entrances?: (naive: Recomputed) => number;
}

/** Result of a successful drill. */
export interface Outcome {
	readonly sent: number;
	readonly acknowledged: number;
	readonly stored: number;
	readonly lost: number;
}

const ATTEMPTS = 20;
const ATTEMPT_EVERY_MS = 500;
const BEGUN_ANEW = "running sessions start over";

/**
 * Ends the load, waits until all that was taken is in the reports, and compares: each acknowledged hit is stored once, no hit
 * twice, and the reports are what the plainest recomputation of the stored hits gives. Throws when they are not.
 */
export async function checkOutcome(stage: Stage, running: Running, expected: Expected = {}): Promise<Outcome> {
	const { collector, api = collector, all = [...new Set([api, collector])] } = running;
	const load = await stage.load.stop();
	await until(async () => (await waitingBytes(collector)) === 0);
	const { site } = stage;
	const reports = () => Promise.all([readSums(api.url, site), readViews(api.url, site), readSources(api.url, site)]);
	const [sums, views, sources] = await answered(reports);
	for (const service of all) await service.stop();
	const naive = recompute(await answered(() => readRows(stage)), VISITORS);
	return compare(stage, { load, sums, views, sources, naive }, expected);
}

/** The answer to a question; a store that has just come back, on a machine that does much else, is asked again. */
async function answered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
	let last: unknown;
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		try {
			return await ask();
		} catch (error) {
			last = error;
			await pause(ATTEMPT_EVERY_MS);
		}
	}
	throw last;
}

function readRows({ dataDir, site }: Stage): Promise<StoredRow[]> {
	return withStore(dataDir, (store) =>
		store.query({
			sql: "SELECT kind, path, toString(toDate(ts, 'UTC')) AS day, toFloat64(amount) AS amount, utm_source AS source FROM events WHERE site = {site:String} ORDER BY ts",
			params: { site: site.id },
		}),
	);
}

interface Found {
	readonly load: LoadResult;
	readonly sums: Sums;
	readonly views: ReadonlyMap<string, number>;
	readonly sources: ReadonlyMap<string, SourceSums>;
	readonly naive: Recomputed;
}

function compare(stage: Stage, { load, sums, views, sources, naive }: Found, expected: Expected): Outcome {
	const faults: string[] = [];
	const lost = load.acknowledged.filter((hit) => !naive.times.has(hit));
	const twice = [...naive.times].filter(([, times]) => times !== 1).map(([hit]) => hit);
	const unsent = [...naive.times.keys()].filter((hit) => hit >= load.sent);
	if (load.acknowledged.length === 0) faults.push("no hit was acknowledged");
	if (lost.length > (expected.mayLose ?? 0)) faults.push(`${lost.length} acknowledged hits are lost: ${some(lost)}`);
	if (twice.length > 0) faults.push(`${twice.length} hits are stored more than once: ${some(twice)}`);
	if (unsent.length > 0) faults.push(`hits are stored that nobody sent: ${some(unsent)}`);
	if (naive.strange.length > 0) faults.push(`rows that no hit explains: ${some(naive.strange)}`);
	const entrances = expected.entrances?.(naive) ?? naive.sums.entrances;
	faults.push(...differences(sums, { ...naive.sums, entrances }, visitsBeganAnew(stage)));
	const keys = new Set([...views.keys(), ...naive.views.keys()]);
	const wrong = [...keys].filter((key) => views.get(key) !== naive.views.get(key));
	if (wrong.length > 0) faults.push(`page views by path and day differ: ${some(wrong)}`);
	if (naive.misattributed.length > 0 && expected.entrances === undefined && !visitsBeganAnew(stage)) {
		faults.push(`rows have another source than their visit began with: ${some(naive.misattributed)}`);
	}
	for (const source of new Set([...sources.keys(), ...naive.sources.keys()])) {
		const [reported, counted] = [sources.get(source), naive.sources.get(source)].map((found) => JSON.stringify(found));
		if (reported !== counted) faults.push(`of ${source} the report says ${reported}, the hits ${counted}`);
	}
	if (faults.length > 0) throw new Error(faults.join("; "));
	return { sent: load.sent, acknowledged: load.acknowledged.length, stored: naive.times.size, lost: lost.length };
}

/** A service that logs that visits start again may count more of them, but not fewer. */
function differences(reported: Sums, naive: Sums, mayBeginAnew: boolean): string[] {
	return (Object.keys(naive) as (keyof Sums)[])
		.filter((name) => {
			if (name === "entrances" && mayBeginAnew) return reported[name] < naive[name];
			return Math.abs(reported[name] - naive[name]) > 1e-6;
		})
		.map((name) => `the report says ${reported[name]} ${name}, the hits ${naive[name]}`);
}

const visitsBeganAnew = ({ services }: Stage): boolean =>
	services.some((service) => service.output().stderr.includes(BEGUN_ANEW));

const some = (list: readonly (string | number)[]) =>
	list.length > 5 ? `${list.slice(0, 5).join(", ")}, …` : list.join(", ");
