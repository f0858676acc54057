import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { pageviewRow } from "../../../test/support/event-rows.ts";
import { insertRows, openOracleStore } from "../../../test/support/oracle-app.ts";
import { systemClock } from "../../platform/lib/clock.ts";
import type { EventRow } from "../model/event-row.ts";
import { type DoomedDays, deleteDays, deleteRows, rowsBefore } from "./delete-rows.ts";

const HOUR = 3_600_000;
const FIRST = Date.parse("2026-08-28T00:00:00Z");
const HOURS = 80 * 24;

const bumped: string[] = [];
const revisions = { bump: (sites: ReadonlySet<string> | "all") => void bumped.push(...sites) };
const deps = () => ({ clock: systemClock, eventStore: store, revisions });

const store = await openOracleStore();
after(() => store.close());

const row = fc
	.record({
		site: fc.constantFrom("shop", "shop-2"),
		hour: fc.nat(HOURS),
		session: fc.nat(30),
		import_id: fc.constantFrom("", "", "old"),
	})
	.map(({ site, hour, session, import_id }) =>
		pageviewRow({ site, ts: FIRST + hour * HOUR, session: String(session + 1), import_id }),
	);
const day = fc.nat(80).map((days) => new Date(FIRST + days * 24 * HOUR).toISOString().slice(0, 10));
const asked = fc.record({
	parts: fc.array(fc.array(row, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 3 }),
	from: fc.option(day),
	to: fc.option(day),
	until: fc.nat(HOURS).map((hour) => FIRST + hour * HOUR),
});

type Key = Pick<EventRow, "site" | "date" | "session" | "import_id" | "ts">;
const keyOf = ({ site, date, session, import_id, ts }: Key) => [site, date, session, import_id, ts].join(" ");

async function stored(): Promise<string[]> {
	const rows = await store.query<Key>({
		sql: "SELECT site, toString(date) AS date, toString(session) AS session, import_id, toUnixTimestamp64Milli(ts) AS ts FROM events",
	});
	return rows.map(keyOf).sort();
}

/** Sums of the projections by day. */
async function sums(): Promise<Record<string, number>> {
	const rows = await store.query<{ key: string; views: number }>({
		sql: "SELECT concat(site, ' ', toString(date)) AS key, sum(page_view) AS views FROM events GROUP BY site, date",
		settings: { force_optimize_projection: 1 },
	});
	return Object.fromEntries(rows.map(({ key, views }) => [key, views]));
}

function sumsOf(rows: readonly EventRow[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { site, date } of rows) counts[`${site} ${date}`] = (counts[`${site} ${date}`] ?? 0) + 1;
	return counts;
}

/** The same in plain words: all rows received until then, and rows of their visits within a day. */
function doomed(rows: readonly EventRow[], { from, to, until }: DoomedDays) {
	const inRange = ({ site, date }: EventRow) =>
		site === "shop" && (from === null || date >= from) && (to === null || date <= to);
	const own = rows.filter((one) => inRange(one) && one.import_id === "");
	const sessions = (some: readonly EventRow[]) => new Set(some.map(({ session }) => session));
	const begun = sessions(own.filter(({ ts }) => ts <= until && ts > until - 48 * HOUR));
	const later = sessions(own.filter(({ ts }) => ts > until && ts <= until + 24 * HOUR));
	const goneOn = begun.intersection(later);
	return (one: EventRow) => inRange(one) && (one.ts <= until || goneOn.has(one.session));
}

test("of random rows exactly those of the days are gone, from rows and sums, and a repetition finds nothing", async () => {
	await fc.assert(
		fc.asyncProperty(asked, async ({ parts, ...range }) => {
			await store.command("TRUNCATE TABLE events");
			for (const rows of parts) await insertRows(store, rows);
			const days = { site: "shop", ...range };
			const rows = parts.flat();
			const isDoomed = doomed(rows, days);
			const kept = rows.filter((one) => !isDoomed(one));
			assert.equal(await deleteDays(deps(), days), rows.length - kept.length);
			assert.deepEqual(await stored(), kept.map(keyOf).sort());
			assert.deepEqual(await sums(), sumsOf(kept));
			assert.equal(await deleteDays(deps(), days), 0);
		}),
		{ numRuns: 5 },
	);
	assert.deepEqual([...new Set(bumped)], ["shop"]);
});

test("each site loses what is older than its own day, and parts of which nothing is kept are dropped", async () => {
	await store.command("TRUNCATE TABLE events");
	const rowOn = (site: string, date: string) => pageviewRow({ site, ts: Date.parse(`${date}T12:00:00Z`) });
	const kept = [rowOn("shop", "2026-10-01"), rowOn("shop-2", "2026-09-20"), rowOn("third", "2026-08-01")];
	const gone = [rowOn("shop", "2026-09-30"), rowOn("shop-2", "2026-09-19"), rowOn("shop", "2026-07-31")];
	await insertRows(store, [...kept, ...gone]);
	const ends = [
		{ site: "shop", before: "2026-10-01" },
		{ site: "shop-2", before: "2026-09-20" },
	];
	const mutations = async () => {
		const sql = "SELECT count() AS n FROM system.mutations WHERE table = 'events'";
		const [found] = await store.query<{ n: number }>({ sql });
		return found?.n ?? 0;
	};
	const before = await mutations();
	assert.equal(await deleteRows(deps(), rowsBefore(ends)), gone.length);
	assert.deepEqual(await stored(), kept.map(keyOf).sort());
	assert.equal(await mutations(), before + 1, "July needed none");
});
