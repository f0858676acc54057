import { PassThrough, Readable } from "node:stream";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import { type ImportFile, UnreadableFile } from "./format.ts";

/** A file in an archive. Its name is only ever compared, and never a path of ours. */
export interface ArchiveMember {
	readonly name: string;
	open(): Promise<Readable>;
}

/** The list of an archive stands at its end. */
const TAIL = 256 * 1024;
const MOST_MEMBERS = 1000;
/** Limit on the unpacked size of all members; a file of a few kilobytes may claim to be terabytes. */
const MOST_BYTES = 1024 ** 3;

/** The files in an archive, without unpacking any. Throws `UnreadableFile`. */
export async function archiveMembers(file: ImportFile): Promise<ArchiveMember[]> {
	const reader = new FileReader(file, await readTail(file));
	try {
		const zip = await fromRandomAccessReaderPromise(reader, file.bytes, { lazyEntries: true, autoClose: false });
		return await listed(zip);
	} catch (error) {
		if (error instanceof UnreadableFile) throw error;
		throw new UnreadableFile(`The file is no zip archive that can be read${because(error)}`);
	}
}

async function listed(zip: ZipFile): Promise<ArchiveMember[]> {
	const members: ArchiveMember[] = [];
	let bytes = 0;
	for await (const entry of zip.eachEntry()) {
		if (entry.fileName.endsWith("/")) continue;
		if (entry.isEncrypted()) throw new UnreadableFile("The archive is encrypted");
		bytes += entry.uncompressedSize;
		if (bytes > MOST_BYTES) throw new UnreadableFile("The archive holds more than 1 GiB: export shorter ranges");
		if (members.length === MOST_MEMBERS) throw new UnreadableFile("The archive holds more than 1,000 files");
		members.push({ name: entry.fileName, open: () => open(zip, entry) });
	}
	return members;
}

/** The bytes of a member; ones that are more than its entry says, or of another checksum, make it unreadable. */
async function open(zip: ZipFile, entry: Entry): Promise<Readable> {
	const fault = (error: unknown) => new UnreadableFile(`${baseName(entry.fileName)} cannot be read${because(error)}`);
	const content = await zip.openReadStreamPromise(entry).catch((error: unknown) => {
		throw fault(error);
	});
	const readable = new PassThrough();
	content.once("error", (error) => readable.destroy(fault(error)));
	readable.once("close", () => content.destroy());
	return content.pipe(readable);
}

/** The name without the folders that it claims. */
export const baseName = (name: string): string =>
	name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);

const because = (error: unknown): string =>
	error instanceof Error && error.message !== "" ? `: ${error.message}` : "";

async function readTail(file: ImportFile): Promise<Buffer> {
	const start = Math.max(0, file.bytes - TAIL);
	return Buffer.concat(await Array.fromAsync(range(await file.open(), start, file.bytes)));
}

/** A part of a stream that can only be read from its beginning. */
async function* range(content: Readable, start: number, end: number): AsyncGenerator<Buffer> {
	let position = 0;
	try {
		for await (const chunk of content as AsyncIterable<Buffer>) {
			const part = chunk.subarray(Math.max(0, start - position), Math.max(0, end - position));
			if (part.length > 0) yield part;
			position += chunk.length;
			if (position >= end) return;
		}
	} finally {
		content.destroy();
	}
}

/** Reads an archive that can only be read from its beginning; the list of members is in the buffered end. */
class FileReader extends RandomAccessReader {
	readonly #file: ImportFile;
	readonly #tail: Buffer;

	constructor(file: ImportFile, tail: Buffer) {
		super();
		this.#file = file;
		this.#tail = tail;
	}

	override _readStreamForRange(start: number, end: number): Readable {
		const tailStart = this.#file.bytes - this.#tail.length;
		const isInTail = start >= tailStart;
		const pieces = isInTail ? [this.#tail.subarray(start - tailStart, end - tailStart)] : this.#range(start, end);
		return Readable.from(pieces, { objectMode: false });
	}

	async *#range(start: number, end: number): AsyncGenerator<Buffer> {
		yield* range(await this.#file.open(), start, end);
	}
}
