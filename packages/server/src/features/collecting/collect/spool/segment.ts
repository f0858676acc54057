import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { saltOf } from "./spool-record.ts";

/** A file of the spool: records one after the other. Segments are read in the order of their numbers. */
export interface Segment {
	readonly number: number;
	/** 16 random hexadecimal digits: a number may come again after files were removed by hand, an id never does. */
	readonly id: string;
	readonly path: string;
	/** Where its checksums begin. */
	readonly salt: number;
	/** Bytes that are durable. */
	length: number;
	/** Bytes of steps that have ended; nothing will be added to them. */
	sealed: number;
	/** Bytes whose rows are in the event store, or set aside. */
	done: number;
	/** The step of its last record. */
	step: number;
	/** True when its file was removed by somebody else. */
	isLost: boolean;
}

const NAME = /^(\d{10})-([0-9a-f]{16})\.seg$/;
const SUFFIX = ".seg";

/** A segment under its own name in a directory, without bytes. */
export function newSegment(directory: string, number: number, id = randomBytes(8).toString("hex")): Segment {
	const path = join(directory, `${String(number).padStart(10, "0")}-${id}${SUFFIX}`);
	return { number, id, path, salt: saltOf(id), length: 0, sealed: 0, done: 0, step: 0, isLost: false };
}

/** The segments among the names of a directory, oldest first, and names that only look like one. */
export function segmentsAmong(directory: string, names: readonly string[]): { segments: Segment[]; strange: string[] } {
	const segments: Segment[] = [];
	const strange: string[] = [];
	for (const name of names) {
		if (!name.endsWith(SUFFIX)) continue;
		const [, number, id] = NAME.exec(name) ?? [];
		if (number === undefined || id === undefined) strange.push(name);
		else segments.push(newSegment(directory, Number(number), id));
	}
	segments.sort((a, b) => a.number - b.number || (a.id < b.id ? -1 : 1));
	return { segments, strange };
}
