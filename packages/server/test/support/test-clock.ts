import type { Clock } from "../../src/platform/lib/clock.ts";

/** A clock that moves only when told to. */
export interface TestClock extends Clock {
	/** Moves forward by milliseconds. */
	advance(ms: number): void;
	/** Stands at a moment, ISO 8601. */
	set(moment: string): void;
}

/** A clock that stands at a moment, ISO 8601. */
export function createTestClock(moment: string): TestClock {
	let now = Date.parse(moment);
	return {
		now: () => now,
		advance: (ms) => {
			now += ms;
		},
		set: (next) => {
			now = Date.parse(next);
		},
	};
}
