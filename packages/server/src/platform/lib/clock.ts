/** Source of the current time; tests pass a fixed one. */
export interface Clock {
	/** Milliseconds since the Unix epoch, UTC. */
	now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };
