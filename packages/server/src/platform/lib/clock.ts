import { setTimeout as wait } from "node:timers/promises";

/**
 * The time, and everything that is done by it. `sleep` holds the process until it ends, as its caller waits for that;
 * `after`, `every` and `deadline` do not: a service lives by its sockets.
 *
 * A part is given its clock. The parts that wait for the machine itself, such as a lock that another process has, take
 * `systemClock`: a test that moves the time cannot move these.
 */
export interface Clock {
	/** Milliseconds since the Unix epoch, UTC. */
	now(): number;
	/** Milliseconds from an arbitrary moment, never backwards: for durations. */
	monotonic(): number;
	/** Calls `run` once, after so many milliseconds; the answer cancels it. */
	after(ms: number, run: () => void): Cancel;
	/** Calls `run` again and again, so many milliseconds apart; the answer ends it. */
	every(ms: number, run: () => void): Cancel;
	/** Resolves after so many milliseconds; rejects with the signal's reason as soon as that aborts. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
	/** Aborts with a `TimeoutError` after so many milliseconds, or with the given signal. */
	deadline(ms: number, signal?: AbortSignal): AbortSignal;
}

/** Ends a timer; may be called again, and when the timer has ended. */
export type Cancel = () => void;

/** The machine's clock. */
export const systemClock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	after: (ms, run) => {
		const timer = setTimeout(run, ms).unref();
		return () => clearTimeout(timer);
	},
	every: (ms, run) => {
		const timer = setInterval(run, ms).unref();
		return () => clearInterval(timer);
	},
	sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => signal?.throwIfAborted()),
	deadline: (ms, signal) => {
		const timeout = AbortSignal.timeout(ms);
		return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
	},
};
