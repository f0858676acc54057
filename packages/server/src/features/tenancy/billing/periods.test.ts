import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Period, periodAt, periodBefore, type Term } from "./periods.ts";

const cases: readonly (readonly [what: string, terms: readonly Term[], day: string, expected: Period])[] = [
	["without a subscription, the calendar month", [], "2026-02-28", { start: "2026-02-01", end: "2026-03-01" }],
	[
		"a trial ends where its months begin",
		[{ start: "2026-03-10", end: null, anchor: "2026-03-24" }],
		"2026-03-23",
		{ start: "2026-03-10", end: "2026-03-24" },
	],
	[
		"a month of the subscription",
		[{ start: "2026-03-10", end: null, anchor: "2026-03-24" }],
		"2026-05-23",
		{ start: "2026-04-24", end: "2026-05-24" },
	],
	[
		"months from a 31st begin at the last day of shorter ones",
		[{ start: "2026-01-31", end: null, anchor: "2026-01-31" }],
		"2026-03-01",
		{ start: "2026-02-28", end: "2026-03-31" },
	],
	[
		"the calendar month is cut where a subscription begins",
		[{ start: "2026-03-10", end: null, anchor: "2026-03-24" }],
		"2026-03-09",
		{ start: "2026-03-01", end: "2026-03-10" },
	],
	[
		"and where one ended",
		[{ start: "2026-01-10", end: "2026-03-15", anchor: "2026-01-10" }],
		"2026-03-15",
		{ start: "2026-03-15", end: "2026-04-01" },
	],
	[
		"the last month of a subscription ends with it",
		[{ start: "2026-01-10", end: "2026-03-15", anchor: "2026-01-10" }],
		"2026-03-12",
		{ start: "2026-03-10", end: "2026-03-15" },
	],
	[
		"of two that ran at once the later one counts",
		[
			{ start: "2026-01-10", end: null, anchor: "2026-01-10" },
			{ start: "2026-02-20", end: null, anchor: "2026-02-20" },
		],
		"2026-02-25",
		{ start: "2026-02-20", end: "2026-03-20" },
	],
];

for (const [what, terms, day, expected] of cases) {
	test(`period: ${what}`, () => assert.deepEqual(periodAt(terms, day), expected));
}

const days = fc
	.integer({ min: 0, max: 1200 })
	.map((n) => Temporal.PlainDate.from("2024-01-01").add({ days: n }).toString());

const term = fc
	.tuple(days, fc.option(fc.integer({ min: 0, max: 500 })), fc.integer({ min: 0, max: 30 }))
	.map(([start, length, trial]): Term => {
		const first = Temporal.PlainDate.from(start);
		const end = length === null ? null : first.add({ days: length }).toString();
		return { start, end, anchor: first.add({ days: trial }).toString() };
	});

test("whatever subscriptions there were, every day is in one period, and periods follow each other", () => {
	fc.assert(
		fc.property(fc.array(term, { maxLength: 4 }), days, (terms, day) => {
			let period = periodAt(terms, day);
			assert.ok(period.start <= day && day < period.end, JSON.stringify(period));
			for (let n = 0; n < 15; n++) {
				const last = Temporal.PlainDate.from(period.end).subtract({ days: 1 }).toString();
				assert.deepEqual(periodAt(terms, period.start), period);
				assert.deepEqual(periodAt(terms, last), period);
				const before = periodBefore(terms, period);
				assert.equal(before.end, period.start);
				period = before;
			}
		}),
		{ numRuns: 300 },
	);
});
