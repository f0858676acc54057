import type { RateCount, RateCounter } from "./rate-counter.ts";

/** After a failure the first counter is left alone for so long, so that requests do not wait for it one by one. */
const REST_MS = 5000;

/** Counts in a shared store and, while that one fails, in another: limits never stop the service. */
export class FallbackRateCounter implements RateCounter {
	readonly #first: RateCounter;
	readonly #second: RateCounter;
	readonly #onFailure: (error: unknown) => void;
	#restsUntil = 0;

	constructor(first: RateCounter, second: RateCounter, onFailure: (error: unknown) => void) {
		this.#first = first;
		this.#second = second;
		this.#onFailure = onFailure;
	}

	hit(bucket: string, windowMs: number, nowMs: number): Promise<RateCount> {
		return this.#ask((counter) => counter.hit(bucket, windowMs, nowMs), nowMs);
	}

	peek(bucket: string, windowMs: number, nowMs: number): Promise<RateCount> {
		return this.#ask((counter) => counter.peek(bucket, windowMs, nowMs), nowMs);
	}

	async #ask(question: (counter: RateCounter) => RateCount | Promise<RateCount>, nowMs: number): Promise<RateCount> {
		if (nowMs < this.#restsUntil) return question(this.#second);
		try {
			return await question(this.#first);
		} catch (error) {
			if (nowMs >= this.#restsUntil) this.#onFailure(error);
			this.#restsUntil = nowMs + REST_MS;
			return question(this.#second);
		}
	}
}
