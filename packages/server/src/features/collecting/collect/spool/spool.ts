import { close, fdatasync, ftruncate, open, write } from "node:fs";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { recoverSegments, removeSegment, type Segment, segmentPath, syncDirectory } from "./segment.ts";
import { encodeSpoolRecord } from "./spool-record.ts";

const openFile = promisify(open);
const closeFile = promisify(close);
const syncFile = promisify(fdatasync);
const cutFile = promisify(ftruncate);

const SEGMENT_BYTES = 32 * 1024 * 1024;
/** How long the first hit of a group waits for company. */
const GROUP_MS = 3;
const GROUP_BYTES = 1024 * 1024;
/** A group never grows beyond this: rows are refused while the disk stalls. */
const MAX_GROUP_BYTES = 8 * 1024 * 1024;

/** Tells a waiting hit whether its rows are durable. */
export type Committed = (error: Error | undefined) => void;

interface Group {
	events: string[];
	botHits: string[];
	waiting: Committed[];
	rows: number;
	bytes: number;
}

const emptyGroup = (): Group => ({ events: [], botHits: [], waiting: [], rows: 0, bytes: 0 });

interface SpoolOptions {
	readonly directory: string;
	/** Rows are refused while this many bytes wait for the event store. */
	readonly maxBytes: number;
}

/**
 * The write-ahead file between the collector and the event store. Rows that arrive within a few milliseconds are
 * written as one record and made durable by one `fdatasync`; only then their hits are answered.
 */
export class Spool {
	readonly directory: string;
	readonly #maxBytes: number;
	/** Oldest first; the last is the one being written. */
	readonly #segments: Segment[];
	#file: number | undefined;
	#group = emptyGroup();
	#timer: NodeJS.Timeout | undefined;
	#writing: Promise<void> | undefined;
	/** Called after each commit with the number of rows that it made durable. */
	onCommit: (rows: number) => void = () => {};

	private constructor(directory: string, maxBytes: number, segments: Segment[]) {
		this.directory = directory;
		this.#maxBytes = maxBytes;
		this.#segments = segments;
	}

	/** Opens the spool, mending what a crash left; rows of an earlier run stay until they are released. */
	static async open(options: SpoolOptions): Promise<Spool> {
		await mkdir(options.directory, { recursive: true });
		return new Spool(options.directory, options.maxBytes, await recoverSegments(options.directory));
	}

	/** Segments that hold rows, oldest first, each with its durable length. */
	get segments(): readonly Readonly<Segment>[] {
		return this.#segments;
	}

	/** Durable bytes that were not released yet. */
	get bytes(): number {
		return this.#segments.reduce((sum, segment) => sum + segment.length, 0);
	}

	/** True when there is room for more rows. */
	get accepts(): boolean {
		return this.#group.bytes < MAX_GROUP_BYTES && this.bytes + this.#group.bytes < this.#maxBytes;
	}

	/** Adds rows to the next group; `committed` is called when they are durable, or could not be made so. */
	append(_siteId: string, events: string, botHits: string, rows: number, committed: Committed): void {
		const group = this.#group;
		if (events !== "") group.events.push(events);
		if (botHits !== "") group.botHits.push(botHits);
		group.rows += rows;
		group.bytes += events.length + botHits.length;
		group.waiting.push(committed);
		this.#schedule();
	}

	/** Resolves when everything appended so far is durable or has failed. */
	async flush(): Promise<void> {
		while (this.#writing !== undefined || this.#group.waiting.length > 0) {
			if (this.#writing === undefined) this.#commit();
			await this.#writing;
		}
	}

	/** Forgets the segments before `number`: their rows are in the event store. The last one stays, so that numbers never repeat. */
	async releaseBefore(number: number): Promise<void> {
		while (this.#segments.length > 1) {
			const first = this.#segments[0];
			if (first === undefined || first.number >= number) return;
			await removeSegment(this.directory, first.number);
			this.#segments.shift();
		}
	}

	/** Commits what is waiting and closes the file. */
	async close(): Promise<void> {
		await this.flush();
		if (this.#file !== undefined) await closeFile(this.#file);
		this.#file = undefined;
	}

	#schedule(): void {
		if (this.#writing !== undefined) return;
		if (this.#group.bytes >= GROUP_BYTES) this.#commit();
		else this.#timer ??= setTimeout(() => this.#commit(), GROUP_MS);
	}

	#commit(): void {
		const group = this.#takeGroup();
		this.#writing = this.#write(group).then(
			() => this.#settle(group, undefined),
			(error: Error) => this.#settle(group, error),
		);
	}

	#takeGroup(): Group {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const group = this.#group;
		this.#group = emptyGroup();
		return group;
	}

	#settle(group: Group, error: Error | undefined): void {
		this.#writing = undefined;
		// What came meanwhile stands on what failed. Latest first, as each takes back what it changed.
		const failed = error === undefined ? [] : [...group.waiting, ...this.#takeGroup().waiting].toReversed();
		for (const committed of failed) committed(error);
		if (this.#group.waiting.length > 0) this.#schedule();
		if (error === undefined) for (const committed of group.waiting) committed(undefined);
		if (error === undefined) this.onCommit(group.rows);
	}

	async #write(group: Group): Promise<void> {
		const record = encodeSpoolRecord(group.events.join(""), group.botHits.join(""), group.rows);
		const { segment, file } = await this.#current();
		try {
			await writeWhole(file, record, segment.length);
			await syncFile(file);
		} catch (error) {
			// What may stand behind the last whole record must not grow into a gap: cut it, or go on in a new file.
			await cutFile(file, segment.length).catch(() => this.#abandon(file));
			throw error;
		}
		segment.length += record.length;
		if (segment.length >= SEGMENT_BYTES) await this.#abandon(file);
	}

	async #current(): Promise<{ segment: Segment; file: number }> {
		const last = this.#segments.at(-1);
		if (this.#file !== undefined && last !== undefined) return { segment: last, file: this.#file };
		const segment = { number: (last?.number ?? 0) + 1, length: 0 };
		const file = await openFile(segmentPath(this.directory, segment.number), "wx");
		await syncDirectory(this.directory);
		this.#file = file;
		this.#segments.push(segment);
		return { segment, file };
	}

	async #abandon(file: number): Promise<void> {
		this.#file = undefined;
		await closeFile(file);
	}
}

function writeWhole(file: number, bytes: Buffer, position: number): Promise<void> {
	return new Promise((resolve, reject) => {
		const step = (offset: number) =>
			write(file, bytes, offset, bytes.length - offset, position + offset, (error, written) => {
				if (error) reject(error);
				else if (offset + written < bytes.length) step(offset + written);
				else resolve();
			});
		step(0);
	});
}
