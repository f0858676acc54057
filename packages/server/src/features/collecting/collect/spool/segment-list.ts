import type { Clock } from "../../../../platform/lib/clock.ts";
import type { JournalDeps, LoadJournal } from "./load-journal.ts";
import { type Segment, segmentsAmong } from "./segment.ts";

interface ListDeps extends JournalDeps {
	readonly journal: LoadJournal;
	readonly clock: Clock;
}

/** Bytes of a segment that became durable at about the same time. */
interface Stretch {
	readonly segment: Segment;
	end: number;
	/** By `clock.monotonic()`. */
	readonly since: number;
}

/** Bytes that came within so much time are one stretch. */
const STRETCH_MS = 1000;

/** The segments of a spool, oldest first, and how much of them waits for the event store. */
export class SegmentList {
	readonly #deps: ListDeps;
	readonly all: Segment[];
	/** Waiting bytes by age; bytes of an earlier run count from the start of this one. */
	readonly #stretches: Stretch[] = [];
	/** Bytes that are durable here and not yet in the event store. */
	waitingBytes = 0;

	private constructor(deps: ListDeps, segments: Segment[]) {
		this.#deps = deps;
		this.all = segments;
		for (const segment of segments) {
			const { length, done } = segment;
			this.waitingBytes += length - done;
			if (length > done) this.#stretches.push({ segment, end: length, since: deps.clock.monotonic() });
		}
	}

	/** Finds the segments of earlier runs. None of their rows is read yet, and nothing will be added to them. */
	static async open(deps: ListDeps): Promise<SegmentList> {
		const { directory, files, journal, log } = deps;
		const { segments, strange } = segmentsAmong(directory, await files.list(directory));
		for (const file of strange) log.error({ file }, "a spool file has an unknown version and is ignored");
		for (const segment of segments) {
			segment.length = await files.size(segment.path);
			segment.sealed = segment.length;
			segment.done = Math.min(journal.doneOf(segment), segment.length);
		}
		journal.keepOnly(new Set(segments.map(({ id }) => id)));
		return new SegmentList(deps, segments);
	}

	/** For how long the oldest of these bytes have waited, to the second; undefined when none do. */
	get waitingMs(): number | undefined {
		const [oldest] = this.#stretches;
		return oldest === undefined ? undefined : this.#deps.clock.monotonic() - oldest.since;
	}

	/** Above every number that was ever given. */
	get nextNumber(): number {
		return Math.max(this.#deps.journal.highest, this.all.at(-1)?.number ?? 0) + 1;
	}

	/** Notes a record at the end of a segment; a record of another step seals those before it. True when it begins a step. */
	grow(segment: Segment, step: number, bytes: number): boolean {
		const isFirst = segment.step !== step;
		if (isFirst) segment.sealed = segment.length - bytes;
		segment.step = step;
		this.waitingBytes += bytes;
		this.#noteArrival(segment);
		return isFirst;
	}

	#noteArrival(segment: Segment): void {
		const now = this.#deps.clock.monotonic();
		const last = this.#stretches.at(-1);
		if (last?.segment === segment && now - last.since < STRETCH_MS) last.end = segment.length;
		else this.#stretches.push({ segment, end: segment.length, since: now });
	}

	/** Notes that a segment needs no more loading up to an offset. */
	markDone(segment: Segment, offset: number): void {
		this.waitingBytes -= offset - segment.done;
		segment.done = offset;
		while (this.#stretches[0] !== undefined && this.#stretches[0].end <= this.#stretches[0].segment.done) {
			this.#stretches.shift();
		}
	}

	forget(segment: Segment): void {
		this.markDone(segment, segment.length);
		const index = this.all.indexOf(segment);
		if (index !== -1) this.all.splice(index, 1);
	}

	/** Removes the files of loaded segments except the current one. A failed removal is repeated later. */
	async release(current: Segment | undefined): Promise<void> {
		for (const segment of [...this.all]) {
			if (segment === current || segment.done < segment.length) continue;
			const isGone = await this.#deps.files.remove(segment.path).then(
				() => true,
				(error: unknown) => (error as { code?: unknown }).code === "ENOENT",
			);
			if (isGone) this.forget(segment);
		}
	}
}
