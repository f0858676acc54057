import { createClient } from "@redis/client";
import { systemClock } from "../../lib/clock.ts";
import { hmacHex } from "../../lib/crypto.ts";
import { within } from "../../lib/within.ts";
import { answered } from "../../redis/answered.ts";
import type { RateCount, RateCounter } from "./rate-counter.ts";

const CONNECT_MS = 2000;

/** The end of the window is compared with the caller's time, as that of the server may differ. */
const HIT = `
local now = tonumber(ARGV[1])
local ends = tonumber(redis.call('HGET', KEYS[1], 'ends') or '0')
if ends <= now then
	ends = now + tonumber(ARGV[2])
	redis.call('HSET', KEYS[1], 'ends', string.format('%d', ends), 'count', 0)
	redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return {redis.call('HINCRBY', KEYS[1], 'count', 1), ends}`;

interface RedisRateCounterOptions {
	readonly url: string;
	/** Key of the bucket hashes, so that the server sees no addresses. */
	readonly key: Uint8Array;
	readonly prefix?: string;
	/** Called when the connection breaks; the client reconnects by itself. */
	readonly onError: (error: Error) => void;
}

/** Counts in Redis or Valkey, shared by several processes. Counting throws `RedisAway` while the server does not answer. */
export class RedisRateCounter implements RateCounter {
	readonly #client: ReturnType<typeof createClient>;
	readonly #nameOf: (bucket: string) => string;

	private constructor(client: ReturnType<typeof createClient>, nameOf: (bucket: string) => string) {
		this.#client = client;
		this.#nameOf = nameOf;
	}

	/** Resolves when the server was reached, or was not: then it is tried again and again. */
	static async open(options: RedisRateCounterOptions): Promise<RedisRateCounter> {
		const client = createClient({ url: options.url, disableOfflineQueue: true });
		client.on("error", options.onError);
		const failed = new Promise<void>((resolve) => void client.once("error", () => resolve()));
		// A server that takes the connection and says nothing is away, too.
		await within(systemClock, CONNECT_MS, Promise.race([client.connect().catch(() => undefined), failed]));
		const { prefix = "footfall:limit:", key } = options;
		return new RedisRateCounter(client as ReturnType<typeof createClient>, (bucket) => prefix + hmacHex(key, bucket));
	}

	async hit(bucket: string, windowMs: number, nowMs: number): Promise<RateCount> {
		const reply = await answered(
			this.#client.eval(HIT, { keys: [this.#nameOf(bucket)], arguments: [String(nowMs), String(windowMs)] }),
		);
		const [count, endsAt] = reply as unknown as [number, number];
		return { count, endsAt };
	}

	async peek(bucket: string, windowMs: number, nowMs: number): Promise<RateCount> {
		const [count, ends] = await answered(this.#client.hmGet(this.#nameOf(bucket), ["count", "ends"]));
		const endsAt = Number(ends ?? 0);
		return endsAt > nowMs ? { count: Number(count), endsAt } : { count: 0, endsAt: nowMs + windowMs };
	}

	close(): void {
		this.#client.destroy();
	}
}
