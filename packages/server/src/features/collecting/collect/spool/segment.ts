import { open, readdir, readFile, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { decodeSpoolRecords } from "./spool-record.ts";

/** A file of the spool: records one after the other. Segments are numbered from 1 and read in that order. */
export interface Segment {
	readonly number: number;
	/** Bytes of whole, intact records. */
	length: number;
}

const NAME = /^(\d{10})\.seg$/;

/** Path of a segment's file. */
export function segmentPath(directory: string, number: number): string {
	return join(directory, `${String(number).padStart(10, "0")}.seg`);
}

/** Makes created, renamed and removed files of a directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
	const handle = await open(directory, "r");
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** The segments that an earlier run left, oldest first; what a crash left behind the last whole record is cut off. */
export async function recoverSegments(directory: string): Promise<Segment[]> {
	const numbers = (await readdir(directory))
		.flatMap((name) => NAME.exec(name)?.[1] ?? [])
		.map(Number)
		.sort((a, b) => a - b);
	const segments: Segment[] = [];
	for (const number of numbers) {
		const path = segmentPath(directory, number);
		const bytes = await readFile(path);
		let length = 0;
		for (const record of decodeSpoolRecords(bytes)) length += record.length;
		if (length < bytes.length) await truncate(path, length);
		segments.push({ number, length });
	}
	return segments;
}

/** Removes a segment's file. */
export async function removeSegment(directory: string, number: number): Promise<void> {
	await rm(segmentPath(directory, number), { force: true });
}
