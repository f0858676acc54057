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

/** What the engine reads from values bound as `type`. */
async function roundTrip(type: string, values: readonly QueryParam[]): Promise<unknown[]> {
	const columns = values.map((_, at) => `{v${at}:${type}} AS v${at}`);
	const params = Object.fromEntries(values.map((value, at) => [`v${at}`, value]));
	const [row = {}] = await open.store.query({ sql: `SELECT ${columns}`, params });
	return Object.values(row);
}

const characters = [..."\\'\"\t\n\r\0\bNn`{}[],é漢"];
const text = fc.oneof(
	fc.string({ unit: "binary", maxLength: 20 }),
	fc.string({ unit: fc.constantFrom(...characters), maxLength: 12 }),
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
		const twenty = fc.array(values, { minLength: 20, maxLength: 20 });
		const same = async (given: readonly QueryParam[]) => {
			// JSON knows no negative zero.
			const expected = given.map((value) => (value === 0 ? 0 : value));
			assert.deepEqual(await roundTrip(type, given), expected);
		};
		await fc.assert(fc.asyncProperty(twenty, same), { numRuns: 3 });
	});
}

test("big integers keep every digit", async () => {
	const params = { n: 18_446_744_073_709_551_615n, l: [-9_223_372_036_854_775_808n] };
	const rows = await open.store.query({
		sql: "SELECT toString({n:UInt64}) AS n, toString({l:Array(Int64)}) AS l",
		params,
	});
	assert.deepEqual(rows, [{ n: "18446744073709551615", l: "[-9223372036854775808]" }]);
});
