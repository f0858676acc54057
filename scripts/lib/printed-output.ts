/** Mark that a process of test files writes behind the output of each: no test prints it. */
export const END_OF_FILE = "\0";

const KEPT = 1_000_000;

/**
 * Output of the files of a process. Output and messages of the process come by different pipes, of which either may be
 * ahead: a mark behind the output of each file separates them.
 */
export class PrintedOutput {
	readonly #ofFiles: string[] = [];
	#rest = "";
	#wake = () => {};

	/** More of what was printed. */
	add(text: string): void {
		const [first = "", ...others] = text.split(END_OF_FILE);
		this.#keep(first);
		for (const other of others) {
			this.#ofFiles.push(this.#rest);
			this.#rest = "";
			this.#keep(other);
		}
		if (others.length > 0) this.#wake();
	}

	/** The output of the next file, once all of it is there, or `ended` resolves. */
	async next(ended: Promise<unknown>): Promise<string> {
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#wake = resolve;
		if (this.#ofFiles.length === 0) await Promise.race([promise, ended]);
		return this.#ofFiles.shift() ?? this.rest();
	}

	/** Output since the last mark. */
	rest(): string {
		const rest = this.#rest;
		this.#rest = "";
		return rest;
	}

	#keep(text: string): void {
		if (this.#rest.length < KEPT) this.#rest += text;
	}
}
