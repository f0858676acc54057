// What a second collector brings: hits a second and processor time a hit of one collector, and of two behind a round-robin balancer
// that share visits in Redis, and whether every visit was counted once. Balancer and load run on the same machine.
// `npm run bench:collectors -- [seconds]`, with TEST_DATABASE_URL (PostgreSQL) and TEST_REDIS_URL.

import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openMetadata } from "../../packages/server/src/platform/metadata/open-metadata.ts";
import type { LoadResult } from "../support/load-process.ts";
import { describeMachine } from "../support/machine.ts";
import { openLoad } from "../support/open-load.ts";
import { cpuMicroseconds } from "../support/process-figures.ts";
import { benchEnv, type RunningService, startService } from "../support/service.ts";
import { type BenchSite, createBenchSite, readReport, readTrackerToken } from "../support/site.ts";

const SECONDS = Number(process.argv[2] ?? 8);
const load = { connections: 60, requests: 40_000, visitors: 4000 };
const VISIBLE_WITHIN_MS = 60_000;

interface Counted {
	readonly hits: number;
	readonly visits: number;
}

interface Measured extends Counted {
	readonly result: LoadResult;
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

/** What the reports of a collector's own event store know. */
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

/** Sends hits to some collectors behind one address. */
async function measure(services: readonly RunningService[], site: BenchSite): Promise<Measured> {
	const [first] = services;
	if (first === undefined) throw new Error("no collector was started");
	for (const { url } of services) {
		while ((await fetch(`${url}/t.js?id=${site.id}`)).status !== 200) await pause(200);
	}
	const token = await readTrackerToken(first.url, site.id);
	const balancer = fork(
		fileURLToPath(new URL("./balancer.ts", import.meta.url)),
		services.map(({ port }) => String(port)),
	);
	const [port] = (await once(balancer, "message")) as [number];
	const sender = await openLoad({ ...load, port, target: { host: `127.0.0.1:${port}`, siteId: site.id, token } });
	const spent = () => services.reduce((sum, { pid }) => sum + cpuMicroseconds(pid), 0);
	const before = spent();
	const result = await sender.turn(SECONDS);
	const cpu = (spent() - before) / result.acknowledged;
	sender.close();
	balancer.disconnect();
	return { result, cpu, ...(await waitForHits(services, site, result.acknowledged)) };
}

async function run(collectors: number): Promise<Measured> {
	const folder = await mkdtemp(join(tmpdir(), "footfall-bench-collectors-"));
	const schema = await makeSchema(given("TEST_DATABASE_URL"));
	const services: RunningService[] = [];
	const envOf = (name: string) => ({
		...benchEnv(join(folder, name)),
		DATABASE_URL: schema.url,
		REDIS_URL: given("TEST_REDIS_URL"),
		SECRET_KEY: secretKey,
	});
	const secretKey = randomBytes(32).toString("hex");
	try {
		for (let index = 0; index < collectors; index++) services.push(await startService(envOf(`collector-${index}`)));
		return await measure(services, await createBenchSite(envOf("collector-0")));
	} finally {
		await Promise.all(services.map((service) => service.stop()));
		await schema.drop();
		await rm(folder, { recursive: true, force: true });
	}
}

const row = (label: string, ...values: readonly string[]) =>
	console.log(label.padEnd(40) + values.map((value) => value.padStart(14)).join(""));
const [whole, one] = [(n: number) => Math.round(n).toLocaleString("en"), (n: number) => n.toFixed(1)];

const runs = [await run(1), await run(2)];
row("machine", describeMachine());
row("load", `${SECONDS} s, ${load.connections} connections, ${whole(load.visitors)} visitors`);
row("", "one", "two");
row("acknowledged hits a second", ...runs.map(({ result }) => whole(result.acknowledged / result.seconds)));
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
process.exitCode = isExact ? 0 : 1;
