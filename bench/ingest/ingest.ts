// How many hits a second the service acknowledges, at what cost, and whether each of them is in the reports exactly once.
// The load comes from a process of its own on the same machine. `npm run bench:ingest -- [seconds]`

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describeMachine } from "../support/machine.ts";
import { cpuMicroseconds, describeMemory, watchMemory } from "../support/process-figures.ts";
import { runLoad } from "../support/run-load.ts";
import { benchEnv, type RunningService, startService } from "../support/service.ts";
import { type BenchSite, createBenchSite, readReport, readTrackerToken } from "../support/site.ts";
import { tableSizes } from "../support/table-sizes.ts";

const SECONDS = Number(process.argv[2] ?? 30);
const load = { connections: 100, requests: 120_000, visitors: 20_000 };
const IDLE_MS = 5_000;
const VISIBLE_WITHIN_MS = 60_000;

const row = (label: string, value: string) => console.log(`${label.padEnd(44)} ${value}`);

/** Hits that the reports know of. */
async function reportedHits(service: RunningService, site: BenchSite): Promise<number> {
	const { data } = await readReport<{ data: { traffic: Record<string, number> } }>(
		service.url,
		site,
		"/stats/overview?period=30d",
	);
	const { page_views = 0, conversions = 0, microconversions = 0 } = data.traffic;
	return page_views + conversions + microconversions;
}

async function waitForHits(service: RunningService, site: BenchSite, expected: number) {
	const began = performance.now();
	let reported = await reportedHits(service, site);
	while (reported < expected && performance.now() - began < VISIBLE_WITHIN_MS) {
		await pause(100);
		reported = await reportedHits(service, site);
	}
	return { reported, seconds: (performance.now() - began) / 1000 };
}

async function measure(service: RunningService, site: BenchSite) {
	const token = await readTrackerToken(service.url, site.id);
	const target = { host: `127.0.0.1:${service.port}`, siteId: site.id, token };
	await pause(IDLE_MS);
	const pids = [service.pid, service.storePid()];
	const idle = describeMemory(pids);
	const memory = watchMemory(pids);
	let before = pids.map(() => 0);
	const result = await runLoad({ ...load, target, port: service.port, seconds: SECONDS }, () => {
		before = pids.map(cpuMicroseconds);
	});
	const visible = await waitForHits(service, site, result.acknowledged);
	// The rows reach the store a moment after their answers: its work on them counts too.
	const cpu = pids.map((pid, index) => (cpuMicroseconds(pid) - (before[index] ?? 0)) / result.acknowledged);
	return { result, visible, idle, cpu, ...memory.stop() };
}

async function measureReference(siteId: string) {
	const server = fork(fileURLToPath(new URL("../support/reference-server.ts", import.meta.url)));
	const [port] = (await once(server, "message")) as [number];
	const pid = server.pid ?? 0;
	let before = 0;
	const target = { host: `127.0.0.1:${port}`, siteId, token: "x".repeat(58) };
	const result = await runLoad({ ...load, target, port, seconds: Math.min(10, SECONDS) }, () => {
		before = cpuMicroseconds(pid);
	});
	const cpu = (cpuMicroseconds(pid) - before) / result.acknowledged;
	server.disconnect();
	return { result, cpu };
}

const perSecond = ({ acknowledged, seconds }: { acknowledged: number; seconds: number }) => acknowledged / seconds;
const [whole, one] = [(n: number) => Math.round(n).toLocaleString("en"), (n: number) => n.toFixed(1)];

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-ingest-"));
try {
	const env = benchEnv(dataDir);
	const site = await createBenchSite(env);
	const service = await startService(env);
	const ours = await measure(service, site).finally(() => service.stop());
	const reference = await measureReference(site.id);
	const sizes = await tableSizes(dataDir, "events");
	const { result, visible, idle, cpu, peaks, together } = ours;
	const total = (cpu[0] ?? 0) + (cpu[1] ?? 0);
	row("machine", describeMachine());
	row(
		"load",
		`${SECONDS} s, ${load.connections} connections, ${whole(load.requests)} distinct hits, ${whole(load.visitors)} visitors`,
	);
	row("acknowledged hits a second", whole(perSecond(result)));
	row("  bare node:http server, same load", whole(perSecond(reference.result)));
	row("  ours as a share of it", `${one((100 * perSecond(result)) / perSecond(reference.result))} %`);
	row("answer times p50, p95, p99", `${one(result.p50)}, ${one(result.p95)}, ${one(result.p99)} ms`);
	row("  bare server", `${one(reference.result.p50)}, ${one(reference.result.p95)}, ${one(reference.result.p99)} ms`);
	row("processor time a hit, microseconds", `${one(total)} = main ${one(cpu[0] ?? 0)} + store ${one(cpu[1] ?? 0)}`);
	row("  bare server", one(reference.cpu));
	row("memory idle, MB", idle);
	row("memory at its peak, MB", `${whole(together)} (main ${whole(peaks[0] ?? 0)}, store ${whole(peaks[1] ?? 0)})`);
	row("rows stored, bytes on disk a row", `${whole(sizes.rows)}, ${one(sizes.bytes / sizes.rows)}`);
	row("answers other than 204", whole(result.failed));
	row("acknowledged hits", whole(result.acknowledged));
	row("hits in the reports", `${whole(visible.reported)} (${one(visible.seconds)} s after the last answer)`);
	const isExact = visible.reported === result.acknowledged && result.failed === 0;
	console.log(isExact ? "Every acknowledged hit is in the reports exactly once." : "HITS ARE MISSING OR COUNTED TWICE");
	process.exitCode = isExact ? 0 : 1;
} finally {
	await rm(dataDir, { recursive: true, force: true });
}
