import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { insertRows, openOracleStore } from "../../../test/support/oracle-app.ts";
import type { EventStore } from "../../platform/event-store/event-store.ts";
import { eventColumns, UNKNOWN_HOUR } from "./event-columns.ts";
import type { EventRow } from "./event-row.ts";
import { encodeEventRow } from "./event-tsv.ts";

let store: EventStore | undefined;

before(async () => {
	store = await openOracleStore();
});

after(async () => {
	await store?.close();
});

const text = fc.oneof(
	fc.string({ unit: "grapheme", maxLength: 20 }),
	fc.constantFrom("", "\\N", "\\", "'", "\t", "\n", "\r", "\0", "\b", "\f", "NULL", "404", "{'a':'b'}", "👍🏽"),
);
const count = fc.oneof(fc.constantFrom(0, 1), fc.nat({ max: 2 ** 32 - 1 }));
const money = fc.integer({ min: -(2 ** 40), max: 2 ** 40 }).map((steps) => steps / 10_000);

const rows: fc.Arbitrary<EventRow> = fc.record({
	site: text,
	date: fc.constantFrom("1970-01-01", "2024-02-29", "2026-11-21", "2026-11-22"),
	hour: fc.oneof(fc.nat({ max: 23 }), fc.constant(UNKNOWN_HOUR)),
	ts: fc.integer({ min: Date.parse("2010-01-01T00:00:00Z"), max: Date.parse("2100-01-01T00:00:00Z") }),
	session: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
	kind: fc.constantFrom("pageview", "engaged", "conversion", "microconversion", "item"),
	path: text,
	content_group: text,
	referrer: text,
	landing_path: text,
	landing_group: text,
	utm_source: text,
	utm_medium: text,
	utm_campaign: text,
	utm_term: text,
	utm_content: text,
	country: text,
	device: fc.constantFrom("desktop", "mobile", "tablet"),
	browser: text,
	os: text,
	channel: text,
	clid: text,
	event_type: text,
	properties: fc.dictionary(text, text, { maxKeys: 4, noNullPrototype: true }),
	amount: money,
	bot_score: fc.nat({ max: 100 }),
	bot_flags: fc.nat({ max: 65_535 }),
	// Each has a partition of its own.
	import_id: fc.constantFrom("", "it's\t1"),
	entrance: count,
	rejoined: count,
	engaged: count,
	page_view: count,
	conversion: count,
	microconversion: count,
	revenue: money,
	visit_seconds: count,
	visitor: count,
});

// Numbers as text, as decimals and the session do not fit a JavaScript number in general.
const readAs = (column: string) =>
	column === "ts"
		? "toUnixTimestamp64Milli(ts) AS ts_ms"
		: column === "session"
			? "toString(session) AS session_text"
			: column;

test("a row read back from the store equals the row that was written, but for NUL in its labels", {
	timeout: 60_000,
}, async () => {
	assert.ok(store);
	const events = store;
	await fc.assert(
		fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 50 }), async (written) => {
			await events.command("TRUNCATE TABLE events");
			await insertRows(events, written);
			const columns = Object.keys(eventColumns).map(readAs).join(", ");
			const found = await events.query<Record<string, unknown>>({ sql: `SELECT ${columns} FROM events` });
			const read = found.map(({ ts_ms: ts, session_text: session, ...row }) => ({ ...row, ts, session }));
			assert.deepEqual(sorted(read), sorted(written.map(withoutNul)));
		}),
		{ numRuns: 6, endOnFailure: true },
	);
});

// The values of `campaign` are told apart by it.
const withoutNul = (row: EventRow): object =>
	Object.fromEntries(
		Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? value.replaceAll("\0", "") : value]),
	);

// Rows come back in the order of the table's key, columns in that of the query.
function sorted(list: readonly object[]): string[] {
	const plain = (row: object) =>
		JSON.stringify(
			Object.entries(row)
				.map(([name, value]) => [name, name === "properties" ? Object.entries(value as object).sort() : value])
				.sort(([one], [other]) => String(one).localeCompare(String(other))),
		);
	return list.map(plain).sort();
}

test("a row is one line with a cell for each column, special characters escaped", () => {
	const line = encodeEventRow({
		...({} as EventRow),
		...Object.fromEntries(Object.keys(eventColumns).map((column) => [column, ""])),
		ts: 1_790_000_000_007,
		path: "/a\tb\nc\\d'e",
		properties: { "it's": "x\ty", n: "" },
		amount: 12.5,
		revenue: 1e-7,
	});
	const cells = line.split("\t");
	assert.equal(cells.length, 37);
	assert.equal(cells[3], "1790000000.007");
	assert.equal(cells[6], "/a\\tb\\nc\\\\d\\'e");
	assert.equal(cells[23], "{'it\\'s':'x\\ty','n':''}");
	assert.equal(cells[24], "12.5000");
	assert.equal(cells[34], "0.0000");
	assert.equal(cells[36], "\n");
});
