import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openOracleStore } from "../../../../test/support/oracle-app.ts";
import type { SiteFacts } from "../../tenancy/sites/index.ts";
import { seedSite } from "./seed-site.ts";

/** Midnight of 20 November 2026 in Madrid. */
const END = Date.parse("2026-11-19T23:00:00Z");

const store = await openOracleStore();
after(() => store.close());

const site = (id: string): SiteFacts => ({
	...{ id, organizationId: "o", name: id, timezone: "Europe/Madrid", currency: "EUR", isActive: true },
	...{ botThreshold: 80, automaticEvents: [], goals: [], domains: ["shop.example"], utmMappings: [] },
	...{ blockedAddresses: undefined, forgottenVisits: [], lifetimeEventLimit: null },
});
const seed = (id: string, number: number, { end = END, rows = 2_000 } = {}) =>
	seedSite(store, { site: site(id), rows, days: 30, seed: number, end, wild: false });
const one = async (id: string, columns: string, table = "events") =>
	(await store.query({ sql: `SELECT ${columns} FROM ${table} WHERE site = {site:String}`, params: { site: id } }))[0];

test("a seeded site holds the rows asked for, in days of its own time zone, with the rules of collected ones", async () => {
	const { rows, conversions, revenue } = await seed("days", 1, { rows: 20_000 });
	assert.ok(rows >= 20_000 && rows < 20_060, `${rows}`);
	const sums = "count() AS rows, sum(conversion) AS conversions, round(toFloat64(sum(revenue)), 2) AS revenue";
	assert.deepEqual(await one("days", sums), { rows, conversions, revenue: Math.round(revenue * 100) / 100 });
	assert.deepEqual(
		await one("days", "toString(min(date)) AS first, uniqExact(date) = if(max(date) = '2026-11-20', 31, 30) AS every"),
		{ first: "2026-10-21", every: 1 },
	);
	const visits = `(SELECT site, sum(entrance) AS entrances, sum(engaged) AS engaged, sum(page_view) AS views,
		uniqExact(landing_path, utm_source, channel, country, browser) AS landings FROM events GROUP BY site, session)`;
	const broken = "countIf(entrances != 1 OR engaged != (views > 1) OR landings != 1) AS broken";
	assert.deepEqual(await one("days", broken, visits), { broken: 0 });
	// Some of a day's visitors come back on it.
	const daily = `(SELECT site, uniqExact(bitShiftRight(session, 17)) AS people, sum(entrance) AS visits FROM events
		GROUP BY site, date)`;
	assert.deepEqual(await one("days", "round(sum(people) / sum(visits), 1) AS share", daily), { share: 0.8 });
});

test("bot hits are written beside the reports, for the last week", async () => {
	// The store drops older ones by its own clock, so the week ends an hour from now.
	const { botHits } = await seed("bots", 1, { end: Date.now() + 3_600_000, rows: 20_000 });
	assert.equal(botHits, 187);
	const sums = await one("bots", "sum(hits) AS hits, sum(counted) AS counted", "bot_hits");
	assert.deepEqual(sums, { hits: 187, counted: 0 });
});

test("the same seed makes the same rows, another seed others", async () => {
	await Promise.all([seed("first", 5), seed("second", 5), seed("third", 5 + 2 ** 32)]);
	const digest = (id: string) => one(id, "toString(groupBitXor(cityHash64(* EXCEPT site))) AS digest");
	assert.deepEqual(await digest("first"), await digest("second"));
	assert.notDeepEqual(await digest("first"), await digest("third"));
});
