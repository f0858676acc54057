import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { Damage } from "./parse-stretch.ts";
import type { Segment } from "./segment.ts";
import { readPiece, type SpoolFiles, unlessMissing, writeDurably } from "./spool-files.ts";

/** Header of a file of refused rows: enough to load it without anything else. */
interface RefusedRows {
	readonly table: string;
	readonly columns: readonly string[];
	/** The token under which the rows go in: under it they never count twice. */
	readonly token: string;
	readonly rows: number;
	readonly error: string;
	readonly at: string;
}

const TITLE = "footfall refused rows 1";

/** First line: title and CRC-32 of all that follows; second line: JSON; then TabSeparated rows. */
function encodeRefused(rows: RefusedRows, tsv: Uint8Array): Buffer {
	const body = Buffer.concat([Buffer.from(`${JSON.stringify(rows)}\n`), tsv]);
	return Buffer.concat([Buffer.from(`${TITLE} ${checksum(body)}\n`), body]);
}

type Content = NonNullable<ReturnType<typeof decodeRefused>>;

/** The rows of such a file; undefined when it is damaged. */
function decodeRefused(bytes: Buffer) {
	const titleEnd = bytes.indexOf("\n") + 1;
	const body = bytes.subarray(titleEnd);
	if (bytes.toString("latin1", 0, titleEnd) !== `${TITLE} ${checksum(body)}\n`) return undefined;
	const headEnd = body.indexOf("\n") + 1;
	return { rows: JSON.parse(body.toString("utf8", 0, headEnd)) as RefusedRows, tsv: body.subarray(headEnd) };
}

const checksum = (bytes: Uint8Array) => crc32(bytes).toString(16).padStart(8, "0");

interface WantedRows {
	readonly siteId: string;
	/** Whether a row of this day that was received at this moment is meant. */
	readonly covers: (date: string, at: number) => boolean;
}

function withoutRows({ rows, tsv }: Content, wanted: WantedRows): Content {
	const [site, date, ts] = ["site", "date", "ts"].map((name) => rows.columns.indexOf(name));
	const lines = tsv.toString("latin1").split(/(?<=\n)/);
	const kept = lines.filter((line) => {
		const fields = line.split("\t");
		if (fields[site ?? -1] !== wanted.siteId) return true;
		return !wanted.covers(fields[date ?? -1] ?? "", Number(fields[ts ?? -1]) * 1000 || 0);
	});
	return { rows: { ...rows, rows: kept.length }, tsv: Buffer.from(kept.join(""), "latin1") };
}

/** Whether bytes that are no whole rows any more have one of them in their midst; its time is not known for certain, its day is. */
function holdsRows(bytes: Buffer, { siteId, covers }: WantedRows): boolean {
	const days = bytes.toString("latin1").matchAll(new RegExp(`(?<![a-z0-9-])${siteId}\t(\\d{4}-\\d\\d-\\d\\d)\t`, "g"));
	return days.some(([, date = ""]) => covers(date, 0));
}

export interface RefusedState {
	/** Rows that the event store refused, and the files that hold them. */
	readonly rows: number;
	readonly files: number;
	/** Files among them that are to be tried again. */
	readonly marked: number;
	/** Files with bytes that were no rows any more. */
	readonly damaged: number;
	readonly bytes: number;
}

const ROWS = /^[a-z_]+\.[0-9a-f.eb-]+\.(\d+)\.rows(\.retry)?$/;
const DAMAGE = /\.damage$/;
const MARK = ".retry";

const folderOf = (spool: string): string => join(spool, "refused");

/** The files of `refused/` of a spool; none when it isn't there. */
export async function listRefused(files: SpoolFiles, spool: string) {
	const names = await unlessMissing(files.list(folderOf(spool)), []);
	return names.sort().flatMap((name) => {
		const [, rows, mark] = ROWS.exec(name) ?? [];
		if (rows === undefined && !DAMAGE.test(name)) return [];
		return [{ name, isDamage: rows === undefined, rows: Number(rows ?? 0), isMarked: mark !== undefined }];
	});
}

/** Marks all refused rows to be tried again by the service that owns the spool: the number of files. */
export async function markRefused(files: SpoolFiles, spool: string): Promise<number> {
	const waiting = (await listRefused(files, spool)).filter(({ isDamage, isMarked }) => !isDamage && !isMarked);
	for (const { name } of waiting) await files.rename(join(folderOf(spool), name), join(folderOf(spool), name + MARK));
	if (waiting.length > 0) await files.syncDirectory(folderOf(spool));
	return waiting.length;
}

/** Data that a spool sets aside: rows that the event store refuses permanently, and damaged bytes. */
export class RefusedFolder {
	readonly #files: SpoolFiles;
	readonly #spool: string;
	state: RefusedState = { rows: 0, files: 0, marked: 0, damaged: 0, bytes: 0 };
	/** Set once the folder is there for certain. */
	#isMade = false;

	constructor(files: SpoolFiles, spool: string) {
		this.#files = files;
		this.#spool = spool;
	}

	async refresh(): Promise<void> {
		const names = await listRefused(this.#files, this.#spool);
		let bytes = 0;
		for (const { name } of names) bytes += await this.#files.size(this.#pathOf(name)).catch(() => 0);
		const rows = names.filter(({ isDamage }) => !isDamage);
		this.state = {
			rows: rows.reduce((sum, file) => sum + file.rows, 0),
			files: rows.length,
			marked: rows.filter(({ isMarked }) => isMarked).length,
			damaged: names.length - rows.length,
			bytes,
		};
	}

	/** Keeps rows: the file's name. The same rows always have the same file. */
	async keepRows(rows: RefusedRows, tsv: Uint8Array): Promise<string> {
		const name = `${rows.table}.${rows.token}.${rows.rows}.rows`;
		await this.#write(name, encodeRefused(rows, tsv));
		return name;
	}

	/** Keeps the bytes of a damaged part of a segment as they are: the file's name. */
	async keepDamage(segment: Segment, { from, bytes }: Damage): Promise<string> {
		const name = `${segment.id}-${from}.damage`;
		await this.#write(name, bytes);
		return name;
	}

	async marked(): Promise<string[]> {
		return (await listRefused(this.#files, this.#spool)).filter(({ isMarked }) => isMarked).map(({ name }) => name);
	}

	async read(name: string): Promise<Content | undefined> {
		const path = this.#pathOf(name);
		return decodeRefused(await readPiece(this.#files, path, 0, await this.#files.size(path)));
	}

	async drop(name: string): Promise<void> {
		await this.#files.remove(this.#pathOf(name));
		await this.refresh();
	}

	/** Removes rows, damaged pieces that name one of them, and files that are damaged as a whole. */
	async removeRows(rows: WantedRows): Promise<void> {
		for (const { name, isDamage } of await listRefused(this.#files, this.#spool)) {
			const path = this.#pathOf(name);
			const content = isDamage ? undefined : await this.read(name);
			const bytes = content?.tsv ?? (await readPiece(this.#files, path, 0, await this.#files.size(path)));
			const kept = content === undefined ? undefined : withoutRows(content, rows);
			if (content === undefined ? !holdsRows(bytes, rows) : kept?.tsv.length === bytes.length) continue;
			if (kept !== undefined && kept.rows.rows > 0) {
				const file = `${kept.rows.table}.${kept.rows.token}.${kept.rows.rows}.rows${name.endsWith(MARK) ? MARK : ""}`;
				await this.#write(file, encodeRefused(kept.rows, kept.tsv));
			}
			await this.#files.remove(path);
		}
		await this.refresh();
	}

	/** Takes the mark from a file: it waits for the operator again. */
	async unmark(name: string): Promise<void> {
		await this.#files.rename(this.#pathOf(name), this.#pathOf(name.slice(0, -MARK.length)));
		await this.refresh();
	}

	#pathOf(name: string): string {
		return join(folderOf(this.#spool), name);
	}

	async #write(name: string, bytes: Uint8Array): Promise<void> {
		if (!this.#isMade) {
			await this.#files.makeDirectory(folderOf(this.#spool));
			await this.#files.syncDirectory(this.#spool);
			this.#isMade = true;
		}
		await writeDurably(this.#files, this.#pathOf(name), bytes).catch((error: unknown) => {
			// The folder may have been removed.
			this.#isMade = false;
			throw error;
		});
		await this.refresh();
	}
}
