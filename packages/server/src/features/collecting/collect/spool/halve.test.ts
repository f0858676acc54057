import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Batch, countLines, halve, middleOf } from "./halve.ts";

const records = fc.array(fc.array(fc.constantFrom("a", "bb", "ccc"), { minLength: 1, maxLength: 5 }), { minLength: 1 });

const batchOf = (rows: readonly (readonly string[])[]): Batch => ({
	token: "t",
	parts: rows.map((lines, index) => ({ at: index * 100, first: 0, bytes: Buffer.from(`${lines.join("\n")}\n`) })),
});
const textOf = ({ parts }: Batch) => parts.map(({ bytes }) => Buffer.from(bytes).toString()).join("");

/** All single rows that come of cutting a batch in two until nothing can be cut. */
function leaves(batch: Batch): Batch[] {
	const cut = middleOf(batch);
	return cut === undefined ? [batch] : halve(batch, cut).flatMap(leaves);
}

test("halves of halves are the single rows, in order, each under a token of its own", () => {
	fc.assert(
		fc.property(records, (rows) => {
			const ends = leaves(batchOf(rows));
			assert.deepEqual(
				ends.map(textOf),
				rows.flat().map((row) => `${row}\n`),
			);
			assert.equal(new Set(ends.map(({ token }) => token)).size, ends.length);
			for (const end of ends) assert.equal(countLines(Buffer.from(textOf(end))), 1);
		}),
	);
});

test("a row keeps its token when another record of the batch is lost", () => {
	fc.assert(
		fc.property(records, fc.nat(), (rows, dice) => {
			const whole = batchOf(rows);
			const lost = whole.parts[dice % rows.length]?.at;
			const cutWith = (batch: Batch, like: Batch): Map<string, string> => {
				const cut = middleOf(like);
				if (cut === undefined) return new Map([[batch.token, textOf(batch)]]);
				const halves = new Map(halve(batch, cut).map((half) => [half.token, half]));
				return new Map(
					halve(like, cut).flatMap((half) => [...cutWith(halves.get(half.token) ?? { ...half, parts: [] }, half)]),
				);
			};
			const all = cutWith(whole, whole);
			const rest = cutWith({ ...whole, parts: whole.parts.filter(({ at }) => at !== lost) }, whole);
			for (const [token, row] of rest) assert.ok(row === "" || row === all.get(token));
		}),
	);
});
