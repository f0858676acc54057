// A web server's log of millions of lines into a running service: lines a second, what the main process holds meanwhile, how long
// undoing takes, and whether a run that is killed ends with the same totals. `npm run bench:imports -- [lines] [share of pages]`

import { openAsBlob } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describeMachine } from "../support/machine.ts";
import { residentMegabytes, watchMemory } from "../support/process-figures.ts";
import { benchEnv, type RunningService, startService } from "../support/service.ts";
import { type BenchSite, createBenchSite, ownerHeaders, readReport } from "../support/site.ts";
import { USUAL_PAGES, writeLog } from "./write-log.ts";

const LINES = Number(process.argv[2] ?? 5_000_000);
/** Of the lines, what people saw; 1 makes a row of each at least. */
const PAGES = Number(process.argv[3] ?? USUAL_PAGES);
/** Bars: lines a second, growth of the main process in MB, milliseconds of an undo. */
const [LEAST_LINES_A_SECOND, MOST_MEGABYTES, MOST_UNDO_MS] = [100_000, 150, 2000];

interface Import {
	readonly import_id: string;
	readonly status: string;
	readonly progress_percent: number;
	readonly error_message: string | null;
	readonly report: { readonly rows_read: number; readonly rows_accepted: number; readonly totals: object } | null;
}

interface Bench {
	readonly site: BenchSite;
	readonly path: string;
	service: RunningService;
}

async function call(bench: Bench, method: string, path: string, body?: FormData): Promise<Import> {
	const url = `${bench.service.url}/api/v1/imports${path}?account_id=${bench.site.id}`;
	const headers = await ownerHeaders(bench.service.url);
	const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
	if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
	return ((await response.json()) as { data: Import }).data;
}

async function upload(bench: Bench, dryRun: boolean): Promise<Import> {
	const form = new FormData();
	form.set("source", "access_log");
	form.set("dry_run", String(dryRun));
	form.set("file", await openAsBlob(bench.path), "access.log.gz");
	return call(bench, "POST", "", form);
}

/** Looks now and then until the import is in a state, or so far in it. */
async function until(bench: Bench, id: string, state: string, percent = 0): Promise<Import> {
	for (;;) {
		const found = await call(bench, "GET", `/${id}`);
		if (found.status === "failed") throw new Error(`the import failed: ${found.error_message}`);
		if (found.status === state && found.progress_percent >= percent) return found;
		if (found.status === "completed") return found;
		await pause(250);
	}
}

const overview = ({ service, site }: Bench) =>
	readReport<{ data: { traffic: object; revenue?: object } }>(
		service.url,
		site,
		"/stats/overview?start_date=2026-09-01&end_date=2026-10-31",
	);

const figures = async (bench: Bench) => JSON.stringify((await overview(bench)).data.traffic);

const say = (what: string, figure: string, isGood: boolean) =>
	console.log(`${what.padEnd(44)} ${figure}${isGood ? "" : "  MISSES ITS BAR"}`);

async function timed(work: () => Promise<unknown>): Promise<number> {
	const began = performance.now();
	await work();
	return performance.now() - began;
}

async function readAndImport(bench: Bench): Promise<string> {
	const before = residentMegabytes(bench.service.pid);
	const memory = watchMemory([bench.service.pid, bench.service.storePid()]);
	const { import_id: id } = await upload(bench, true);
	const readMs = await timed(() => until(bench, id, "validated"));
	say("report of a dry run", rate(readMs), LINES / (readMs / 1000) >= LEAST_LINES_A_SECOND);
	const importMs = await timed(async () => {
		await call(bench, "POST", `/${id}/run`);
		await until(bench, id, "completed");
	});
	const { peaks } = memory.stop();
	say("rows written", rate(importMs), LINES / (importMs / 1000) >= LEAST_LINES_A_SECOND);
	const grown = (peaks[0] ?? 0) - before;
	const held = `+${Math.round(grown)} MB at most, of ${Math.round(before)}; store ${Math.round(peaks[1] ?? 0)} MB`;
	say("main process, from before the upload on", held, grown <= MOST_MEGABYTES);
	return id;
}

const rate = (ms: number) =>
	`${Math.round(LINES / (ms / 1000)).toLocaleString("en")} lines/s (${(ms / 1000).toFixed(1)} s)`;

async function undo(bench: Bench, id: string, empty: string): Promise<void> {
	const undoMs = await timed(() => call(bench, "POST", `/${id}/undo`));
	say("undo", `${Math.round(undoMs)} ms`, undoMs <= MOST_UNDO_MS);
	const same = (await figures(bench)) === empty;
	say("reports after it", same ? "as before" : "differ", same);
}

async function killAndResume(bench: Bench, env: NodeJS.ProcessEnv, full: string): Promise<void> {
	const { import_id: id } = await upload(bench, false);
	await until(bench, id, "importing", 30);
	await bench.service.kill();
	bench.service = await startService(env);
	const resumedMs = await timed(() => until(bench, id, "completed"));
	const same = (await figures(bench)) === full;
	say(
		"kill -9 at 30 %, then to the end",
		`${(resumedMs / 1000).toFixed(1)} s; totals ${same ? "equal" : "differ"}`,
		same,
	);
}

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-imports-"));
try {
	console.log(describeMachine());
	const env = { ...benchEnv(join(dataDir, "data")), RATE_LIMIT_ENABLED: "false" };
	const path = join(dataDir, "access.log.gz");
	await writeLog(path, LINES, PAGES);
	console.log(`${LINES.toLocaleString("en")} lines, ${Math.round((await stat(path)).size / 1e6)} MB packed`);
	const site = await createBenchSite(env);
	const bench: Bench = { site, path, service: await startService(env) };
	const empty = await figures(bench);
	const id = await readAndImport(bench);
	const full = await figures(bench);
	console.log(`${"totals".padEnd(44)} ${JSON.stringify((await call(bench, "GET", `/${id}`)).report?.totals)}`);
	await undo(bench, id, empty);
	await killAndResume(bench, env, full);
	await bench.service.stop();
} finally {
	await rm(dataDir, { recursive: true, force: true });
}
