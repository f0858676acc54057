import { type FileHandle, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory } from "./segment.ts";

/** A stretch of a segment that is inserted as one unit, under one token, as often as it takes. */
export interface LoadStep {
	readonly segment: number;
	readonly from: number;
	readonly to: number;
	/** The event store drops a second insert with the same token. */
	readonly token: string;
}

const REWRITE_BYTES = 1024 * 1024;

/**
 * The loader's memory: each step is written down before its rows are inserted. After a crash the last step is done
 * again with the same bytes and the same token, so its rows are neither lost nor counted twice.
 */
export class LoadJournal {
	readonly #path: string;
	readonly #directory: string;
	#file: FileHandle;
	#length: number;
	#last: LoadStep | undefined;

	private constructor(directory: string, file: FileHandle, length: number, last: LoadStep | undefined) {
		this.#directory = directory;
		this.#path = join(directory, "journal");
		this.#file = file;
		this.#length = length;
		this.#last = last;
	}

	/** Opens the journal of a spool directory and finds its last whole entry. */
	static async open(directory: string): Promise<LoadJournal> {
		const path = join(directory, "journal");
		const text = await readFile(path, "utf8").catch(() => "");
		const whole = text.slice(0, text.lastIndexOf("\n") + 1);
		const file = await open(path, "a");
		if (whole.length < text.length) await file.truncate(whole.length);
		await syncDirectory(directory);
		const line = whole.trimEnd().split("\n").at(-1);
		return new LoadJournal(directory, file, whole.length, line ? (JSON.parse(line) as LoadStep) : undefined);
	}

	/** The step that was begun last; whether it was finished is not known. */
	get last(): LoadStep | undefined {
		return this.#last;
	}

	/** Resolves when the step is durable. */
	async begin(step: LoadStep): Promise<void> {
		if (this.#length > REWRITE_BYTES) await this.#rewrite();
		const line = `${JSON.stringify(step)}\n`;
		await this.#file.appendFile(line);
		await this.#file.datasync();
		this.#length += line.length;
		this.#last = step;
	}

	/** Closes the file. */
	async close(): Promise<void> {
		await this.#file.close();
	}

	async #rewrite(): Promise<void> {
		const line = this.#last === undefined ? "" : `${JSON.stringify(this.#last)}\n`;
		const fresh = await open(`${this.#path}.new`, "w");
		await fresh.appendFile(line);
		await fresh.datasync();
		await rename(`${this.#path}.new`, this.#path);
		await syncDirectory(this.#directory);
		await this.#file.close();
		this.#file = fresh;
		this.#length = line.length;
	}
}
