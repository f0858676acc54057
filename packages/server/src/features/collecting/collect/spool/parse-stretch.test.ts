import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseStretch } from "./parse-stretch.ts";
import { RecordBuffer } from "./record-buffer.ts";
import { saltOf, sealRecord } from "./spool-record.ts";

const SALT = saltOf("0123456789abcdef");

function record(step: number, events: string, botHits = "", salt = SALT): Buffer {
	const buffer = new RecordBuffer();
	buffer.write(events);
	const eventsLength = buffer.length;
	buffer.write(botHits);
	const bytes = buffer.finish();
	sealRecord(bytes, salt, { step, eventsLength, rows: 3 });
	return Buffer.from(bytes);
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const parse = (bytes: Buffer, isEnd = true) => parseStretch(bytes, { from: 0, salt: SALT, isEnd });
const eventsOf = (bytes: Buffer) => parse(bytes)?.records.map(({ events }) => text(events));
const damageOf = (bytes: Buffer) => parse(bytes)?.damage.map(({ from, bytes: part }) => [from, part.length]);
const flipped = (bytes: Buffer, at: number) =>
	Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 4 : byte)));

test("records are read back as they were written, whatever is in them", () => {
	const rows = fc.record({ events: fc.string({ unit: "grapheme" }), botHits: fc.string() });
	fc.assert(
		fc.property(fc.array(rows, { minLength: 1 }), (written) => {
			const bytes = Buffer.concat(written.map(({ events, botHits }) => record(1, events, botHits)));
			const read = parse(bytes)?.records.map(({ events, botHits }) => [text(events), text(botHits)]);
			assert.deepEqual(
				read,
				written.map(({ events, botHits }) => [Buffer.from(events).toString(), Buffer.from(botHits).toString()]),
			);
		}),
	);
});

test("a stretch ends where another step begins", () => {
	const bytes = Buffer.concat([record(1, "a\n"), record(1, "b\n"), record(2, "c\n")]);
	assert.deepEqual(eventsOf(bytes), ["a\n", "b\n"]);
	assert.equal(parse(bytes)?.to, 60);
});

test("any flipped bit costs the record that it stands in, which is kept aside, and no other", () => {
	const bytes = Buffer.concat([record(1, "first\n"), record(1, "second\n"), record(1, "third\n")]);
	for (let at = 0; at < bytes.length; at++) {
		const spoiled = at < 34 ? [0, 34] : at < 69 ? [34, 35] : [69, 34];
		const left = ["first\n", "second\n", "third\n"].filter((_, index) => index !== (at < 34 ? 0 : at < 69 ? 1 : 2));
		assert.deepEqual([eventsOf(flipped(bytes, at)), damageOf(flipped(bytes, at))], [left, [spoiled]], `byte ${at}`);
	}
});

test("what a crash left at the end is passed over, wherever it cut, and its length is told", () => {
	const bytes = Buffer.concat([record(1, "kept\n"), record(1, "not acknowledged\n")]);
	for (let length = 33; length < bytes.length; length++) {
		const cut = bytes.subarray(0, length);
		assert.deepEqual([eventsOf(cut), damageOf(cut), parse(cut)?.to], [["kept\n"], [], length], `${length} bytes`);
		assert.equal(parse(cut)?.torn, length - 33);
	}
	assert.equal(parse(bytes)?.torn, 0);
	assert.deepEqual(damageOf(Buffer.concat([bytes.subarray(0, 33), Buffer.alloc(4096)])), []);
});

test("text that looks like a record, and a record of another file, are none", () => {
	const foreign = record(1, "forged\n", "", saltOf("fedcba9876543210"));
	const bytes = Buffer.concat([record(1, "kept\n"), foreign, record(1, "kept too\n")]);
	assert.deepEqual(eventsOf(bytes), ["kept\n", "kept too\n"]);
	assert.deepEqual(damageOf(bytes), [[33, 35]]);
});

test("a piece that ends within a record, a step or damage asks for more", () => {
	const bytes = Buffer.concat([record(1, "first\n"), record(2, "second\n")]);
	assert.equal(parse(bytes.subarray(0, 20), false), undefined);
	assert.equal(parse(bytes.subarray(0, 34), false), undefined);
	assert.equal(parse(flipped(bytes, 3).subarray(0, 40), false), undefined);
	assert.equal(parse(bytes, false)?.to, 34);
});
