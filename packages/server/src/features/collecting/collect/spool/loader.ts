import { randomUUID } from "node:crypto";
import { mkdir, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { botHitColumns } from "../../../../analytics/model/bot-hit-row.ts";
import { eventColumns } from "../../../../analytics/model/event-columns.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../../platform/event-store/event-store.ts";
import type { Log } from "../../../../platform/log/log.ts";
import type { LoadJournal, LoadStep } from "./load-journal.ts";
import { segmentPath } from "./segment.ts";
import type { Spool } from "./spool.ts";
import { decodeSpoolRecords } from "./spool-record.ts";

/** A step begins when this many rows wait, or when the oldest has waited for `MAX_WAIT_MS`. */
const FULL_STEP_ROWS = 20_000;
const MAX_WAIT_MS = 1_000;
const MAX_STEP_BYTES = 24 * 1024 * 1024;
const MAX_STEP_ROWS = 50_000;
const RETRY_MS = [100, 250, 500, 1_000, 2_000, 5_000];
/** After so many refusals by a store that answers, the step's rows are set aside so that later ones are not held up. */
const MAX_REFUSALS = 8;

const EVENT_COLUMNS = Object.keys(eventColumns);

interface LoaderDeps {
	readonly spool: Spool;
	readonly journal: LoadJournal;
	readonly store: EventStore;
	readonly log: Log;
}

interface Position {
	readonly segment: number;
	readonly offset: number;
}

interface Stretch {
	readonly step: LoadStep;
	readonly rows: number;
	readonly events: Uint8Array;
	readonly botHits: Uint8Array;
}

/** Moves committed rows from the spool into the event store, in order, each exactly once. */
export class Loader {
	readonly #deps: LoaderDeps;
	#position: Position = { segment: 0, offset: 0 };
	#waitingRows = 0;
	#timer: NodeJS.Timeout | undefined;
	#retryTimer: NodeJS.Timeout | undefined;
	#running: Promise<void> | undefined;
	#failures = 0;
	#stopped = false;

	constructor(deps: LoaderDeps) {
		this.#deps = deps;
	}

	/** Repeats the step that a crash may have interrupted, then follows the spool. */
	start(): void {
		const last = this.#deps.journal.last;
		if (last !== undefined) this.#position = { segment: last.segment, offset: last.from };
		this.#deps.spool.onCommit = (rows) => this.#arrived(rows);
		if (this.#deps.spool.bytes > 0) this.#run();
	}

	/** True when the event store has everything that was committed. */
	get isDrained(): boolean {
		return this.#running === undefined && this.#nextStep(this.#end()) === undefined;
	}

	/** True while the event store takes no rows. */
	get isRefused(): boolean {
		return this.#failures > 0;
	}

	/** Resolves when all that was committed before the call is in the event store, or the store refuses it. */
	async flush(): Promise<void> {
		clearTimeout(this.#retryTimer);
		this.#retryTimer = undefined;
		await this.#running;
		this.#run();
		await this.#running;
	}

	/** Ends after the step at hand; what is left waits in the spool for the next start. */
	async stop(): Promise<void> {
		this.#stopped = true;
		clearTimeout(this.#timer);
		clearTimeout(this.#retryTimer);
		await this.#running;
	}

	#arrived(rows: number): void {
		this.#waitingRows += rows;
		if (this.#retryTimer !== undefined || this.#running !== undefined) return;
		if (this.#waitingRows >= FULL_STEP_ROWS) this.#run();
		else this.#timer ??= setTimeout(() => this.#run(), MAX_WAIT_MS);
	}

	#run(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#waitingRows = 0;
		if (this.#stopped || this.#running !== undefined) return;
		this.#running = this.#loadAll().then(
			() => this.#settled(),
			(error: unknown) => this.#failed(error),
		);
	}

	#settled(): void {
		this.#running = undefined;
		if (this.#waitingRows > 0 && !this.#stopped) this.#arrived(0);
	}

	#failed(error: unknown): void {
		this.#running = undefined;
		const wait = RETRY_MS[Math.min(this.#failures - 1, RETRY_MS.length - 1)] ?? 5_000;
		this.#deps.log.warn(
			{ code: errorCode(error), failures: this.#failures },
			"event store refused rows; they stay in the spool",
		);
		if (this.#stopped) return;
		this.#retryTimer = setTimeout(() => {
			this.#retryTimer = undefined;
			this.#run();
		}, wait);
	}

	/** Loads what is committed now; what comes meanwhile waits for its own turn, so that inserts stay few and large. */
	async #loadAll(): Promise<void> {
		const end = this.#end();
		for (let step = this.#nextStep(end); step !== undefined && !this.#stopped; step = this.#nextStep(end)) {
			const stretch = await this.#read(step);
			await this.#begin(stretch.step);
			await this.#insert(stretch);
			this.#failures = 0;
			this.#position = { segment: stretch.step.segment, offset: stretch.step.to };
			await this.#deps.spool.releaseBefore(stretch.step.segment);
		}
	}

	/** The stretch to load next: the interrupted one with its old bounds and token, else what was committed since. */
	#nextStep(end: Position): LoadStep | undefined {
		const last = this.#deps.journal.last;
		for (const segment of this.#deps.spool.segments) {
			const { number } = segment;
			if (number < this.#position.segment || number > end.segment) continue;
			const from = number === this.#position.segment ? this.#position.offset : 0;
			const length = number === end.segment ? end.offset : segment.length;
			if (from >= length) continue;
			if (last !== undefined && last.segment === number && last.from === from && last.to <= length) return last;
			return { segment: number, from, to: length, token: "" };
		}
		return undefined;
	}

	/** Where the committed rows end. */
	#end(): Position {
		const last = this.#deps.spool.segments.at(-1);
		return { segment: last?.number ?? 0, offset: last?.length ?? 0 };
	}

	async #begin(step: LoadStep): Promise<void> {
		if (this.#deps.journal.last?.token !== step.token) await this.#deps.journal.begin(step);
	}

	async #read(planned: LoadStep): Promise<Stretch> {
		const repeated = planned.token !== "";
		const to = repeated ? planned.to : Math.min(planned.to, planned.from + MAX_STEP_BYTES);
		const bytes = await readStretch(segmentPath(this.#deps.spool.directory, planned.segment), planned.from, to);
		const events: Uint8Array[] = [];
		const botHits: Uint8Array[] = [];
		let rows = 0;
		let length = 0;
		for (const record of decodeSpoolRecords(bytes)) {
			events.push(record.events);
			botHits.push(record.botHits);
			rows += record.rows;
			length += record.length;
			if (!repeated && rows >= MAX_STEP_ROWS) break;
		}
		if (length === 0) return this.#skipDamage(planned, bytes);
		const step = repeated ? planned : { ...planned, to: planned.from + length, token: randomUUID() };
		return { step, rows, events: Buffer.concat(events), botHits: Buffer.concat(botHits) };
	}

	/** Rows that were whole when they were committed and are not any more: kept aside, so that later ones are not held up. */
	async #skipDamage(planned: LoadStep, bytes: Buffer): Promise<Stretch> {
		const step = { ...planned, token: randomUUID() };
		const file = await setAside(this.#deps.spool.directory, step, bytes, Buffer.alloc(0));
		this.#deps.log.error({ segment: step.segment, file }, "part of the spool is damaged; it was set aside");
		return { step, rows: 0, events: Buffer.alloc(0), botHits: Buffer.alloc(0) };
	}

	async #insert({ step, rows, events, botHits }: Stretch): Promise<void> {
		try {
			if (events.length > 0) await this.#insertInto("events", EVENT_COLUMNS, events, step.token);
			if (botHits.length > 0) await this.#insertInto("bot_hits", botHitColumns, botHits, step.token);
		} catch (error) {
			this.#failures++;
			const answered = error instanceof ServiceError && error.code === "database_error";
			if (!answered || this.#failures < MAX_REFUSALS) throw error;
			const file = await setAside(this.#deps.spool.directory, step, events, botHits);
			this.#deps.log.error({ rows, file }, "event store refuses these rows for good; they were set aside");
		}
	}

	async #insertInto(table: string, columns: readonly string[], tsv: Uint8Array, token: string): Promise<void> {
		await this.#deps.store.insert({ table, columns, tsv, deduplicationToken: token });
	}
}

const errorCode = (error: unknown) =>
	error instanceof ServiceError ? error.code : error instanceof Error ? error.name : "unknown";

async function readStretch(path: string, from: number, to: number): Promise<Buffer> {
	const handle = await open(path, "r");
	try {
		const bytes = Buffer.allocUnsafe(to - from);
		const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
		return bytes.subarray(0, bytesRead);
	} finally {
		await handle.close();
	}
}

async function setAside(directory: string, step: LoadStep, events: Uint8Array, botHits: Uint8Array): Promise<string> {
	const aside = join(directory, "refused");
	await mkdir(aside, { recursive: true });
	if (events.length > 0) await writeFile(join(aside, `${step.token}.events.tsv`), events, { flush: true });
	if (botHits.length > 0) await writeFile(join(aside, `${step.token}.bot_hits.tsv`), botHits, { flush: true });
	return `spool/refused/${step.token}`;
}
