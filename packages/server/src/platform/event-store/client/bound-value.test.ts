import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { openTestStore, type TestStore } from "../../../../test/support/test-store.ts";
import type { QueryParam } from "../event-store.ts";

let open: TestStore;
before(async () => {
	open = await openTestStore();
});
after(() => open.remove());

/** What the engine makes of a value bound as `type`. */
async function roundTrip(type: string, value: QueryParam): Promise<unknown> {
	const rows = await open.store.query<{ v: unknown }>({ sql: `SELECT {v:${type}} AS v`, params: { v: value } });
	return rows[0]?.v;
}

const text = fc.oneof(
	fc.string({ unit: "binary", maxLength: 20 }),
	fc
		.array(
			fc.constantFrom("\\", "'", '"', "\t", "\n", "\r", "\0", "\b", "N", "n", "`", "{", "}", "[", "]", ",", "é", "漢"),
			{
				maxLength: 12,
			},
		)
		.map((parts) => parts.join("")),
);
const date = fc.integer({ min: 0, max: 40_000 }).map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));

const kinds: readonly (readonly [string, fc.Arbitrary<QueryParam>])[] = [
	["String", text],
	["Nullable(String)", fc.option(text)],
	["Array(String)", fc.array(text, { maxLength: 5 })],
	["Array(Nullable(String))", fc.array(fc.option(text), { maxLength: 5 })],
	["Array(Array(String))", fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 3 })],
	["Int32", fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })],
	["Array(UInt64)", fc.array(fc.maxSafeNat(), { maxLength: 5 })],
	["Float64", fc.double({ noNaN: true, noDefaultInfinity: true })],
	["Bool", fc.boolean()],
	["Array(Bool)", fc.array(fc.boolean(), { maxLength: 5 })],
	["Date32", date],
	["Array(Date32)", fc.array(date, { maxLength: 5 })],
];

for (const [type, values] of kinds) {
	test(`any value bound as ${type} comes back as it is`, async () => {
		const same = async (value: QueryParam) => assert.deepEqual(await roundTrip(type, value), zeroed(value));
		await fc.assert(fc.asyncProperty(values, same), { numRuns: 60 });
	});
}

/** JSON knows no negative zero. */
const zeroed = (value: QueryParam) => (value === 0 ? 0 : value);

test("big integers keep every digit", async () => {
	assert.equal(await roundTrip("String", "18446744073709551615"), "18446744073709551615");
	const rows = await open.store.query({
		sql: "SELECT toString({n:UInt64}) AS n, toString({l:Array(Int64)}) AS l",
		params: { n: 18_446_744_073_709_551_615n, l: [-9_223_372_036_854_775_808n] },
	});
	assert.deepEqual(rows, [{ n: "18446744073709551615", l: "[-9223372036854775808]" }]);
});
