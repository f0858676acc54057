// Gain of a second collector: hits a second and processor time a hit of one collector, and of two behind a round-robin
// balancer that share visits in Redis, and whether every visit was counted once. Balancer, load and stores run on the
// same machine, so each collector is limited to a share of a core, which then is the only bottleneck. `npm run
// bench:collectors -- [seconds] [one-port]`, as root, with TEST_DATABASE_URL (PostgreSQL) and TEST_REDIS_URL; with
// `one-port` the collectors listen on one port (`REUSE_PORT`) without a balancer.

import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openMetadata } from "../../packages/server/src/platform/metadata/open-metadata.ts";
import { freePort } from "../../packages/server/test/support/free-port.ts";
import { type CpuLimit, cpuLimit } from "../support/cpu-limit.ts";
import type { LoadResult } from "../support/load-process.ts";
import { describeMachine } from "../support/machine.ts";
import { openLoad } from "../support/open-load.ts";
import { cpuMicroseconds } from "../support/process-figures.ts";
import { benchEnv, type RunningService, startService } from "../support/service.ts";
import { type BenchSite, createBenchSite, readReport, readTrackerToken } from "../support/site.ts";

const SECONDS = Number(process.argv[2] ?? 20);
const IS_ONE_PORT = process.argv[3] === "one-port";
const WARM_UP_SECONDS = 10;
/** Of one core, for each collector: two of them leave more than half of a machine with two cores to all the rest. */
const SHARE = 0.3;
const MIN_GAIN = 1.7;
const load = { connections: 60, requests: 40_000, visitors: 4000 };
const VISIBLE_WITHIN_MS = 60_000;

interface Counted {
	readonly hits: number;
	readonly visits: number;
}

interface Measured extends Counted {
	/** Of both turns. */
	readonly result: LoadResult;
	/** Acknowledged hits a second, once warm. */
	readonly rate: number;
	/** Microseconds a hit, of all collectors together. */
	readonly cpu: number;
	/** Share of the hits of each collector, in percent. */
	readonly shares: readonly number[];
}

function given(name: string): string {
	const value = process.env[name];
	if (value === undefined) throw new Error(`Set ${name}: collectors share accounts in PostgreSQL and visits in Redis`);
	return value;
}

/** A schema of its own, so that no run meets another. */
async function makeSchema(databaseUrl: string) {
	const name = `bench_${randomBytes(6).toString("hex")}`;
	const run = async (statement: "create" | "drop") => {
		const admin = await openMetadata({ databaseUrl, dataDir: "" });
		if (statement === "create") await admin.schema.createSchema(name).execute();
		else await admin.schema.dropSchema(name).cascade().execute();
		await admin.destroy();
	};
	await run("create");
	const url = new URL(databaseUrl);
	url.searchParams.set("options", `-c search_path=${name}`);
	return { url: url.toString(), drop: () => run("drop") };
}

/** Counts in the reports of a collector's own event store. */
async function countedBy({ url }: RunningService, site: BenchSite): Promise<Counted> {
	const { data } = await readReport<{ data: { traffic: Record<string, number> } }>(
		url,
		site,
		"/stats/overview?period=30d",
	);
	const { page_views = 0, conversions = 0, microconversions = 0, entrances = 0 } = data.traffic;
	return { hits: page_views + conversions + microconversions, visits: entrances };
}

async function waitForHits(services: readonly RunningService[], site: BenchSite, expected: number) {
	const until = performance.now() + VISIBLE_WITHIN_MS;
	for (;;) {
		const each = await Promise.all(services.map((service) => countedBy(service, site)));
		const hits = each.reduce((sum, counted) => sum + counted.hits, 0);
		if (hits >= expected || performance.now() > until) {
			const visits = each.reduce((sum, counted) => sum + counted.visits, 0);
			return { hits, visits, shares: each.map((counted) => (100 * counted.hits) / hits) };
		}
		await pause(200);
	}
}

/** Resolves when each process behind an address knows a site: the kernel gives new connections to any of those of a port. */
async function untilKnown(script: string): Promise<void> {
	for (let inTurn = 0; inTurn < (IS_ONE_PORT ? 30 : 1); ) {
		const { status } = await fetch(script, { headers: { connection: "close" } });
		inTurn = status === 200 ? inTurn + 1 : 0;
		if (status !== 200) await pause(200);
	}
}

/** The one port that leads to all of some. */
async function openFront(ports: readonly number[]): Promise<{ readonly port: number; close(): void }> {
	const [first = 0] = ports;
	if (IS_ONE_PORT) return { port: first, close: () => undefined };
	const balancer = fork(fileURLToPath(new URL("./balancer.ts", import.meta.url)), ports.map(String));
	const [port] = (await once(balancer, "message")) as [number];
	return { port, close: () => balancer.disconnect() };
}

/** Sends hits to some collectors behind one address. */
async function measure(
	services: readonly RunningService[],
	site: BenchSite,
	startReader: (index: number) => Promise<RunningService>,
): Promise<Measured> {
	const [first] = services;
	if (first === undefined) throw new Error("no collector was started");
	for (const { url } of services) await untilKnown(`${url}/t.js?id=${site.id}`);
	const token = await readTrackerToken(first.url, site.id);
	const front = await openFront(services.map(({ port }) => port));
	const { port } = front;
	const sender = await openLoad({ ...load, port, target: { host: `127.0.0.1:${port}`, siteId: site.id, token } });
	const spent = () => services.reduce((sum, { pid }) => sum + cpuMicroseconds(pid), 0);
	const warm = await sender.turn(WARM_UP_SECONDS);
	const before = spent();
	const result = await sender.turn(SECONDS);
	const hits = result.acknowledged - warm.acknowledged;
	const cpu = (spent() - before) / hits;
	sender.close();
	front.close();
	const rate = hits / (result.seconds - warm.seconds);
	const readers = await Promise.all(services.map((_, index) => startReader(index)));
	try {
		return { result, rate, cpu, ...(await waitForHits(readers, site, result.acknowledged)) };
	} finally {
		await Promise.all(readers.map((reader) => reader.stop()));
	}
}

async function run(collectors: number): Promise<Measured & { readonly isLimited: boolean }> {
	const folder = await mkdtemp(join(tmpdir(), "footfall-bench-collectors-"));
	const schema = await makeSchema(given("TEST_DATABASE_URL"));
	const services: RunningService[] = [];
	const limits: CpuLimit[] = [];
	// Each collector has events of its own, which a process for the API reads beside it.
	const envOf = (index: number, role: string) => ({
		...benchEnv(join(folder, `collector-${index}`)),
		ROLES: role,
		DATABASE_URL: schema.url,
		REDIS_URL: given("TEST_REDIS_URL"),
		SECRET_KEY: secretKey,
		ALLOW_DIFFERENT_SETTINGS: "true",
	});
	const secretKey = randomBytes(32).toString("hex");
	try {
		for (let index = 0; index < collectors; index++) {
			const onePort = { PORT: String(services[0]?.port ?? (await freePort())), REUSE_PORT: "true" };
			services.push(await startService({ ...envOf(index, "collect"), ...(IS_ONE_PORT && onePort) }));
		}
		const site = await createBenchSite(envOf(0, "collect"));
		for (const { pid } of services) {
			const limit = cpuLimit(`footfall-bench-${pid}`, SHARE);
			if (limit !== undefined) limits.push(limit);
			limit?.add(pid);
		}
		return {
			...(await measure(services, site, (index) => startService(envOf(index, "api")))),
			isLimited: limits.length === collectors,
		};
	} finally {
		await Promise.all(services.map((service) => service.stop()));
		for (const limit of limits) limit.remove();
		await schema.drop();
		await rm(folder, { recursive: true, force: true });
	}
}

const row = (label: string, ...values: readonly string[]) =>
	console.log(label.padEnd(40) + values.map((value) => value.padStart(14)).join(""));
const [whole, one] = [(n: number) => Math.round(n).toLocaleString("en"), (n: number) => n.toFixed(1)];

const runs = [await run(1), await run(2)];
row("machine", describeMachine());
const isLimited = runs.every((run) => run.isLimited);
row("before them", IS_ONE_PORT ? "one port (SO_REUSEPORT)" : "a round-robin balancer");
row("load", `${SECONDS} s after ${WARM_UP_SECONDS}, ${load.connections} connections, ${whole(load.visitors)} visitors`);
row("each collector has of a core, %", isLimited ? whole(SHARE * 100) : "no limit could be set");
row("", "one", "two");
row("acknowledged hits a second", ...runs.map(({ rate }) => whole(rate)));
row("processor time a hit, microseconds", ...runs.map(({ cpu }) => one(cpu)));
row("answer times p50, p99, ms", ...runs.map(({ result }) => `${one(result.p50)}, ${one(result.p99)}`));
row("share of each collector, %", ...runs.map(({ shares }) => shares.map(one).join(", ")));
row("answers other than 204", ...runs.map(({ result }) => whole(result.failed)));
row("acknowledged hits", ...runs.map(({ result }) => whole(result.acknowledged)));
row("hits in the reports", ...runs.map(({ hits }) => whole(hits)));
row("visits in the reports", ...runs.map(({ visits }) => whole(visits)));
const isExact = runs.every(
	({ result, hits, visits }) => hits === result.acknowledged && visits === Math.min(load.visitors, hits),
);
console.log(isExact ? "Every visit was counted once." : "VISITS OR HITS ARE MISSING OR COUNTED TWICE");
const gain = (runs[1]?.rate ?? 0) / (runs[0]?.rate ?? 1);
const holds = gain >= MIN_GAIN;
console.log(`${holds ? "holds " : "MISSED"} two take ${gain.toFixed(2)} times the hits of one, at least ${MIN_GAIN}`);
process.exitCode = isExact && (holds || !isLimited) ? 0 : 1;
