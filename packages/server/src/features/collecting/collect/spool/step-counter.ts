/** A step is one insert: it fits into one block of the engine and, with a whole group more, into one statement. */
const MAX_ROWS = 50_000;
const MAX_BYTES = 24 * 1024 * 1024;

/**
 * Numbers the steps of a run. The number stands in each record, so that a step has the same bounds whenever it is loaded,
 * also when nothing but the segments is left.
 */
export class StepCounter {
	#number = 1;
	#rows = 0;
	#bytes = 0;

	/** The step of the next record, which is another one when the step at hand would grow too large. */
	stepFor(rows: number, bytes: number): number {
		if (this.#rows + rows > MAX_ROWS || this.#bytes + bytes > MAX_BYTES) this.end();
		this.#rows += rows;
		this.#bytes += bytes;
		return this.#number;
	}

	/** Ends the step at hand: the highest number that no later record has. */
	end(): number {
		if (this.#rows > 0) this.#number++;
		this.#rows = 0;
		this.#bytes = 0;
		return this.#number - 1;
	}
}
