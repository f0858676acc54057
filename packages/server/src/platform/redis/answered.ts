import { systemClock } from "../lib/clock.ts";

/** A server that takes longer is as good as gone: no request and no hit waits for it. */
const ANSWER_MS = 500;
/** A timer this late shows that this process was busy, not the server. */
const BUSY_MS = 50;

/** Redis is not reached, hangs, or cannot write. */
export class RedisAway extends Error {
	override readonly name = "RedisAway";
}

/** The answer of Redis; {@link RedisAway} when it is an error or takes longer than half a second. */
export function answered<T>(answer: Promise<T>): Promise<T> {
	// Written out, as a race of promises is felt at thousands of hits a second.
	return new Promise((resolve, reject) => {
		let began = systemClock.monotonic();
		const stop = systemClock.every(ANSWER_MS, () => {
			const waited = systemClock.monotonic() - began;
			began = systemClock.monotonic();
			if (Math.abs(waited - ANSWER_MS) >= BUSY_MS) return;
			// An answer may be there unread, where this process was busy for just that long: it is read before an immediate runs.
			setImmediate(fail, new RedisAway("Redis took too long"));
		});
		const fail = (error: RedisAway) => {
			stop();
			reject(error);
		};
		answer.then(
			(value) => {
				stop();
				resolve(value);
			},
			(error: unknown) => fail(new RedisAway("Redis does not answer", { cause: error })),
		);
	});
}
