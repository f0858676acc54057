import { createRandom, type Random } from "../../packages/server/src/features/collecting/seed/random.ts";
import type { Values } from "./constants.ts";
import { type Deployment, withoutOne } from "./deployment.ts";
import { collectorUs, reportUs, spoolBytesAHit } from "./resources.ts";
import { createShard, type Shard } from "./simulated-shard.ts";
import type { Traffic } from "./traffic.ts";

const DAY = 86_400;
/** The busiest second of the wave, and the length of a burst that begins there. */
const [PEAK_AT, BURST_SECONDS] = [15 * 3600, 120];
/** Bursts come once in so many seconds, by chance. */
const BURST_EVERY = 7_200;
/** When a shard is away, in the busiest hour, and for how long. */
export const away = { from: 15 * 3600 + 900, seconds: 600 };
/** The loader's wait after a failure. */
const RETRY_SECONDS = 5;
const STEP_ROWS = 50_000;
const MINUTE = 60;

interface Collector {
	queue: number;
	waitingRows: number;
	retryAt: number;
	most: number;
}

/** Result of a simulated day. */
export interface Simulated {
	readonly arrived: number;
	readonly stored: number;
	readonly waiting: number;
	/** Most hits that waited for a collector, in seconds of its work. */
	readonly queueSeconds: number;
	/** Most gigabytes that waited in one spool. */
	readonly spoolGb: number;
	/** Seconds from the end of the outage until no spool held more than two loads. */
	readonly drainSeconds: number;
	/** Most inserts whose merges waited, on one shard, outside the outage and what followed. */
	readonly mergesWaiting: number;
	/** Share of the processors of the collectors, of Redis and of the event store: mean of the day, and busiest minute before the outage. */
	readonly mean: Shares;
	readonly peak: Shares;
}

interface Shares {
	readonly collectors: number;
	readonly redis: number;
	readonly store: number;
}

/** Arrivals of a second where so many are usual: exact for few, with the same spread for many. */
function arrivals(usual: number, random: Random): number {
	if (usual > 50) {
		const spread = 2 * (random.next() + random.next() + random.next()) - 3;
		return Math.max(0, Math.round(usual + spread * Math.sqrt(usual)));
	}
	const limit = Math.exp(-usual);
	let count = 0;
	for (let product = random.next(); product > limit; product *= random.next()) count++;
	return count;
}

/** Hits and reports a second of a weekday: the wave of the day, for hits with bursts by chance, one of them at its top. */
function usualDay(of: Values, { mean }: Traffic, random: Random) {
	const [hits, reports] = [new Float64Array(DAY), new Float64Array(DAY)];
	let burstUntil = -1;
	for (let second = 0; second < DAY; second++) {
		if (second === PEAK_AT || random.chance(1 / BURST_EVERY)) burstUntil = second + BURST_SECONDS;
		const wave = 1 + (of.dailyPeak - 1) * Math.cos(((second - PEAK_AT) / DAY) * 2 * Math.PI);
		const calm = mean * of.weeklyPeak * wave;
		hits[second] = calm * (second < burstUntil ? of.burst : 1);
		reports[second] = calm * of.reportsAHit;
	}
	return { hits, reports };
}

/** Mean of all seconds, and of the busiest minute up to one. */
function sharesOf(used: Float64Array, capacity: number): { mean: number; peak: number } {
	let [sum, peak] = [0, 0];
	for (let minute = 0; minute < DAY; minute += MINUTE) {
		const ofMinute = used.subarray(minute, minute + MINUTE).reduce((total, value) => total + value, 0);
		sum += ofMinute;
		if (minute < away.from) peak = Math.max(peak, ofMinute / MINUTE);
	}
	return { mean: sum / DAY / capacity, peak: peak / capacity };
}

/**
 * A weekday, second by second, with one process and one machine of each kind away, and in the busiest hour one whole shard
 * for ten minutes.
 */
export function simulate(of: Values, traffic: Traffic, deployment: Deployment, seed = 1): Simulated {
	const random = createRandom(seed);
	const usual = usualDay(of, traffic, random);
	const collectors = Array.from(
		{ length: withoutOne(deployment.collectors) },
		(): Collector => ({ queue: 0, waitingRows: 0, retryAt: 0, most: 0 }),
	);
	const shards = Array.from({ length: deployment.shards }, () => createShard(of, deployment));
	const used = { collectors: new Float64Array(DAY), redis: new Float64Array(DAY), store: new Float64Array(DAY) };
	const costUs = collectorUs(of, deployment);
	const scanUs = (of.scanReports * of.scanUs) / deployment.shards;
	const total = { arrived: 0, stored: 0, queueSeconds: 0, mergesWaiting: 0 };
	let drainedAt = 0;
	for (let second = 0; second < DAY; second++) {
		const isAway = second >= away.from && second < away.from + away.seconds;
		const rate = (usual.hits[second] ?? 0) / collectors.length;
		const asked = (usual.reports[second] ?? 0) / withoutOne(deployment.replicas);
		for (const [index, shard] of shards.entries()) {
			shard.begin(isAway && index === 0);
			// Questions reach one machine of each shard.
			shard.answer(arrivals(asked, random) * (reportUs(of) + scanUs));
		}
		let handled = 0;
		for (const collector of collectors) {
			const arrived = arrivals(rate, random);
			total.arrived += arrived;
			handled += take(of, collector, arrived, costUs);
			total.queueSeconds = Math.max(total.queueSeconds, (collector.queue * costUs) / 1e6);
			total.stored += load(of, collector, shards, second);
		}
		used.collectors[second] = handled * costUs;
		used.redis[second] = deployment.cells > 0 ? handled * of.redisUs : 0;
		for (const shard of shards) {
			shard.merge();
			if (second < away.from) total.mergesWaiting = Math.max(total.mergesWaiting, shard.waitingUs / of.insertUs);
		}
		used.store[second] = Math.max(...shards.map(({ usedUs }) => usedUs));
		const isBehind = collectors.some(({ waitingRows }) => waitingRows > 2 * of.fullRows);
		if (second >= away.from + away.seconds && isBehind) drainedAt = second + 1;
	}
	const cpu = sharesOf(used.collectors, collectors.length * 1e6);
	const redis = sharesOf(used.redis, Math.max(1, deployment.cells) * 1e6);
	const store = sharesOf(used.store, deployment.nodeCores * 1e6);
	return {
		arrived: total.arrived,
		stored: total.stored / of.rowsAHit,
		waiting: collectors.reduce((sum, { queue, waitingRows }) => sum + queue + waitingRows / of.rowsAHit, 0),
		queueSeconds: total.queueSeconds,
		spoolGb: (Math.max(...collectors.map(({ most }) => most)) / of.rowsAHit) * (spoolBytesAHit(of) / 1e9),
		drainSeconds: Math.max(0, drainedAt - away.from - away.seconds),
		mergesWaiting: total.mergesWaiting,
		mean: { collectors: cpu.mean, redis: redis.mean, store: store.mean },
		peak: { collectors: cpu.peak, redis: redis.peak, store: store.peak },
	};
}

/** A second of the collector: as many hits as it has time for go into the spool. */
function take(of: Values, collector: Collector, arrived: number, costUs: number): number {
	const waiting = collector.queue + arrived;
	const handled = Math.min(waiting, Math.floor(1e6 / costUs));
	collector.queue = waiting - handled;
	collector.waitingRows += handled * of.rowsAHit;
	collector.most = Math.max(collector.most, collector.waitingRows);
	return handled;
}

/** A loader's second: steps in order, each to all shards, as long as they take them. Answers how many rows went in. */
function load(of: Values, collector: Collector, shards: readonly Shard[], second: number): number {
	if (second < collector.retryAt) return 0;
	let loaded = 0;
	while (collector.waitingRows > 0 && loaded < of.loaderRows) {
		if (!shards.every(({ takes }) => takes())) {
			if (shards.some(({ isAway }) => isAway())) collector.retryAt = second + RETRY_SECONDS;
			break;
		}
		const rows = Math.min(STEP_ROWS, collector.waitingRows, of.loaderRows - loaded);
		for (const shard of shards) shard.insert(rows / shards.length);
		collector.waitingRows -= rows;
		loaded += rows;
	}
	return loaded;
}
