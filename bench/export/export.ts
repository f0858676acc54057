// A raw export of millions of conversions by the running service, in the background: rows a second, and memory of the
// main process and the event store meanwhile. `npm run bench:export -- [rows]`

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describeMachine } from "../support/machine.ts";
import { residentMegabytes, watchMemory } from "../support/process-figures.ts";
import { benchEnv, type RunningService, startService } from "../support/service.ts";
import { type BenchSite, createBenchSite } from "../support/site.ts";
import { withStore } from "../support/table-sizes.ts";

const ROWS = Number(process.argv[2] ?? 10_000_000);
const ROWS_AN_INSERT = 1_000_000;
const DAYS = { date_from: "2026-10-01", date_to: "2026-10-30" };
const FORMATS = ["csv", "json", "parquet"] as const;

interface Job {
	readonly job_id: string;
	readonly status: string;
	readonly actual_rows: number;
	readonly file_size_bytes: number;
	readonly download_url: string;
}

/** Conversions with three properties each, over thirty days. */
async function fill(dataDir: string, site: string): Promise<void> {
	await withStore(dataDir, async (store) => {
		for (let from = 0; from < ROWS; from += ROWS_AN_INSERT) {
			const count = Math.min(ROWS_AN_INSERT, ROWS - from);
			await store.command(`INSERT INTO events (site, date, hour, ts, session, kind, event_type, conversion, amount, revenue, properties)
				SELECT '${site}', toDate('2026-10-01') + number % 30 AS date, intDiv(number, 30) % 24 AS hour,
					toDateTime64(date, 3, 'UTC') + hour * 3600 + (number % 3600000) / 1000, cityHash64(number), 'conversion',
					['purchase', 'renewal'][1 + number % 2], 1, number % 20000 / 100, number % 20000 / 100,
					map('order', toString(number), 'sku', concat('SKU-', toString(number % 997)), 'note', 'gift, "wrapped"')
				FROM numbers(${from}, ${count})`);
		}
	});
}

async function call(service: RunningService, site: BenchSite, path: string, body?: object): Promise<unknown> {
	const response = await fetch(`${service.url}/api/v1${path}?account_id=${site.id}`, {
		...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
		headers: { "x-api-key": site.apiKey, ...(body !== undefined && { "content-type": "application/json" }) },
	});
	if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
	return response.json();
}

async function measure(service: RunningService, site: BenchSite, format: string): Promise<void> {
	const pids = [service.pid, service.storePid()];
	const before = residentMegabytes(service.pid);
	const memory = watchMemory(pids);
	const began = performance.now();
	const question = { export_type: "conversions", format, ...DAYS };
	let { job } = (await call(service, site, "/exports", question)) as { job: Job };
	while (job.status !== "completed") {
		if (job.status === "failed") throw new Error("the export failed");
		await pause(100);
		job = (await call(service, site, `/exports/${job.job_id}`)) as Job;
	}
	const seconds = (performance.now() - began) / 1000;
	const { peaks } = memory.stop();
	const [main = 0, store = 0] = peaks.map(Math.round);
	console.log(
		`${format.padEnd(8)}${job.actual_rows.toLocaleString("en")} rows, ${Math.round(job.file_size_bytes / 1e6)} MB in ` +
			`${seconds.toFixed(1)} s: ${Math.round(job.actual_rows / seconds).toLocaleString("en")} rows/s; ` +
			`main process ${Math.round(before)} -> ${main} MB at most, store ${store} MB`,
	);
	await fetch(`${service.url}/api/v1/exports/${job.job_id}?account_id=${site.id}`, {
		method: "DELETE",
		headers: { "x-api-key": site.apiKey },
	});
}

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-export-"));
try {
	console.log(describeMachine());
	const env = benchEnv(dataDir);
	const site = await createBenchSite(env);
	// The first start makes the tables.
	await (await startService(env)).stop();
	await fill(dataDir, site.id);
	const service = await startService(env);
	await pause(3000);
	for (const format of FORMATS) await measure(service, site, format);
	await service.stop();
} finally {
	await rm(dataDir, { recursive: true, force: true });
}
