import type { Readable } from "node:stream";
import { parse } from "csv-parse";
import { UnreadableFile } from "./format.ts";

export interface CsvRecord {
	/** The line on which it begins, from 1 on. */
	readonly line: number;
	readonly cells: readonly string[];
}

/** Characters, separators among them: a cell holds a line break when its quote is closed late or never; no honest record is as long. */
const MAX_RECORD = 256 * 1024;
const MAX_COLUMNS = 256;
/** Of a file, empty lines among them. */
const MAX_RECORDS = 2_500_000;
/** Characters that are parsed at once. */
const PIECE = 64 * 1024;
const delimiters = [",", ";", "\t"] as const;

interface ParsedRecord {
	readonly record: string[];
	readonly info: { readonly lines: number };
}

/** The records of a CSV file, empty lines included; encoding and delimiter are detected. Throws `UnreadableFile`. */
export async function* csvRecords(content: Readable): AsyncGenerator<CsvRecord> {
	const texts = decoded(content);
	const first = await beginning(texts).catch((error: unknown) => {
		content.destroy();
		throw error;
	});
	const parser = parse({
		delimiter: delimiterOf(first),
		relax_column_count: true,
		relax_quotes: true,
		info: true,
	});
	const feeding = feed(parser, first, texts);
	let ended = 0;
	let records = 0;
	try {
		for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
			if (record.length > MAX_COLUMNS)
				throw new UnreadableFile(`Line ${ended + 1} has more than ${MAX_COLUMNS} columns`);
			if (++records > MAX_RECORDS)
				throw new UnreadableFile("The file has more than 2,500,000 lines: export shorter ranges");
			yield { line: ended + 1, cells: record };
			ended = info.lines;
		}
	} catch (error) {
		throw isCsvFault(error) ? new UnreadableFile(`Line ${ended + 1} is no CSV; a quote may not be closed`) : error;
	} finally {
		content.destroy();
		parser.destroy();
		await feeding;
	}
}

/** A record below the header of its file. */
export interface NamedRecord {
	readonly line: number;
	/** The trimmed value in a column; empty where there is none. */
	readonly cell: (name: string) => string;
	/** True when it has all columns. */
	readonly isWhole: boolean;
}

/** Records by the names of their columns, which `readHeader` finds in the first one; lines without anything are left out. */
export async function* namedRecords(
	content: Readable,
	readHeader: (cells: readonly string[]) => ReadonlyMap<string, number>,
): AsyncGenerator<NamedRecord> {
	let columns: ReadonlyMap<string, number> | undefined;
	for await (const { line, cells } of csvRecords(content)) {
		const places = columns;
		if (places === undefined) columns = readHeader(cells);
		else if (cells.length > 1 || cells[0] !== "") {
			const cell = (name: string) => (cells[places.get(name) ?? -1] ?? "").trim();
			yield { line, cell, isWhole: cells.length >= places.size };
		}
	}
}

const TOGETHER = 500;

/** Items of many things, handed on in lists of some hundreds. */
export async function* inLists<Thing, Item>(
	things: Iterable<Thing> | AsyncIterable<Thing>,
	itemsOf: (thing: Thing) => Iterable<Item>,
): AsyncGenerator<Item[]> {
	let list: Item[] = [];
	for await (const thing of things) {
		list.push(...itemsOf(thing));
		if (list.length < TOGETHER) continue;
		yield list;
		list = [];
	}
	yield list;
}

/** The fault of a cell, for a report. */
export const unreadable = (column: string, text: string, expected: string): string =>
	`column “${column}” has “${text.slice(0, 40)}”, which is ${expected}`;

/** Ends the parser with an error when it finds no end of a record for too long: it would keep all cells of that record. */
async function feed(parser: ReturnType<typeof parse>, first: string, rest: AsyncIterable<string>): Promise<void> {
	let goOn = () => {};
	parser.on("drain", () => goOn()).on("close", () => goOn());
	const drained = () =>
		new Promise<void>((resolve) => {
			goOn = resolve;
		});
	let [records, open] = [0, 0];
	const write = async (text: string) => {
		for (let at = 0; at < text.length && !parser.destroyed; at += PIECE) {
			const piece = text.slice(at, at + PIECE);
			if (!parser.write(piece)) await drained();
			open = parser.info.records === records ? open + piece.length : 0;
			records = parser.info.records;
			if (open > MAX_RECORD)
				throw new UnreadableFile(`Line ${parser.info.lines} is too long; a quote may not be closed`);
		}
	};
	try {
		await write(first);
		for await (const text of rest) {
			if (parser.destroyed) return;
			await write(text);
		}
		parser.end();
	} catch (error) {
		parser.destroy(error instanceof Error ? error : new Error("The file ended early"));
	}
}

const isCsvFault = (error: unknown): boolean =>
	error instanceof Error && "code" in error && String(error.code).startsWith("CSV_");

/** Text of a file. Bytes that are invalid in its encoding make it unreadable, as it is most likely no text. */
async function* decoded(content: Readable): AsyncGenerator<string> {
	let decoder: TextDecoder | undefined;
	try {
		for await (const chunk of content as AsyncIterable<Buffer>) {
			decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
			yield decoder.decode(chunk, { stream: true });
		}
		const rest = decoder?.decode() ?? "";
		if (rest !== "") yield rest;
	} catch (error) {
		if (error instanceof TypeError) throw new UnreadableFile("The file is no text in UTF-8 or UTF-16");
		throw error;
	}
}

function encodingOf(chunk: Buffer): string {
	if (chunk[0] === 0xff && chunk[1] === 0xfe) return "utf-16le";
	if (chunk[0] === 0xfe && chunk[1] === 0xff) return "utf-16be";
	return "utf-8";
}

const ENOUGH = 16 * 1024;

async function beginning(texts: AsyncGenerator<string>): Promise<string> {
	let text = "";
	while (text.length < ENOUGH) {
		const { value, done } = await texts.next();
		if (done === true) break;
		text += value;
	}
	if (text.includes("\0")) throw new UnreadableFile("The file is no text");
	return text;
}

function delimiterOf(text: string): string {
	const header = text.split(/\r?\n|\r/).find((line) => line.trim() !== "" && !/^"?#/.test(line)) ?? "";
	const unquoted = header.replace(/"[^"]*"/g, "");
	const counts = delimiters.map((delimiter) => unquoted.split(delimiter).length);
	return delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
}
