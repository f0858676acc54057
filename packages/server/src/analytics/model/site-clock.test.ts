import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { localHour } from "./site-clock.ts";

const at = (zone: string, text: string) => localHour(zone, Date.parse(text));

test("the day and hour are those of the site's zone", () => {
	assert.deepEqual(at("UTC", "2026-11-21T23:59:59.999Z"), { date: "2026-11-21", hour: 23 });
	assert.deepEqual(at("Europe/Madrid", "2026-11-21T23:30:00Z"), { date: "2026-11-22", hour: 0 });
	assert.deepEqual(at("America/Los_Angeles", "2026-11-21T05:00:00Z"), { date: "2026-11-20", hour: 21 });
	assert.deepEqual(at("Asia/Kolkata", "2026-11-21T18:29:59Z"), { date: "2026-11-21", hour: 23 });
	assert.deepEqual(at("Asia/Kolkata", "2026-11-21T18:30:00Z"), { date: "2026-11-22", hour: 0 });
	assert.deepEqual(at("Asia/Kathmandu", "2026-11-21T18:15:00Z"), { date: "2026-11-22", hour: 0 });
	assert.deepEqual(at("Pacific/Kiritimati", "2026-12-31T10:00:00Z"), { date: "2027-01-01", hour: 0 });
});

test("the hour that is skipped in spring never appears", () => {
	assert.deepEqual(at("Europe/Madrid", "2026-03-29T00:59:59.999Z"), { date: "2026-03-29", hour: 1 });
	assert.deepEqual(at("Europe/Madrid", "2026-03-29T01:00:00Z"), { date: "2026-03-29", hour: 3 });
});

test("the hour that is repeated in autumn counts twice", () => {
	assert.deepEqual(at("Europe/Madrid", "2026-10-25T00:00:00Z"), { date: "2026-10-25", hour: 2 });
	assert.deepEqual(at("Europe/Madrid", "2026-10-25T01:00:00Z"), { date: "2026-10-25", hour: 2 });
	assert.deepEqual(at("Europe/Madrid", "2026-10-25T02:00:00Z"), { date: "2026-10-25", hour: 3 });
});

test("a midnight that does not exist and a day that was left out are booked right", () => {
	// Beirut springs forward at midnight; Samoa left out 2011-12-30.
	assert.deepEqual(at("Asia/Beirut", "2026-03-28T22:00:00Z"), { date: "2026-03-29", hour: 1 });
	assert.deepEqual(at("Pacific/Apia", "2011-12-30T09:59:59Z"), { date: "2011-12-29", hour: 23 });
	assert.deepEqual(at("Pacific/Apia", "2011-12-30T10:00:00Z"), { date: "2011-12-31", hour: 0 });
});

test("an unknown zone throws", () => {
	assert.throws(() => localHour("Mars/Olympus", 0), RangeError);
});

test("the answer is the calendar's own for every zone, at random instants and around each change of offset", () => {
	const zone = fc.constantFrom(...Intl.supportedValuesOf("timeZone"), "UTC");
	const instant = fc.integer({ min: Date.parse("2000-01-01"), max: Date.parse("2040-01-01") });
	fc.assert(
		fc.property(zone, instant, (name, start) => {
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
