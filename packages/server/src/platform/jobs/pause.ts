import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../lib/clock.ts";

/** Between two looks at an idle store. */
const IDLE_MS = 1000;
/** After a job was stored: its transaction may not have ended yet, so the store is asked again soon. */
const SOON_MS = [5, 25, 100, 300];

/** The waiting between two looks at the queue; it ends early when there is something to do. */
export class Pause {
	readonly #clock: Clock;
	#soon: number[] = [];
	#end: (() => void) | undefined;
	#isWoken = false;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** Waits a second, or less when woken before or meanwhile. */
	async rest(): Promise<void> {
		if (!this.#isWoken) {
			const ending = new AbortController();
			this.#end = () => ending.abort();
			await this.#clock.sleep(this.#soon.shift() ?? IDLE_MS, ending.signal).catch(() => undefined);
		}
		// Jobs that end within one turn of the event loop free their places together, which are filled in one query.
		await nextTurn();
		this.#end = undefined;
		this.#isWoken = false;
	}

	/** Ends the waiting. */
	wake(): void {
		this.#isWoken = true;
		this.#end?.();
	}

	/** Ends the waiting, and keeps the next ones short. */
	hurry(): void {
		this.#soon = [...SOON_MS];
		this.wake();
	}
}
