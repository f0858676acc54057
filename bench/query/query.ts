// Answer times of reports over HTTP on a large site, beside the engine's own time for the same SQL; the same with eight
// clients at once, and asked again, from memory; start time, memory and disk with the same data. All of it after the store
// has merged what was seeded, and all but the repeated reports with no answer kept. Ends with the bars and which of them
// hold. `npm run bench:query -- [rows] [wild]`

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describeMachine } from "../support/machine.ts";
import { describeMemory, proportionalMegabytes } from "../support/process-figures.ts";
import { quantile } from "../support/quantile.ts";
import { benchEnv, type RunningService, runFootfall, startService } from "../support/service.ts";
import { type BenchSite, createBenchSite, createNeighbour, readReport } from "../support/site.ts";
import { tableSizes, withStore } from "../support/table-sizes.ts";
import { barsOf } from "./bars.ts";
import { engineTimes } from "./engine-times.ts";
import {
	type BenchRequest,
	batch,
	heavyRequests,
	rawRequests,
	reportRequests,
	widest,
	withoutComparison,
} from "./requests.ts";
import { settle } from "./settle.ts";

/** Half of them in the site that is asked, half in another. */
const ROWS = Number(process.argv[2] ?? 10_000_000);
const IS_WILD = process.argv[3] === "wild";
const [WARM_UP, RUNS, CLIENTS] = [8, 25, 8];
const IDLE_MS = 10_000;

const row = (label: string, value: string) => console.log(`${label.padEnd(72)} ${value}`);
const ms = (value: number) => value.toFixed(1).padStart(7);

async function ask(service: RunningService, site: BenchSite, { path, body }: BenchRequest): Promise<number> {
	const began = performance.now();
	await readReport(service.url, site, path, body);
	return performance.now() - began;
}

async function timesOf(service: RunningService, site: BenchSite, request: BenchRequest): Promise<number[]> {
	const times: number[] = [];
	for (let run = 0; run < WARM_UP + RUNS; run++) {
		const time = await ask(service, site, request);
		if (run >= WARM_UP) times.push(time);
	}
	return times.sort((a, b) => a - b);
}

/** All requests by several clients at once, each in an order of its own; the times of all of them. */
async function crowdTimes(service: RunningService, site: BenchSite, requests: readonly BenchRequest[]) {
	const times: number[] = [];
	const client = async (number: number) => {
		for (let turn = 0; turn < requests.length * 3; turn++) {
			const request = requests[(turn * (number + 1) + number * 5) % requests.length];
			if (request !== undefined) times.push(await ask(service, site, request));
		}
	};
	await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
	return times.sort((a, b) => a - b);
}

/** A service that has just started still compiles its own code, on the processors that the engine needs. */
async function warmUp(service: RunningService, site: BenchSite, requests: readonly BenchRequest[]): Promise<void> {
	for (let turn = 0; turn < WARM_UP; turn++) for (const request of requests) await ask(service, site, request);
}

async function measure<Result>(env: NodeJS.ProcessEnv, work: (service: RunningService) => Promise<Result>) {
	const service = await startService(env);
	try {
		return await work(service);
	} finally {
		await service.stop();
	}
}

const seedArguments = (site: string) => [
	...["seed", "--site", site, "--rows", String(ROWS / 2), "--days", "365"],
	...(IS_WILD ? ["--wild"] : []),
];

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-query-"));
const env = { ...benchEnv(dataDir), RATE_LIMIT_ENABLED: "false" };
try {
	row("machine", describeMachine());
	const site = await createBenchSite(env);
	row("data of the site", (await runFootfall(env, seedArguments(site.id))).trim());
	row("data of another", (await runFootfall(env, seedArguments(await createNeighbour(env)))).trim());
	row("the store merged for", `${(await withStore(dataDir, settle)).toFixed(0)} s`);
	const sizes = await tableSizes(dataDir, "events");
	row("bytes on disk a row", ms(sizes.bytes / sizes.rows));

	const ofMonth = reportRequests("30d");
	const requests = [...ofMonth, ...rawRequests, ...reportRequests("12m"), ...heavyRequests(site.id)];
	const uncached = await measure({ ...env, REPORT_CACHE_BYTES: "0" }, async (service) => {
		row("start", `${Math.round(service.startMs)} ms`);
		await pause(IDLE_MS);
		const pids = [service.pid, service.storePid()];
		row("memory idle, MB", describeMemory(pids));
		const idleMegabytes = pids.reduce((sum, pid) => sum + proportionalMegabytes(pid), 0);
		await warmUp(service, site, ofMonth);
		const overHttp = new Map<string, number[]>();
		for (const request of requests) overHttp.set(request.name, await timesOf(service, site, request));
		return { idleMegabytes, overHttp, crowd: await crowdTimes(service, site, ofMonth) };
	});
	const repeated = await measure(env, async (service) => {
		await warmUp(service, site, ofMonth);
		const times: number[] = [];
		for (const request of ofMonth) times.push(...(await timesOf(service, site, request)));
		return times.sort((a, b) => a - b);
	});
	const { overHttp, crowd } = uncached;
	const alone = ofMonth.flatMap(({ name }) => overHttp.get(name) ?? []).sort((a, b) => a - b);

	const inEngine = await engineTimes({ dataDir, site, requests, warmUp: WARM_UP, runs: RUNS });
	row("report, milliseconds", "HTTP p50     p95 | engine p50     p95 | p50s differ by, ratio");
	for (const { name } of requests) {
		const [http, engine] = [overHttp.get(name) ?? [], inEngine.get(name) ?? []];
		const [p50, enginep50] = [quantile(http, 0.5), quantile(engine, 0.5)];
		const figures = `${ms(p50)} ${ms(quantile(http, 0.95))} |    ${ms(enginep50)} ${ms(quantile(engine, 0.95))}`;
		row(name, ` ${figures} | ${ms(p50 - enginep50)}, ${(p50 / enginep50).toFixed(2)}`);
	}
	row("30-day reports together, p95", ms(quantile(alone, 0.95)));
	row(`  asked by ${CLIENTS} clients at once, p95`, ms(quantile(crowd, 0.95)));
	row("  asked again, p50 and p95", `${ms(quantile(repeated, 0.5))} ${ms(quantile(repeated, 0.95))}`);
	const compared = ofMonth.map(({ name }) => ({ name, plain: withoutComparison(name) }));
	for (const { name, value, most } of barsOf({
		...{ ...uncached, inEngine, repeated, alone, batch, widest },
		ofMonth: compared,
		rows: ROWS,
	})) {
		row(`${value <= most ? "holds " : "MISSED"} ${name}`, `${value.toFixed(2)} of at most ${most.toFixed(2)}`);
	}
} finally {
	await rm(dataDir, { recursive: true, force: true });
}
