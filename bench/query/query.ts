// Answer times of reports over HTTP on a large site, beside the engine's own time for the same SQL; start time, memory
// and disk with the same data. `npm run bench:query -- [rows] [wild]`
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMachine } from "../support/machine.ts";
import { describeMemory } from "../support/process-figures.ts";
import { quantile } from "../support/quantile.ts";
import { benchEnv, type RunningService, runFootfall, startService } from "../support/service.ts";
import { type BenchSite, createBenchSite, readReport } from "../support/site.ts";
import { tableSizes } from "../support/table-sizes.ts";
import { engineTimes } from "./engine-times.ts";

const ROWS = Number(process.argv[2] ?? 10_000_000);
const IS_WILD = process.argv[3] === "wild";
const [WARM_UP, RUNS] = [5, 60];
const IDLE_MS = 10_000;

const paths = ["/stats/overview", "/stats/pages", "/stats/sources"].flatMap((path) =>
	["30d", "12m"].map((period) => `${path}?period=${period}`),
);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const row = (label: string, value: string) => console.log(`${label.padEnd(36)} ${value}`);
const ms = (value: number) => value.toFixed(1);

async function httpTimes(service: RunningService, site: BenchSite, path: string): Promise<number[]> {
	const times: number[] = [];
	for (let run = 0; run < WARM_UP + RUNS; run++) {
		const began = performance.now();
		await readReport(service.url, site, path);
		if (run >= WARM_UP) times.push(performance.now() - began);
	}
	return times.sort((a, b) => a - b);
}

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-query-"));
const env = { ...benchEnv(dataDir), RATE_LIMIT_ENABLED: "false" };
try {
	row("machine", describeMachine());
	const site = await createBenchSite(env);
	const seed = ["seed", "--site", site.id, "--rows", String(ROWS), "--days", "365", ...(IS_WILD ? ["--wild"] : [])];
	row("data", (await runFootfall(env, seed)).trim());
	const sizes = await tableSizes(dataDir, "events");
	row("bytes on disk a row", ms(sizes.bytes / sizes.rows));

	// The first start after a bulk load may still merge parts; the second is that of an ordinary day.
	await startService(env).then((service) => service.stop());
	const service = await startService(env);
	row("start", `${Math.round(service.startMs)} ms`);
	await pause(IDLE_MS);
	row("memory idle, MB", describeMemory([service.pid, service.storePid()]));
	const overHttp = new Map<string, number[]>();
	for (const path of paths) overHttp.set(path, await httpTimes(service, site, path));
	await service.stop();

	const inEngine = await engineTimes({ dataDir, site, paths, warmUp: WARM_UP, runs: RUNS });
	row("report, milliseconds", "HTTP p50    p95  | engine p50    p95  | difference of p50");
	for (const path of paths) {
		const [http, engine] = [overHttp.get(path) ?? [], inEngine.get(path) ?? []];
		const figures = [quantile(http, 0.5), quantile(http, 0.95), quantile(engine, 0.5), quantile(engine, 0.95)];
		const [a = "", b = "", c = "", d = ""] = figures.map((value) => ms(value).padStart(6));
		row(path, `  ${a} ${b}  |     ${c} ${d}  | ${ms(quantile(http, 0.5) - quantile(engine, 0.5))}`);
	}
} finally {
	await rm(dataDir, { recursive: true, force: true });
}
