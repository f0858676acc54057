import {
	closeSync,
	createReadStream,
	fdatasync,
	fstatSync,
	fsyncSync,
	openSync,
	type ReadStream,
	readSync,
	renameSync,
	writeSync,
} from "node:fs";
import { mkdir, readdir, rm, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { partOf, syncDirectory } from "../../../../platform/files/write-atomic.ts";
import type { Cancel, Clock } from "../../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import { utcDay } from "../../../../platform/lib/timestamp.ts";

const SYNC_MS = 1000;
/** Beyond it a day's file takes no more. */
const MAX_DAY_BYTES = 64 * 1024 * 1024;
/** So much of it is one site's at most: anybody can send hits to a site. */
const MAX_SITE_BYTES = 16 * 1024 * 1024;
/** The youngest files are kept up to this: a start reads all of them before it takes hits. */
const MAX_BYTES = 512 * 1024 * 1024;

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

interface LogLine {
	readonly text: string;
	/** The site whose share it takes; undefined = it takes none. */
	readonly siteId?: string;
}

/** Lines in one file a UTC day, written at once and synced within a second. A failed write is skipped: no hit waits for it. */
export class DayLog {
	readonly #options: DayLogOptions;
	#day = "";
	#file: number | undefined;
	#bytes = 0;
	/** Bytes of the day, by site; since the start. */
	#siteBytes = new Map<string, number>();
	#failed = false;
	#removing = Promise.resolve();
	#cancelSync: Cancel | undefined;

	private constructor(options: DayLogOptions) {
		this.#options = options;
	}

	static async open(options: DayLogOptions, now: number): Promise<DayLog> {
		await mkdir(options.directory, { recursive: true, mode: 0o700 });
		const log = new DayLog(options);
		await log.removeOld(now);
		return log;
	}

	/** Removes files whose days are over, and the oldest of those that are more than is kept. */
	async removeOld(now: number): Promise<void> {
		const oldest = utcDay(now - this.#options.keptDays * DAY_MS);
		let bytes = 0;
		for (const { day, path } of (await this.#files()).reverse()) {
			bytes += (await stat(path)).size;
			if (day < oldest || (bytes > MAX_BYTES && day < utcDay(now))) await unlink(path);
		}
	}

	append({ text, siteId }: LogLine, now: number): void {
		try {
			const file = this.#fileOf(now);
			if (this.#bytes >= MAX_DAY_BYTES) throw new RangeError(`a day's ${this.#options.name} are too many to be noted`);
			const ofSite = siteId === undefined ? 0 : (this.#siteBytes.get(siteId) ?? 0);
			if (ofSite >= MAX_SITE_BYTES) return;
			const bytes = writeSync(file, `${text}\n`);
			this.#bytes += bytes;
			if (siteId !== undefined) this.#siteBytes.set(siteId, ofSite + bytes);
			this.#failed = false;
			this.#cancelSync ??= this.#options.clock.after(SYNC_MS, () => this.#sync());
		} catch (error) {
			if (!this.#failed) this.#options.onError(error);
			this.#failed = true;
		}
	}

	/** All lines of the days that are kept, the oldest first, in groups. */
	async *read(): AsyncGenerator<readonly string[]> {
		for (const { path } of await this.#files()) yield* linesOf(createReadStream(path));
	}

	/** Removes lines for good, a group at a time. What is appended meanwhile is looked at as well. */
	removeLines(isUnwanted: (line: string) => boolean): Promise<void> {
		// One after the other: each replaces files.
		const removed = this.#removing.then(async () => {
			for (const { day, path } of await this.#files()) await this.#rewrite(day, path, isUnwanted);
		});
		this.#removing = removed.catch(() => undefined);
		return removed;
	}

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
		this.#siteBytes.clear();
		this.#file = openSync(join(this.#options.directory, `${this.#options.name}-${day}`), "a", 0o600);
		this.#bytes = fstatSync(this.#file).size;
		// Ends a line that a power cut may have left without an end.
		if (this.#bytes > 0) this.#bytes += writeSync(this.#file, "\n");
		return this.#file;
	}

	/** From its last look at the file on nothing else runs, so that no line comes in between. */
	async #rewrite(day: string, path: string, isUnwanted: (line: string) => boolean): Promise<void> {
		const part = partOf(path);
		const until = (await stat(path)).size;
		const wanted = (lines: readonly string[]) => lines.filter((line) => !isUnwanted(line));
		let removed = 0;
		async function* kept() {
			for await (const lines of linesOf(createReadStream(path, { end: until - 1 }))) {
				const some = wanted(lines);
				removed += lines.length - some.length;
				yield textOf(some);
			}
		}
		try {
			await writeFile(part, until === 0 ? "" : kept(), { mode: 0o600 });
			if (removed === 0 && day !== this.#day) return;
			const file = openSync(part, "a", 0o600);
			try {
				writeSync(file, textOf(wanted(splitLines(readFrom(path, until)))));
				fsyncSync(file);
				renameSync(part, path);
			} catch (error) {
				closeSync(file);
				throw error;
			}
			if (day === this.#day && this.#file !== undefined) {
				closeSync(this.#file);
				this.#file = file;
				this.#bytes = fstatSync(file).size;
			} else closeSync(file);
			await syncDirectory(this.#options.directory);
		} finally {
			await rm(part, { force: true });
		}
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

/** Whole lines in groups; one that a power cut left without an end is none. */
async function* linesOf(bytes: ReadStream): AsyncGenerator<readonly string[]> {
	let rest = "";
	for await (const chunk of bytes.setEncoding("utf8")) {
		const text = rest + chunk;
		const end = text.lastIndexOf("\n") + 1;
		rest = text.slice(end);
		yield splitLines(text.slice(0, end));
	}
}

const splitLines = (text: string): string[] => text.split("\n").filter((line) => line !== "");

function readFrom(path: string, from: number): string {
	const file = openSync(path, "r");
	try {
		const bytes = Buffer.alloc(fstatSync(file).size - from);
		readSync(file, bytes, 0, bytes.length, from);
		return bytes.toString();
	} finally {
		closeSync(file);
	}
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

const syncAndClose = (file: number): Promise<void> =>
	new Promise((resolve) => {
		fdatasync(file, () => {
			closeSync(file);
			resolve();
		});
	});
