import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { pageviewRow } from "../../../test/support/event-rows.ts";
import { insertRows, openOracleStore } from "../../../test/support/oracle-app.ts";
import { botFlagBits, botFlagNames, botFlags, botScore } from "./bot-flags.ts";
import { eventColumns, UNKNOWN_HOUR } from "./event-columns.ts";
import type { EventRow } from "./event-row.ts";
import { encodeEventRow } from "./event-tsv.ts";
import { localHour } from "./site-clock.ts";

const events = await openOracleStore();
after(() => events.close());

const text = fc.oneof(
	fc.string({ unit: "grapheme", maxLength: 20 }),
	fc.constantFrom("", "\\N", "\\", "'", "\t", "\n", "\r", "\0", "\b", "\f", "NULL", "404", "{'a':'b'}", "👍🏽"),
);
const count = fc.oneof(fc.constantFrom(0, 1), fc.nat({ max: 2 ** 32 - 1 }));
const money = fc.integer({ min: -(2 ** 40), max: 2 ** 40 }).map((steps) => steps / 10_000);

const rows: fc.Arbitrary<EventRow> = fc.record({
	...{ site: text, path: text, content_group: text, referrer: text, landing_path: text, landing_group: text },
	...{ utm_source: text, utm_medium: text, utm_campaign: text, utm_term: text, utm_content: text },
	...{ country: text, browser: text, os: text, channel: text, clid: text, event_type: text },
	...{ entrance: count, rejoined: count, engaged: count, page_view: count, visitor: count, visit_seconds: count },
	...{ conversion: count, microconversion: count, revenue: money, amount: money },
	date: fc.constantFrom("1970-01-01", "2024-02-29", "2026-11-21", "2026-11-22"),
	hour: fc.oneof(fc.nat({ max: 23 }), fc.constant(UNKNOWN_HOUR)),
	ts: fc.integer({ min: Date.parse("2010-01-01T00:00:00Z"), max: Date.parse("2100-01-01T00:00:00Z") }),
	session: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
	kind: fc.constantFrom("pageview", "engaged", "conversion", "microconversion", "item"),
	device: fc.constantFrom("desktop", "mobile", "tablet"),
	properties: fc.dictionary(text, text, { maxKeys: 4, noNullPrototype: true }),
	bot_score: fc.nat({ max: 100 }),
	bot_flags: fc.nat({ max: 65_535 }),
	// Each has a partition of its own.
	import_id: fc.constantFrom("", "it's\t1"),
});

// Numbers as text, as decimals and the session do not fit a JavaScript number in general.
const readAs = (column: string) =>
	column === "ts"
		? "toUnixTimestamp64Milli(ts) AS ts_ms"
		: column === "session"
			? "toString(session) AS session_text"
			: column;

test("a row read back from the store equals the row that was written, but for NUL in its labels", async () => {
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

test("a row is one line, and a sum below its decimals has no exponent", () => {
	const line = encodeEventRow(
		pageviewRow({ ts: 1_790_000_000_007, path: "/a\tb\nc\\d'e", amount: 12.5, revenue: 1e-7 }),
	);
	const cells = line.split("\t");
	assert.equal(cells.length, Object.keys(eventColumns).length);
	assert.deepEqual([cells[3], cells[6], cells[24]], ["1790000000.007", "/a\\tb\\nc\\\\d\\'e", "12.5000"]);
	assert.deepEqual([cells[34], line.indexOf("\n")], ["0.0000", line.length - 1]);
});

test("the bits and weights of stored flags never change", () => {
	assert.deepEqual(
		botFlags.map(({ name, weight }) => `${botFlagBits[name]} ${name} ${weight}`).join(", "),
		"1 empty_user_agent 90, 2 known_bot_pattern 85, 4 headless_user_agent 70, 8 suspicious_user_agent 50, " +
			"16 platform_mismatch 40, 32 mobile_mismatch 35, 64 sec_fetch_inconsistent 30, 128 missing_client_hints 25, " +
			"256 missing_sec_fetch 25, 512 missing_accept_language 20, 1024 incomplete_accept_encoding 15",
	);
	assert.deepEqual([botFlagNames(0), botScore(0)], [[], 0]);
	assert.deepEqual(botFlagNames(512 + 16), ["platform_mismatch", "missing_accept_language"]);
	assert.deepEqual([botScore(512 + 16), botScore(1 + 2)], [60, 100]);
});

test("the day and hour are those of the site's zone, of every zone and around each change of its offset", () => {
	for (const [zone, moment, date, hour] of [
		["Europe/Madrid", "2026-11-21T23:30:00Z", "2026-11-22", 0],
		["Asia/Kathmandu", "2026-11-21T18:15:00Z", "2026-11-22", 0],
		// The hour that is skipped in spring never appears, the one that is repeated in autumn counts twice.
		["Europe/Madrid", "2026-03-29T01:00:00Z", "2026-03-29", 3],
		["Europe/Madrid", "2026-10-25T01:00:00Z", "2026-10-25", 2],
		// Samoa left out 2011-12-30.
		["Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31", 0],
	] as const) {
		assert.deepEqual(localHour(zone, Date.parse(moment)), { date, hour }, `${zone} ${moment}`);
	}
	assert.throws(() => localHour("Mars/Olympus", 0), RangeError);
	const anyZone = fc.constantFrom(...Intl.supportedValuesOf("timeZone"), "UTC");
	const instant = fc.integer({ min: Date.parse("2000-01-01"), max: Date.parse("2040-01-01") });
	fc.assert(
		fc.property(anyZone, instant, (name, start) => {
			const local = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(name);
			const change = local.getTimeZoneTransition("next")?.epochMilliseconds ?? start;
			for (const ms of [start, change - 1, change, change + 1, start + 86_400_000]) {
				const expected = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name);
				assert.deepEqual(localHour(name, ms), { date: expected.toPlainDate().toString(), hour: expected.hour });
			}
		}),
		{ numRuns: 1000 },
	);
});
