import { type Clock, systemClock } from "../../src/platform/lib/clock.ts";

/** A clock whose moment moves only when told to. */
interface MovableClock extends Clock {
	advance(ms: number): void;
	set(moment: string): void;
}

/** A movable clock whose deadlines come only when told to. */
export interface TestClock extends MovableClock {
	/** Lets deadlines of up to so many milliseconds come. */
	passDeadlines(ms: number): void;
}

/**
 * A clock at a moment, ISO 8601; its timers and `monotonic` are the machine's. Its deadlines wait for `passDeadlines`, as neither a
 * slow machine nor another day may end what is under way.
 */
export function createTestClock(moment: string): TestClock {
	let now = Date.parse(moment);
	const { deadline, advance: passDeadlines } = createVirtualClock(moment);
	return {
		...systemClock,
		now: () => now,
		deadline,
		passDeadlines,
		advance: (ms) => {
			now += ms;
		},
		set: (next) => {
			now = Date.parse(next);
		},
	};
}

/** A movable clock that moves its timers and `monotonic`, too. */
export interface VirtualClock extends MovableClock {
	/** Moves forward like `advance`, and lets the event loop turn after each timer, as its work may start others. */
	pass(ms: number): Promise<void>;
}

interface Timer {
	readonly at: number;
	readonly run: () => void;
}

/**
 * A clock at a moment, ISO 8601, that is moved as a whole: `advance` runs the timers that become due, in the order of their time,
 * those that they start among them. `set` moves `now` alone, as somebody does who sets a clock.
 */
export function createVirtualClock(moment: string): VirtualClock {
	let now = Date.parse(moment);
	let passed = 0;
	const timers = new Set<Timer>();
	const moveTo = (at: number) => {
		now += at - passed;
		passed = at;
	};
	/** Runs the next timer that is due by then; false when none is. */
	const runNext = (until: number): boolean => {
		const [next] = [...timers].sort((one, other) => one.at - other.at);
		if (next === undefined || next.at > until) return false;
		timers.delete(next);
		moveTo(next.at);
		next.run();
		return true;
	};
	const after = (ms: number, run: () => void) => {
		// Node's shortest time, so that timers which start one another come to an end.
		const timer = { at: passed + Math.max(1, ms), run };
		timers.add(timer);
		return () => void timers.delete(timer);
	};
	return {
		now: () => now,
		monotonic: () => passed,
		after,
		every: (ms, run) => {
			let cancel = () => {};
			const again = () => {
				cancel = after(ms, again);
				run();
			};
			cancel = after(ms, again);
			return () => cancel();
		},
		sleep: async (ms, signal) => {
			signal?.throwIfAborted();
			const { promise, resolve, reject } = Promise.withResolvers<void>();
			const cancel = after(ms, resolve);
			const abort = () => reject(signal?.reason);
			signal?.addEventListener("abort", abort, { once: true });
			await promise.finally(() => {
				cancel();
				signal?.removeEventListener("abort", abort);
			});
		},
		deadline: (ms, signal) => {
			const timeout = new AbortController();
			after(ms, () => timeout.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")));
			return signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]);
		},
		advance: (ms) => {
			const until = passed + ms;
			while (runNext(until));
			moveTo(until);
		},
		pass: async (ms) => {
			const until = passed + ms;
			do await new Promise(setImmediate);
			while (runNext(until));
			moveTo(until);
		},
		set: (next) => {
			now = Date.parse(next);
		},
	};
}

/** The machine's clock with pauses a hundred times shorter: for those between attempts that a test is not about. */
export const fastClock: Clock = {
	...systemClock,
	monotonic: () => 100 * systemClock.monotonic(),
	sleep: (ms, signal) => systemClock.sleep(ms / 100, signal),
};
