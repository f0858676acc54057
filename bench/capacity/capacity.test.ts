import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { root } from "../../scripts/lib/root.ts";
import { type Constant, constants, values } from "./constants.ts";
import { costOf } from "./cost.ts";
import type { Deployment } from "./deployment.ts";
import { commitsOf } from "./group-commit.ts";
import { loadRate, outageOf } from "./outage.ts";
import { withTables } from "./page.ts";
import { breaksFirst, endOf, leftOut, planFor, strain } from "./plan.ts";
import { insertCores, insertsASecond, reportCores, resources, spoolBytesAHit } from "./resources.ts";
import { simulate } from "./simulation.ts";
import { sizingOf } from "./sizing.ts";
import { calculatedCommits, commits, expected, planned, simulateAll, tables } from "./tables.ts";
import { trafficOf } from "./traffic.ts";

/** Round figures, to be reckoned with by hand. */
const round = {
	...values,
	...{ dailyPeak: 2, weeklyPeak: 1, burst: 1.5, hitsAVisit: 4, rowsAHit: 1.25, clickIdsAVisit: 0.1, reportsAHit: 0.01 },
	...{ collectorUs: 90, redisClientUs: 10, redisUs: 10, spoolHeads: 1, wayBytes: 200, visitSeconds: 2000 },
	...{ redisVisitBytes: 500, redisClickIdBytes: 100, loadEvery: 1, fullRows: 20_000, loaderRows: 50_000 },
	...{ insertUs: 100_000, rowUs: 10, laterMerges: 2, rowBytes: 40, diskACore: 0.5, tokens: 100_000 },
	...{
		monthReportUs: 10_000,
		yearReportUs: 60_000,
		yearReports: 0.1,
		scanUs: 250_000,
		scanReports: 0.02,
		apiUs: 5_000,
	},
};
/** A thousand hits a second. */
const traffic = trafficOf(2_592_000_000, round);
const deployment: Deployment = {
	collectors: 3,
	cells: 2,
	redisGb: 16,
	shards: 2,
	replicas: 3,
	nodeCores: 8,
	apis: 3,
	spoolGb: 4,
};

const near = (found: number, wanted: number, tolerance: number, what: string) =>
	assert.ok(
		Math.abs(found - wanted) <= tolerance * wanted,
		`${what}: ${found} is not within ${tolerance} of ${wanted}`,
	);

const days = simulateAll();

test("hits a month become hits a second, visits, click ids and rows", () => {
	assert.partialDeepStrictEqual(traffic, {
		...{ mean: 1000, busiest: 2000, peak: 3000, reports: 20, visits: 1_000_000 },
		...{ clickIds: 64_800_000, rowsAYear: 38_880_000_000 },
	});
});

test("each resource is used as reckoned by hand, with one of each kind away", () => {
	const found = resources(round, traffic, deployment);
	const wanted: Record<string, readonly [number, number]> = {
		// 3,000 hits of 100 µs on two of three.
		"collectors, processor": [0.3, 2],
		// 2,000 hits of 250 bytes for 1,800 seconds.
		"collectors, spool for 30 minutes": [0.9, 8],
		"collectors, notes of click ids": [2_160_000, 6_000_000],
		// 3,000 hits of 1,052 bytes.
		"balancer, network": [0.025248, 10],
		"Redis, processor": [0.03, 2],
		// A million visits of 500 bytes and 64.8 million click ids of 100.
		"Redis, memory": [6.98, 32],
		// Three inserts of 0.1 s, 1,875 rows of 20 µs; 20 reports of 15 and 2.5 ms on two of three machines.
		"event store, processor": [0.5125, 8],
		"event store, disk for 12 months": [1.5552, 8],
		"event store, parts": [3, 30],
		"Keeper, requests": [120, 10_000],
		"API, processor": [0.1, 2],
		"API, questions at a time": [0.35, 16],
		// Eight processes and 20 reports, three each.
		"PostgreSQL, statements": [84, 10_000],
	};
	assert.deepEqual(
		found.map(({ name }) => name),
		Object.keys(wanted),
	);
	for (const { name, used, of } of found) {
		near(used, wanted[name]?.[0] ?? 0, 1e-9, name);
		near(of, wanted[name]?.[1] ?? 0, 1e-9, name);
	}
});

test("few hits are stored one by one, many when a load is full", () => {
	assert.deepEqual(
		[0.1, 100, 100_000].map((hits) => insertsASecond(round, hits, 2)),
		[0.1, 2, 6.25],
	);
});

test("questions take the same of every shard, and less of each machine where more have the rows", () => {
	const cores = (shards: number, replicas: number) => reportCores(round, 100, { ...deployment, shards, replicas });
	assert.deepEqual([cores(1, 2), cores(2, 2), cores(2, 3)], [2, 1.75, 0.875]);
	assert.equal(insertCores(round, 8000, { ...deployment, shards: 1, collectors: 4 }), 0.6);
});

test("a spool grows as hits come and empties as fast as loaders and shards allow", () => {
	assert.equal(spoolBytesAHit(round), 250);
	// 2,000 hits for 600 s in two spools; 100,000 rows a second go in while 2,500 come.
	const { spoolGb, drainSeconds } = outageOf(round, traffic, deployment, 600);
	near(spoolGb, 0.15, 1e-9, "spool");
	near(drainSeconds, 1_500_000 / 97_500, 1e-9, "until it is empty");
	// One core, of which six inserts take 0.6, reports 0.175: 0.225 cores of two shards at 20 µs.
	near(loadRate(round, 20, { ...deployment, nodeCores: 1 }, 2), 22_500, 1e-9, "rows a second of a small store");
});

test("a month costs its cores, memory and disk", () => {
	// 6 + 6 + 8 + 48 + 26 cores; two of each Redis; 24 TB, spools, half a TB of others.
	const cost = costOf(round, deployment, { coreHour: 0.1, memoryGbMonth: 2, diskTbMonth: 50 });
	assert.partialDeepStrictEqual(cost, { cores: 94, coreHours: 67_680, redisGb: 64, diskTb: 24.512 });
	near(cost.price, 6768 + 128 + 1225.6, 1e-9, "price");
});

test("every installation that is planned bears its load, and not with one of a step less", () => {
	const least = { collectors: 2, cells: 1, shards: 1, apis: 2 } as const;
	for (const { title, traffic, plan } of planned) {
		assert.ok(strain(breaksFirst(values, traffic, plan)) <= 1, title);
		for (const step of ["collectors", "cells", "shards", "apis"] as const) {
			if (plan[step] <= least[step]) continue;
			assert.ok(strain(breaksFirst(values, traffic, { ...plan, [step]: plan[step] - 1 })) > 1, `${title}: ${step}`);
		}
		const end = endOf(values, plan);
		assert.ok(end.hitsAMonth >= traffic.hitsAMonth && end.hitsAMonth < 10 * traffic.hitsAMonth, title);
	}
});

test("a step that is left out names what breaks", () => {
	const [small, large] = [deployment, planFor(round, trafficOf(2.592e11, round))];
	const found = leftOut(round, trafficOf(2.592e11, round), small, large);
	const collectors = found.find(({ step }) => step === "collectors");
	// 216 million click ids a day, of which two collectors note three million each.
	assert.equal(collectors?.breaks.name, "collectors, notes of click ids");
	near(collectors?.breaks.share ?? 0, 36, 1e-9, "share");
});

test("a simulated weekday agrees with the arithmetic: means within 5 %, busiest minutes within 10 %", () => {
	for (const [index, { title, traffic, plan }] of planned.entries()) {
		const day = days[index] ?? assert.fail(title);
		const mean = traffic.mean * values.weeklyPeak;
		const ofDay = expected(mean, mean * values.reportsAHit, plan);
		const ofBurst = expected(traffic.peak, traffic.reports, plan);
		for (const name of ["collectors", "redis", "store"] as const) {
			near(day.mean[name], ofDay[name], 0.05, `${title}, ${name}, mean`);
			near(day.peak[name], ofBurst[name], 0.1, `${title}, ${name}, peak`);
		}
	}
});

test("every simulated hit is stored or waits, queues stay short, and spools empty after ten minutes without a shard", () => {
	for (const [index, { title, traffic, plan }] of planned.entries()) {
		const day = days[index] ?? assert.fail(title);
		near(day.stored + day.waiting, day.arrived, 1e-9, `${title}, hits`);
		assert.ok(day.waiting < traffic.peak, `${title}: ${day.waiting} wait at midnight`);
		assert.ok(day.queueSeconds < 1, `${title}: ${day.queueSeconds} s`);
		assert.ok(day.mergesWaiting < 60, `${title}: ${day.mergesWaiting} merges`);
		const { spoolGb, drainSeconds } = outageOf(values, traffic, plan, 600);
		near(day.spoolGb, spoolGb, 0.05, `${title}, spool`);
		assert.ok(Math.abs(day.drainSeconds - drainSeconds) <= 5 + 0.1 * drainSeconds, `${title}: ${day.drainSeconds} s`);
	}
});

test("a simulated minute of a collector commits hits in groups as calculated, and its queue does not grow", () => {
	for (const size of planned) {
		const { hits, waitMs } = calculatedCommits(size);
		const found = commits(size);
		near(found.hits, hits, 0.1, `${size.title}, hits a commit`);
		near(found.waitMs, waitMs, 0.1, `${size.title}, wait`);
		assert.ok(found.lastQueueMs < 50, `${size.title}: ${found.lastQueueMs} ms`);
	}
	// A processor that takes 10,000 a second is half a minute behind after a minute of 15,000.
	near(commitsOf(values, 15_000, 100).lastQueueMs, 30_000, 0.05, "queue");
});

test("with too few collectors queues grow, and with too small a store spools never empty", () => {
	const { plan } = planned[0] ?? assert.fail();
	const many = trafficOf(2e10, values);
	assert.ok(simulate(values, many, { ...plan, collectors: 2 }).queueSeconds > 600);
	const slow = simulate({ ...values, insertUs: 4e6 }, many, { ...plan, collectors: 6, nodeCores: 8 });
	assert.ok(slow.waiting > 1e6, `${slow.waiting} wait`);
});

test("one machine is sized by rows and visits", () => {
	const size = sizingOf(round, 25_920_000);
	assert.partialDeepStrictEqual(size, { peak: 30, cores: 2, memoryGb: 2, diskGb: 40 });
	near(size.diskGbAYear, 15.552, 1e-9, "GB of twelve months");
});

test("every constant says where it comes from", () => {
	for (const [name, { measured, assumed }] of Object.entries<Constant>(constants)) {
		assert.ok((measured === undefined) !== (assumed === undefined), name);
	}
});

test("the tables of docs/capacity.md are those of the program", () => {
	const page = readFileSync(`${root}docs/capacity.md`, "utf8");
	assert.equal(page, withTables(page, tables(days)), "npm run bench:capacity -- write");
});
