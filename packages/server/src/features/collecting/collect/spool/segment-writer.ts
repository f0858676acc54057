import { newSegment, type Segment } from "./segment.ts";
import type { SegmentList } from "./segment-list.ts";
import { type SpoolFiles, writeWhole } from "./spool-files.ts";

/** A segment that has grown to this is followed by the next. */
const SEGMENT_BYTES = 32 * 1024 * 1024;
/** One whose rows are all in the event store gives its bytes back from here on. */
const DRAINED_BYTES = 4 * 1024 * 1024;

/** Writes records to the end of the newest segment. After an error it continues behind the last whole record, or in a new file. */
export class SegmentWriter {
	readonly #directory: string;
	readonly #files: SpoolFiles;
	/** Gets each segment that is made, before anything is in it. */
	readonly #segments: SegmentList;
	#number: number;
	#open: { readonly segment: Segment; readonly file: number } | undefined;

	constructor(directory: string, files: SpoolFiles, segments: SegmentList) {
		this.#directory = directory;
		this.#files = files;
		this.#segments = segments;
		this.#number = segments.nextNumber;
	}

	get current(): Segment | undefined {
		return this.#open?.segment;
	}

	/** Resolves with the segment that takes the next record; a new one is durably there. */
	async ready(): Promise<Segment> {
		const { segment } = this.#open ?? {};
		if (segment !== undefined && !isFull(segment)) return segment;
		await this.leave();
		return this.#next();
	}

	/** Resolves when a record is durable at the end of the current segment; after an error nothing of it counts. */
	async append(record: Uint8Array): Promise<void> {
		const files = this.#files;
		if (this.#open === undefined) throw new Error("No segment is open");
		const { segment, file } = this.#open;
		try {
			await writeWhole(files, file, record, segment.length);
		} catch (error) {
			// Bytes behind the last whole record must not become a gap.
			await files.truncate(file, segment.length).catch(() => this.leave());
			throw error;
		}
		try {
			await files.datasync(file);
		} catch (error) {
			// After a failed sync the system may take lost pages for written ones, so this file is not trusted again.
			await files.truncate(file, segment.length).catch(() => {});
			await this.leave();
			throw error;
		}
		segment.length += record.length;
	}

	async leave(): Promise<void> {
		const open = this.#open;
		if (open === undefined) return;
		this.#open = undefined;
		open.segment.sealed = open.segment.length;
		// Its records are durable; and a descriptor is free again whatever `close` says.
		await this.#files.close(open.file).catch(() => {});
	}

	async #next(): Promise<Segment> {
		const files = this.#files;
		const segment = newSegment(this.#directory, this.#number);
		const file = await files.open(segment.path, "new");
		try {
			await files.syncDirectory(this.#directory);
		} catch (error) {
			await files.close(file).catch(() => {});
			await files.remove(segment.path).catch(() => {});
			throw error;
		}
		this.#number++;
		this.#open = { segment, file };
		this.#segments.all.push(segment);
		return segment;
	}
}

const isFull = ({ length, done, isLost }: Segment): boolean =>
	isLost || length >= SEGMENT_BYTES || (length >= DRAINED_BYTES && done === length);
