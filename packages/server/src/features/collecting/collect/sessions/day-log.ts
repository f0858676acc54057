import {
	closeSync,
	createReadStream,
	fdatasync,
	fstatSync,
	fsyncSync,
	openSync,
	readFileSync,
	renameSync,
	writeSync,
} from "node:fs";
import { mkdir, readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory } from "../../../../platform/files/sync-directory.ts";
import { partOf } from "../../../../platform/files/write-atomic.ts";
import type { Cancel, Clock } from "../../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import { utcDay } from "../../../../platform/lib/timestamp.ts";

const SYNC_MS = 1000;
/** Beyond it a day's file takes no more: so much cannot be read back at a start. */
const MAX_DAY_BYTES = 64 * 1024 * 1024;

interface DayLogOptions {
	readonly clock: Clock;
	readonly directory: string;
	/** Files are called `<name>-YYYY-MM-DD`. */
	readonly name: string;
	/** A file is removed when this many days began after its own. */
	readonly keptDays: number;
	/** Called when a line could not be written, once until one can be again. */
	readonly onError: (error: unknown) => void;
}

/**
 * Lines in one file a UTC day. A line is written at once, so that it outlives the process however that ends, and
 * synced within a second. What cannot be written is left out: no hit waits for it or fails with it.
 */
export class DayLog {
	readonly #options: DayLogOptions;
	#day = "";
	#file: number | undefined;
	#bytes = 0;
	#failed = false;
	#cancelSync: Cancel | undefined;

	private constructor(options: DayLogOptions) {
		this.#options = options;
	}

	/** Makes the directory and removes files whose days are over. */
	static async open(options: DayLogOptions, now: number): Promise<DayLog> {
		await mkdir(options.directory, { recursive: true, mode: 0o700 });
		const log = new DayLog(options);
		await log.removeOld(now);
		return log;
	}

	/** Removes files whose days are over. */
	async removeOld(now: number): Promise<void> {
		const oldest = utcDay(now - this.#options.keptDays * DAY_MS);
		for (const { day, path } of await this.#files()) if (day < oldest) await unlink(path);
	}

	/** Appends a line (without its end) to the day of `now`. */
	append(line: string, now: number): void {
		try {
			const file = this.#fileOf(now);
			if (this.#bytes >= MAX_DAY_BYTES) throw new RangeError(`a day's ${this.#options.name} are too many to be noted`);
			this.#bytes += writeSync(file, `${line}\n`);
			this.#failed = false;
			this.#cancelSync ??= this.#options.clock.after(SYNC_MS, () => this.#sync());
		} catch (error) {
			if (!this.#failed) this.#options.onError(error);
			this.#failed = true;
		}
	}

	/** All lines of the days that are kept, the oldest first, in groups. */
	async *read(): AsyncGenerator<readonly string[]> {
		for (const { path } of await this.#files()) {
			let rest = "";
			for await (const chunk of createReadStream(path, "utf8")) {
				const lines = (rest + chunk).split("\n");
				// A line that a power cut left without an end is none.
				rest = lines.pop() ?? "";
				yield lines.filter((line) => line !== "");
			}
		}
	}

	/** Removes lines for good. What is appended meanwhile is looked at as well. */
	async removeLines(isUnwanted: (line: string) => boolean): Promise<void> {
		for (const { day, path } of await this.#files()) {
			const bytes = await readFile(path, "utf8");
			const kept = withoutLines(bytes, isUnwanted);
			if (kept !== bytes || day === this.#day) await this.#replace(day, path, kept, { bytes, isUnwanted });
		}
	}

	/** Syncs and closes. */
	async close(): Promise<void> {
		this.#cancelSync?.();
		const file = this.#file;
		this.#file = undefined;
		if (file !== undefined) await syncAndClose(file);
	}

	#fileOf(now: number): number {
		const day = utcDay(now);
		if (this.#file !== undefined && day === this.#day) return this.#file;
		if (this.#file !== undefined) void syncAndClose(this.#file);
		this.#file = undefined;
		this.#day = day;
		this.#file = openSync(join(this.#options.directory, `${this.#options.name}-${day}`), "a", 0o600);
		this.#bytes = fstatSync(this.#file).size;
		// Ends a line that a power cut may have left without an end.
		if (this.#bytes > 0) this.#bytes += writeSync(this.#file, "\n");
		return this.#file;
	}

	/** From its last look at the file on nothing else runs, so that no line comes in between. */
	async #replace(
		day: string,
		path: string,
		kept: string,
		{ bytes, isUnwanted }: { readonly bytes: string; readonly isUnwanted: (line: string) => boolean },
	): Promise<void> {
		const part = partOf(path);
		await writeFile(part, kept, { mode: 0o600 });
		const added = readFileSync(path).subarray(Buffer.byteLength(bytes));
		const file = openSync(part, "a", 0o600);
		writeSync(file, withoutLines(added.toString("utf8"), isUnwanted));
		if (day === this.#day && this.#file !== undefined) {
			closeSync(this.#file);
			this.#file = file;
			this.#bytes = fstatSync(file).size;
		}
		renameSync(part, path);
		fsyncSync(file);
		if (this.#file !== file) closeSync(file);
		await syncDirectory(this.#options.directory);
	}

	#sync(): void {
		this.#cancelSync = undefined;
		if (this.#file !== undefined) fdatasync(this.#file, () => {});
	}

	async #files(): Promise<{ day: string; path: string }[]> {
		const { directory, name } = this.#options;
		const days = (await readdir(directory))
			.filter((file) => file.startsWith(`${name}-`))
			.map((file) => file.slice(name.length + 1))
			.filter((day) => /^\d{4}-\d\d-\d\d$/.test(day));
		return days.sort().map((day) => ({ day, path: join(directory, `${name}-${day}`) }));
	}
}

const withoutLines = (text: string, isUnwanted: (line: string) => boolean): string =>
	text
		.split(/(?<=\n)/)
		.filter((line) => !isUnwanted(line.trimEnd()))
		.join("");

const syncAndClose = (file: number): Promise<void> =>
	new Promise((resolve) => {
		fdatasync(file, () => {
			closeSync(file);
			resolve();
		});
	});
