import { deriveKey } from "../../lib/crypto.ts";
import { describeCause } from "../../log/describe-cause.ts";
import type { Log } from "../../log/log.ts";
import type { Metadata } from "../../metadata/metadata.ts";
import { MemoryRateCounter, type RateCount, type RateCounter } from "./rate-counter.ts";
import { StoredRateCounter } from "./stored-rate-counter.ts";

/** The counters of a process. */
export interface RateCounters {
	/** For windows of at most a minute; a restart may reset them. */
	readonly brief: RateCounter;
	/** For longer windows, which an attacker must not reset by a restart. */
	readonly lasting: RateCounter;
	close(): void;
}

interface RateCounterDeps {
	readonly metadata: Metadata;
	/** With it the processes of an installation count together. */
	readonly redisUrl: string | undefined;
	readonly secretKey: string;
	readonly log: Log;
}

/** Opens the counters: in Redis where its address is given, else in memory and in the metadata store. */
export async function openRateCounters({ metadata, redisUrl, secretKey, log }: RateCounterDeps): Promise<RateCounters> {
	const brief = new MemoryRateCounter();
	const lasting = new StoredRateCounter(metadata);
	if (redisUrl === undefined) return { brief, lasting, close: () => undefined };
	const { RedisRateCounter } = await import("./redis-rate-counter.ts");
	const shared = await RedisRateCounter.open({
		url: redisUrl,
		key: deriveKey(secretKey, "rate-limit"),
		onError: () => undefined,
	});
	const warn = (error: unknown) =>
		log.warn(
			{ setting: "REDIS_URL", cause: describeCause(error) },
			"Redis does not answer: this process counts requests by itself",
		);
	return {
		brief: withFallback(shared, brief, warn),
		lasting: withFallback(shared, lasting, warn),
		close: () => shared.close(),
	};
}

/** After a failure the first counter is left alone for so long, so that requests do not wait for it one by one. */
const REST_MS = 5000;

/** Counts in a shared store and, while that one fails, in another: limits never stop the service. */
export function withFallback(
	first: RateCounter,
	second: RateCounter,
	onFailure: (error: unknown) => void,
): RateCounter {
	let restsUntil = 0;
	const ask = async (nowMs: number, question: (counter: RateCounter) => RateCount | Promise<RateCount>) => {
		if (nowMs < restsUntil) return question(second);
		try {
			return await question(first);
		} catch (error) {
			if (nowMs >= restsUntil) onFailure(error);
			restsUntil = nowMs + REST_MS;
			return question(second);
		}
	};
	return {
		hit: (bucket, windowMs, nowMs) => ask(nowMs, (counter) => counter.hit(bucket, windowMs, nowMs)),
		peek: (bucket, windowMs, nowMs) => ask(nowMs, (counter) => counter.peek(bucket, windowMs, nowMs)),
	};
}
