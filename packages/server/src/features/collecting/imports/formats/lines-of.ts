import { Buffer } from "node:buffer";
import { createGunzip } from "node:zlib";
import { beginningOf } from "./file-kind.ts";
import { type ImportFile, UnreadableFile } from "./format.ts";

export interface Lines {
	/** Without their ends; bytes as characters of Latin-1. A line that is longer than any should be is cut. */
	readonly texts: readonly string[];
	/** The number of the first of them, from 1 on. */
	readonly first: number;
}

const LONGEST_LINE = 64 * 1024;
/** A file without line ends is no log. */
const MOST_OF_A_LINE = 16 * 1024 ** 2;
/** Empty lines among them. */
const MOST_LINES = 500_000_000;
/** A packed file that unpacks to more than this is none that a server wrote. */
const MOST_BYTES = 64 * 1024 ** 3;
const PIECE = 64 * 1024;

/** The lines of a file, plain or gzip, some hundreds at a time. Throws `UnreadableFile` for a damaged gzip. */
export async function* linesOf(file: ImportFile): AsyncGenerator<Lines> {
	let rest = "";
	let first = 1;
	let since = 0;
	for await (const bytes of unpacked(file)) {
		const text = rest + bytes.toString("latin1");
		const texts = text.split("\n");
		rest = texts.pop() ?? "";
		// Only the end of an overlong line is cut; it is dropped at the next line end.
		if (rest.length > LONGEST_LINE) rest = rest.slice(0, LONGEST_LINE);
		since = texts.length === 0 ? since + bytes.length : 0;
		if (since > MOST_OF_A_LINE) throw new UnreadableFile(`Line ${first} is longer than 16 MB`);
		if (texts.length === 0) continue;
		yield { texts, first };
		first += texts.length;
		if (first > MOST_LINES) throw new UnreadableFile("The file has more than 500,000,000 lines: split it");
	}
	if (rest !== "") yield { texts: [rest], first };
}

/** Text whose Latin-1 characters are bytes of UTF-8, decoded. */
export function utf8Of(text: string): string {
	for (let at = 0; at < text.length; at++) {
		if (text.charCodeAt(at) > 0x7f) return Buffer.from(text, "latin1").toString("utf8");
	}
	return text;
}

async function* unpacked(file: ImportFile): AsyncGenerator<Buffer> {
	const { isPacked } = await beginningOf(file);
	const source = await file.open();
	const plain = isPacked ? source.pipe(createGunzip({ chunkSize: PIECE })) : source;
	if (isPacked) source.once("error", (error) => plain.destroy(error));
	try {
		let bytes = 0;
		for await (const piece of plain as AsyncIterable<Buffer>) {
			bytes += piece.length;
			if (bytes > MOST_BYTES) throw new UnreadableFile("The file unpacks to more than 64 GB");
			yield piece;
		}
	} catch (error) {
		if (!String((error as { code?: unknown }).code).startsWith("Z_")) throw error;
		throw new UnreadableFile("The gzip file is damaged, or ends too early");
	} finally {
		source.destroy();
		plain.destroy();
	}
}
