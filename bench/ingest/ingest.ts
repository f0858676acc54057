// How many hits a second the service acknowledges, at what cost, and whether each of them is in the reports exactly once.
// The load comes from a process of its own on the same machine. `npm run bench:ingest -- [seconds]`

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { LoadResult } from "../support/load-process.ts";
import { describeMachine } from "../support/machine.ts";
import { type Load, openLoad } from "../support/open-load.ts";
import { cpuMicroseconds, describeMemory, watchMemory } from "../support/process-figures.ts";
import { benchEnv, type RunningService, startService } from "../support/service.ts";
import { type BenchSite, createBenchSite, readReport, readTrackerToken } from "../support/site.ts";
import { tableSizes } from "../support/table-sizes.ts";

const SECONDS = Number(process.argv[2] ?? 30);
const load = { connections: 100, requests: 120_000, visitors: 20_000 };
const TURNS = 6;
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

/** A service in its own process, and the load that is sent to it. */
interface Target {
	readonly pids: readonly number[];
	readonly load: Load;
}

interface Measured {
	readonly result: LoadResult;
	/** Microseconds a hit, by process. */
	readonly cpu: readonly number[];
}

const loadOn = (port: number, siteId: string, token: string) =>
	openLoad({ ...load, port, target: { host: `127.0.0.1:${port}`, siteId, token } });

/** Takes turns with a target, noting what its processes take; the rows of a turn reach the store a moment after it. */
function turnsOf({ pids, load }: Target, settle: (result: LoadResult) => Promise<unknown>) {
	const spent = pids.map(() => 0);
	let result: LoadResult | undefined;
	return {
		async take(seconds: number) {
			const before = pids.map(cpuMicroseconds);
			result = await load.turn(seconds);
			await settle(result);
			for (const [at, pid] of pids.entries()) spent[at] = (spent[at] ?? 0) + cpuMicroseconds(pid) - (before[at] ?? 0);
		},
		end(): Measured {
			load.close();
			if (result === undefined) throw new Error("no turn was taken");
			const { acknowledged } = result;
			return { result, cpu: spent.map((microseconds) => microseconds / acknowledged) };
		},
	};
}

async function startReference(siteId: string) {
	const server = fork(fileURLToPath(new URL("../support/reference-server.ts", import.meta.url)));
	const [port] = (await once(server, "message")) as [number];
	const load = await loadOn(port, siteId, "x".repeat(58));
	return { target: { pids: [server.pid ?? 0], load }, stop: () => server.disconnect() };
}

/** The service and the bare server alternate, so that other load on the machine affects both. */
async function measure(service: RunningService, site: BenchSite) {
	const token = await readTrackerToken(service.url, site.id);
	await pause(IDLE_MS);
	const pids = [service.pid, service.storePid()];
	const idle = describeMemory(pids);
	const reference = await startReference(site.id);
	const target = { pids, load: await loadOn(service.port, site.id, token) };
	let visible = { reported: 0, seconds: 0 };
	const ours = turnsOf(target, async (result) => {
		visible = await waitForHits(service, site, result.acknowledged);
	});
	const bare = turnsOf(reference.target, async () => undefined);
	const memory = watchMemory(pids);
	for (let turn = 0; turn < TURNS; turn++) {
		await ours.take(SECONDS / TURNS);
		await bare.take(SECONDS / TURNS / 2);
	}
	const figures = { ours: ours.end(), bare: bare.end(), visible, idle, ...memory.stop() };
	reference.stop();
	return figures;
}

const perSecond = ({ acknowledged, seconds }: { acknowledged: number; seconds: number }) => acknowledged / seconds;
const [whole, one] = [(n: number) => Math.round(n).toLocaleString("en"), (n: number) => n.toFixed(1)];

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-ingest-"));
try {
	const env = benchEnv(dataDir);
	const site = await createBenchSite(env);
	const service = await startService(env);
	const measured = await measure(service, site).finally(() => service.stop());
	const sizes = await tableSizes(dataDir, "events");
	const { visible, idle, peaks, together, bare } = measured;
	const { result, cpu } = measured.ours;
	const total = (cpu[0] ?? 0) + (cpu[1] ?? 0);
	row("machine", describeMachine());
	row(
		"load",
		`${SECONDS} s in ${TURNS} turns, ${load.connections} connections, ${whole(load.requests)} distinct hits, ${whole(load.visitors)} visitors`,
	);
	row("acknowledged hits a second", whole(perSecond(result)));
	row("  bare node:http server, same load", whole(perSecond(bare.result)));
	row("  ours as a share of it", `${one((100 * perSecond(result)) / perSecond(bare.result))} %`);
	row("answer times p50, p95, p99", `${one(result.p50)}, ${one(result.p95)}, ${one(result.p99)} ms`);
	row("  bare server", `${one(bare.result.p50)}, ${one(bare.result.p95)}, ${one(bare.result.p99)} ms`);
	row("processor time a hit, microseconds", `${one(total)} = main ${one(cpu[0] ?? 0)} + store ${one(cpu[1] ?? 0)}`);
	row("  bare server", one(bare.cpu[0] ?? 0));
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
