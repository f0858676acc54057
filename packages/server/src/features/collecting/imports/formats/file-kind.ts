import { constants, gunzipSync } from "node:zlib";
import { archiveMembers, baseName } from "./archive.ts";
import { type FormatContext, type ImportFile, type ImportFormat, UnreadableFile } from "./format.ts";

const ENOUGH = 16 * 1024;
const SHOWN = 200;

/** Kinds of files that are no text, by the bytes at a place of their beginning. */
const kinds: readonly (readonly [name: string, bytes: string, at?: number])[] = [
	["a zip archive", "PK\x03\x04"],
	["a zip archive", "PK\x05\x06"],
	["an xz file", "\xfd7zXZ"],
	["a bzip2 file", "BZh"],
	["a Zstandard file", "\x28\xb5\x2f\xfd"],
	["a 7-Zip archive", "7z\xbc\xaf"],
	["a RAR archive", "Rar!"],
	["a tar archive", "ustar", 257],
	["a PDF document", "%PDF"],
	["a PNG picture", "\x89PNG"],
	["a JPEG picture", "\xff\xd8\xff"],
	["an SQLite database", "SQLite format 3"],
	["a Parquet file", "PAR1"],
	["an Excel workbook", "\xd0\xcf\x11\xe0"],
	["a text in UTF-16", "\xff\xfe"],
	["a text in UTF-16", "\xfe\xff"],
	["no text", "\0"],
];

/** Kinds of texts, by how they begin. */
const textKinds: readonly (readonly [name: string, pattern: RegExp])[] = [
	["a log in the W3C extended format", /^#(?:Version|Fields|Software|Date):/],
	["XML or HTML", /^\s*</],
	["a JSON array, not an object a line", /^\s*\[\s*[{[\]]/],
];

/** Looks at the first bytes of a file: its kind if it is no text in UTF-8, and the bytes as characters of Latin-1; of a gzip file what is packed. */
export async function beginningOf(file: ImportFile) {
	const pieces: Buffer[] = [];
	let bytes = 0;
	for await (const piece of (await file.open()) as AsyncIterable<Buffer>) {
		pieces.push(piece);
		bytes += piece.length;
		if (bytes >= ENOUGH) break;
	}
	const raw = Buffer.concat(pieces).subarray(0, ENOUGH);
	const isPacked = raw[0] === 0x1f && raw[1] === 0x8b;
	const text = (isPacked ? unpacked(raw) : raw).toString("latin1");
	const known = kinds.find(([, magic, at = 0]) => text.startsWith(magic, at));
	return { kind: known?.[0] ?? (text.includes("\0") ? "no text" : undefined), isPacked, text };
}

function unpacked(bytes: Buffer): Buffer {
	try {
		return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 64 * ENOUGH });
	} catch {
		return Buffer.alloc(0);
	}
}

/** Has a format look at a file. Throws `UnreadableFile`, which says what the file is instead of what was expected. */
export async function checkContent(format: ImportFormat, file: ImportFile, context: FormatContext): Promise<void> {
	try {
		await format.check(file, context);
	} catch (error) {
		if (!(error instanceof UnreadableFile) || error.field !== "file") throw error;
		throw new UnreadableFile(`${error.message}. ${await description(file)}`);
	}
}

async function description(file: ImportFile): Promise<string> {
	const { kind, isPacked, text } = await beginningOf(file);
	if (kind === "a zip archive" && !isPacked) return zipDescription(file);
	if (kind !== undefined) return `The file is ${kind}${isPacked ? " in a gzip file" : ""}`;
	const line = Buffer.from(text, "latin1")
		.toString("utf8")
		.split(/[\r\n]+/)
		.find((one) => one.trim() !== "");
	if (line === undefined) return isPacked ? "The file is a gzip file without a text" : "The file has no text";
	const textKind = textKinds.find(([, pattern]) => pattern.test(text))?.[0];
	const facts = [...(textKind === undefined ? [] : [`is ${textKind}`]), ...(isPacked ? ["is packed with gzip"] : [])];
	return `The file ${[...facts, `begins with “${line.slice(0, SHOWN)}”`].join(", ")}`;
}

async function zipDescription(file: ImportFile): Promise<string> {
	try {
		const names = (await archiveMembers(file)).map(({ name }) => baseName(name));
		if (names.includes("workbook.xml")) return "The file is an Excel workbook: save its table as CSV";
		return `The file is a zip archive with ${names.slice(0, 5).join(", ")}${names.length > 5 ? " and others" : ""}`;
	} catch {
		return "The file begins as a zip archive";
	}
}
