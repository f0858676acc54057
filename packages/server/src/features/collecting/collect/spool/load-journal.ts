import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { Log } from "../../../../platform/log/log.ts";
import type { Cut } from "./halve.ts";
import type { Segment } from "./segment.ts";
import { readPiece, type SpoolFiles, unlessMissing, writeDurably, writeWhole } from "./spool-files.ts";

/** State of the loader that must survive a crash. */
const noEntries = () => ({
	/** How far each segment is in the event store, by its id. */
	done: new Map<string, { readonly number: number; readonly offset: number }>(),
	/** Where batches were cut in two, by their token. */
	cuts: new Map<string, Cut>(),
	highest: 0,
	damaged: 0,
});
type JournalEntries = ReturnType<typeof noEntries>;

const line = (body: string) => `${crc32(body).toString(16).padStart(8, "0")} ${body}\n`;

const doneLine = (id: string, number: number, offset: number): string => line(`done ${number} ${id} ${offset}`);

const cutLine = (token: string, { at, row }: Cut): string => line(`cut ${token} ${at} ${row}`);

/** Reads whole lines. A line damaged by the disk is lost alone: its work is repeated with the same tokens. */
function readLines(text: string): JournalEntries {
	const entries = noEntries();
	for (const whole of text.split("\n")) {
		if (whole === "") continue;
		const body = whole.slice(9);
		if (line(body) !== `${whole}\n` || !take(entries, body.split(" "))) entries.damaged++;
	}
	return entries;
}

function take(entries: JournalEntries, [kind, ...fields]: readonly string[]): boolean {
	const [first = "", second = "", third = ""] = fields;
	const [number, offset] = [Number(first), Number(third)];
	if (kind === "cut") entries.cuts.set(first, { at: Number(second), row: offset });
	else if (kind !== "done" && kind !== "highest") return false;
	else entries.highest = Math.max(entries.highest, number);
	if (kind === "done" && offset >= (entries.done.get(second)?.offset ?? 0))
		entries.done.set(second, { number, offset });
	return true;
}

const REWRITE_BYTES = 1024 * 1024;

export interface JournalDeps {
	readonly directory: string;
	readonly files: SpoolFiles;
	readonly log: Log;
}

const journalPath = (directory: string): string => join(directory, "journal");

/** Reads the journal without changing it, and the length of its whole lines. Only a missing file counts as empty. */
export async function readJournal(files: SpoolFiles, directory: string) {
	const path = journalPath(directory);
	const size = await unlessMissing(files.size(path), 0);
	const bytes = size === 0 ? Buffer.alloc(0) : await readPiece(files, path, 0, size);
	const length = bytes.lastIndexOf("\n") + 1;
	return { entries: readLines(bytes.toString("latin1", 0, length)), length };
}

/** Progress of the loader and cuts of refused batches. An unrecorded batch is repeated under its token, and the store drops it. */
export class LoadJournal {
	readonly #deps: JournalDeps;
	readonly #entries: JournalEntries;
	#file: number | undefined;
	/** Bytes of whole lines; remains of a failed write after them are overwritten. */
	#length: number;
	/** Lines that are not durable yet. */
	#pending = "";
	#isClosed = false;

	private constructor(deps: JournalDeps, entries: JournalEntries, length: number) {
		this.#deps = deps;
		this.#entries = entries;
		this.#length = length;
	}

	/** Opens the journal of a spool. A damaged one is survived and reported; one that cannot be read is an error. */
	static async open(deps: JournalDeps): Promise<LoadJournal> {
		const { entries, length } = await readJournal(deps.files, deps.directory);
		const file = journalPath(deps.directory);
		if (entries.damaged > 0)
			deps.log.error({ file, lines: entries.damaged }, "the spool journal is damaged; its readable part is used");
		return new LoadJournal(deps, entries, length);
	}

	get highest(): number {
		return this.#entries.highest;
	}

	doneOf(segment: Segment): number {
		return this.#entries.done.get(segment.id)?.offset ?? 0;
	}

	/** Where a batch was cut in two before, so that its halves are the same again. */
	cutOf(token: string): Cut | undefined {
		return this.#entries.cuts.get(token);
	}

	/** Resolves when it is durable how far a segment is. */
	async noteDone(segment: Segment): Promise<void> {
		this.#entries.done.set(segment.id, { number: segment.number, offset: segment.done });
		this.#entries.highest = Math.max(this.#entries.highest, segment.number);
		await this.#append(doneLine(segment.id, segment.number, segment.done));
	}

	async noteCut(token: string, cut: Cut): Promise<void> {
		await this.#append(cutLine(token, cut));
		this.#entries.cuts.set(token, cut);
	}

	/** Resolves when all that was to be noted is durable; rejects when it cannot be noted. */
	async settle(): Promise<void> {
		if (this.#pending !== "") await this.#append("");
	}

	/** Drops what was noted of segments that are gone; the file follows when it is next rewritten. */
	keepOnly(ids: ReadonlySet<string>): void {
		for (const id of this.#entries.done.keys()) if (!ids.has(id)) this.#entries.done.delete(id);
		for (const token of this.#entries.cuts.keys())
			if (!ids.has(token.slice(0, token.indexOf("-")))) this.#entries.cuts.delete(token);
	}

	/** Tries once more to note what could not be noted, and closes the file. */
	async close(): Promise<void> {
		await this.settle().catch(() => {});
		this.#isClosed = true;
		await this.#release();
	}

	async #append(line: string): Promise<void> {
		const { files, directory } = this.#deps;
		if (this.#isClosed) throw new Error("The journal is closed");
		this.#pending += line;
		if (this.#length > REWRITE_BYTES && (await this.#rewrite())) return;
		if (this.#file === undefined) {
			this.#file = await files.open(journalPath(directory), "update");
			if (this.#length === 0) await files.syncDirectory(directory).catch((error: unknown) => this.#reopenLater(error));
		}
		const bytes = Buffer.from(this.#pending);
		await writeWhole(files, this.#file, bytes, this.#length);
		await files.datasync(this.#file);
		this.#length += bytes.length;
		this.#pending = "";
	}

	/** False when it failed: then the old file keeps growing. */
	async #rewrite(): Promise<boolean> {
		const { files, directory } = this.#deps;
		const { done, cuts, highest } = this.#entries;
		const lines = [
			// Keeps the highest number of a segment when nothing else does.
			line(`highest ${highest}`),
			...[...done].map(([id, { number, offset }]) => doneLine(id, number, offset)),
			...[...cuts].map(([token, cut]) => cutLine(token, cut)),
		];
		const bytes = Buffer.from(lines.join(""));
		try {
			await writeDurably(files, journalPath(directory), bytes);
		} catch {
			// Whether the new file took the place of the old is not certain, so the next line looks for itself.
			await this.#release();
			this.#length = (await readJournal(files, directory)).length;
			return false;
		}
		await this.#release();
		this.#length = bytes.length;
		this.#pending = "";
		return true;
	}

	async #reopenLater(error: unknown): Promise<never> {
		await this.#release();
		throw error;
	}

	async #release(): Promise<void> {
		const file = this.#file;
		this.#file = undefined;
		if (file !== undefined) await this.#deps.files.close(file).catch(() => {});
	}
}
