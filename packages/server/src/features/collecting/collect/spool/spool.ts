import { type Clock, systemClock } from "../../../../platform/lib/clock.ts";
import type { Log } from "../../../../platform/log/log.ts";
import { LoadJournal } from "./load-journal.ts";
import { RefusedFolder, type RefusedState } from "./refused-folder.ts";
import { SegmentList } from "./segment-list.ts";
import { SegmentWriter } from "./segment-writer.ts";
import { faultCode, machineFiles, type SpoolFiles } from "./spool-files.ts";
import { openRecord, RecordBuffer, sealRecord } from "./spool-record.ts";
import { RecentSteps, StepCounter } from "./spool-steps.ts";

/** Tells a waiting hit whether its rows are durable. */
type Committed = (error: Error | undefined) => void;

/** Hits whose rows become durable together. */
const emptyGroup = () => ({
	/** Rows of the bot table: they stand behind those of the events, so they are written last. */
	botHits: [] as string[],
	botBytes: 0,
	waiting: [] as Committed[],
	sites: new Set<string>(),
	rows: 0,
	bytes: 0,
});
type Group = ReturnType<typeof emptyGroup>;

/** Least time between two commits, to spare flash memory; a commit after a pause does not wait. */
const COMMIT_EVERY_MS = 1;
/** A group never grows beyond this: rows are refused while the disk stalls. */
const MAX_GROUP_BYTES = 8 * 1024 * 1024;

interface SpoolOptions {
	readonly directory: string;
	/** Rows are refused while this many bytes wait for the event store, or for the operator. */
	readonly maxBytes: number;
	readonly clock: Clock;
	readonly log: Log;
	/** The machine's when absent. */
	readonly files?: SpoolFiles;
}

export interface SpoolState {
	/** Durable bytes that wait for the event store. */
	readonly waitingBytes: number;
	/** For how long the oldest of them have waited; undefined when none do. */
	readonly waitingMs: number | undefined;
	readonly refused: RefusedState;
	/** Why hits cannot be kept since the last try, such as `ENOSPC`. */
	readonly fault: string | undefined;
}

/** The write-ahead log of hits: those that arrive while the disk is busy become one record, answered after one `fdatasync`. */
export class Spool {
	readonly files: SpoolFiles;
	readonly journal: LoadJournal;
	readonly refused: RefusedFolder;
	readonly segments: SegmentList;
	readonly recent = new RecentSteps();
	readonly #options: SpoolOptions;
	readonly #writer: SegmentWriter;
	readonly #buffer = new RecordBuffer();
	readonly #steps = new StepCounter();
	readonly #listeners: ((rows: number) => void)[] = [];
	#group = emptyGroup();
	#isScheduled = false;
	#committedAt = Number.NEGATIVE_INFINITY;
	#writing: Promise<void> | undefined;
	#fault: string | undefined;

	private constructor(options: SpoolOptions, files: SpoolFiles, journal: LoadJournal, segments: SegmentList) {
		const { directory } = options;
		this.#options = options;
		this.files = files;
		this.journal = journal;
		this.segments = segments;
		this.refused = new RefusedFolder(files, directory);
		this.#writer = new SegmentWriter(directory, files, segments);
	}

	/** Opens the spool; rows of an earlier run stay until they are in the event store. Nothing of them is read yet. */
	static async open(options: SpoolOptions): Promise<Spool> {
		const { directory, clock, log, files = machineFiles } = options;
		await files.makeDirectory(directory);
		const journal = await LoadJournal.open({ directory, files, log });
		const segments = await SegmentList.open({ directory, files, journal, clock, log });
		const spool = new Spool(options, files, journal, segments);
		await spool.refused.refresh();
		await segments.release(undefined);
		return spool;
	}

	get waitingBytes(): number {
		return this.segments.waitingBytes;
	}

	get accepts(): boolean {
		const { bytes } = this.#group;
		const kept = this.segments.waitingBytes + this.refused.state.bytes;
		return bytes < MAX_GROUP_BYTES && kept + bytes < this.#options.maxBytes;
	}

	get state(): SpoolState {
		const { waitingBytes, waitingMs } = this.segments;
		return { waitingBytes, waitingMs, refused: this.refused.state, fault: this.#fault };
	}

	/** `onCommit` is called after each commit with the number of rows that it made durable. */
	subscribe(onCommit: (rows: number) => void): void {
		this.#listeners.push(onCommit);
	}

	/** Adds rows to the next group. `committed` is called when they are durable, or with an error and the latest first, to be undone. */
	append(siteId: string, events: string, botHits: string, rows: number, committed: Committed): void {
		const group = this.#group;
		if (events !== "") this.#buffer.write(events);
		if (botHits !== "") {
			group.botHits.push(botHits);
			group.botBytes += Buffer.byteLength(botHits);
		}
		group.sites.add(siteId);
		group.rows += rows;
		group.bytes = this.#buffer.length + group.botBytes;
		group.waiting.push(committed);
		this.#schedule();
	}

	/** Resolves when everything appended before the call is durable or has failed, also while more is appended. */
	async flush(): Promise<void> {
		const { waiting } = this.#group;
		if (waiting.length === 0) return this.#writing;
		const { promise, resolve } = Promise.withResolvers<void>();
		waiting.push(() => resolve());
		this.#commit();
		await promise;
	}

	/** Ends the step at hand: when this resolves, all that was durable at the call can be loaded. */
	async seal(): Promise<void> {
		const ended = this.#steps.end();
		// A group that is being written may still belong to that step.
		await this.#writing;
		const { current } = this.#writer;
		if (current !== undefined && current.step <= ended) current.sealed = current.length;
	}

	/** Closes the current segment: later hits go into another file, so that this one is removed once it is loaded. */
	async turn(): Promise<void> {
		await this.flush();
		// A write that began since then would go on into the file that is left.
		while (this.#writing !== undefined) await this.#writing;
		this.#steps.end();
		await this.#writer.leave();
	}

	async release(): Promise<void> {
		this.recent.release();
		await this.segments.release(this.#writer.current);
	}

	async close(): Promise<void> {
		do await this.flush();
		while (this.#writing !== undefined || this.#group.waiting.length > 0);
		await this.#writer.leave();
		await this.release();
		await this.journal.close();
	}

	#schedule(): void {
		if (this.#writing !== undefined || this.#isScheduled) return;
		this.#isScheduled = true;
		const commit = () => {
			this.#isScheduled = false;
			this.#commit();
		};
		if (systemClock.monotonic() - this.#committedAt >= COMMIT_EVERY_MS) setImmediate(commit);
		else void systemClock.sleep(COMMIT_EVERY_MS).then(commit);
	}

	#commit(): void {
		if (this.#writing !== undefined || this.#group.waiting.length === 0) return;
		const group = this.#group;
		for (const line of group.botHits) this.#buffer.write(line);
		const eventsLength = this.#buffer.length - group.botBytes;
		this.#group = emptyGroup();
		this.#committedAt = systemClock.monotonic();
		this.#writing = this.#write(group, this.#buffer.finish(), eventsLength).then(
			() => this.#succeed(group),
			(error: Error) => this.#fail(group, error),
		);
	}

	async #write(group: Group, record: Buffer, eventsLength: number): Promise<void> {
		const segment = await this.#writer.ready();
		const step = this.#steps.stepFor(group.rows, record.length);
		const at = segment.length;
		sealRecord(record, segment.salt, { step, eventsLength, rows: group.rows });
		await this.#writer.append(record);
		const isFirst = this.segments.grow(segment, step, record.length);
		this.recent.add(segment, openRecord(record, at), isFirst, group.sites);
	}

	#succeed(group: Group): void {
		this.#writing = undefined;
		if (this.#fault !== undefined) this.#options.log.info({}, "the spool accepts hits again");
		this.#fault = undefined;
		if (this.#group.waiting.length > 0) this.#schedule();
		for (const committed of group.waiting) this.#tell(committed, undefined);
		for (const listener of this.#listeners) listener(group.rows);
	}

	/** Records collected meanwhile fail too, as their visits build on the lost hits. */
	#fail(group: Group, error: Error): void {
		const later = this.#group;
		this.#group = emptyGroup();
		this.#buffer.finish();
		this.#writing = undefined;
		const fault = faultCode(error);
		if (fault !== this.#fault)
			this.#options.log.error({ code: fault }, "the spool cannot be written; hits are rejected");
		this.#fault = fault;
		for (const committed of [...group.waiting, ...later.waiting].reverse()) this.#tell(committed, error);
	}

	#tell(committed: Committed, error: Error | undefined): void {
		try {
			committed(error);
		} catch (thrown) {
			this.#options.log.error({ cause: faultCode(thrown) }, "a hit could not be answered");
		}
	}
}
