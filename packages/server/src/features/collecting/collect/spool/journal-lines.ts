import { crc32 } from "node:zlib";
import type { Cut } from "./halve.ts";

/** State of the loader that must survive a crash. */
export interface JournalEntries {
	/** How far each segment is in the event store, by its id. */
	readonly done: Map<string, { readonly number: number; readonly offset: number }>;
	/** Where batches were cut in two, by their token. */
	readonly cuts: Map<string, Cut>;
	/** The highest number that a segment ever had. */
	highest: number;
	/** Lines that could not be read. */
	damaged: number;
}

const line = (body: string) => `${crc32(body).toString(16).padStart(8, "0")} ${body}\n`;

/** A line that says how far a segment is in the event store. */
export const doneLine = (of: { readonly number: number; readonly id: string; readonly done: number }): string =>
	line(`done ${of.number} ${of.id} ${of.done}`);

/** A line that says where a batch was cut in two. */
export const cutLine = (token: string, { at, row }: Cut): string => line(`cut ${token} ${at} ${row}`);

/** A line that keeps the highest number of a segment when nothing else does. */
export const highestLine = (number: number): string => line(`highest ${number}`);

/** Reads whole lines. A line damaged by the disk is lost alone: its work is repeated with the same tokens. */
export function readLines(text: string): JournalEntries {
	const entries: JournalEntries = { done: new Map(), cuts: new Map(), highest: 0, damaged: 0 };
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
	switch (kind) {
		case "done":
			if (offset >= (entries.done.get(second)?.offset ?? 0)) entries.done.set(second, { number, offset });
			entries.highest = Math.max(entries.highest, number);
			return true;
		case "cut":
			entries.cuts.set(first, { at: Number(second), row: offset });
			return true;
		case "highest":
			entries.highest = Math.max(entries.highest, number);
			return true;
		default:
			return false;
	}
}
