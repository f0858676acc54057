import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openOracleStore } from "../../../../test/support/oracle-app.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { SiteFacts } from "../../tenancy/sites/index.ts";
import { seedSite } from "./seed-site.ts";

/** Midnight of 20 November 2026 in Madrid. */
const END = Date.parse("2026-11-19T23:00:00Z");

let store: EventStore;
before(async () => {
	store = await openOracleStore();
});
after(() => store.close());

const site = (id: string): SiteFacts => ({
	id,
	organizationId: "o",
	name: id,
	timezone: "Europe/Madrid",
	currency: "EUR",
	isActive: true,
	botThreshold: 80,
	domains: ["shop.example"],
	utmMappings: [],
	blockedAddresses: undefined,
	forgottenVisits: [],
	lifetimeEventLimit: null,
});

const seed = (id: string, number: number, { end = END, rows = 2_000 } = {}) =>
	seedSite(store, { site: site(id), rows, days: 30, seed: number, end, wild: false });

async function one<Row extends object>(sql: string, id: string): Promise<Row | undefined> {
	const [row] = await store.query<Row>({ sql, params: { site: id } });
	return row;
}

const digest = (id: string) =>
	one<{ digest: string }>(
		"SELECT toString(groupBitXor(cityHash64(* EXCEPT site))) AS digest FROM events WHERE site = {site:String}",
		id,
	);

test("a seeded site holds the rows asked for, in days of its own time zone", async () => {
	const result = await seed("days", 1, { rows: 20_000 });
	const stored = await one<Record<string, unknown>>(
		`SELECT count() AS rows, sum(conversion) AS conversions, round(toFloat64(sum(revenue)), 2) AS revenue,
			toString(min(date)) AS first, toString(max(date)) AS last, uniqExact(date) AS days
		FROM events WHERE site = {site:String}`,
		"days",
	);
	assert.ok(result.rows >= 20_000 && result.rows < 20_060, `${result.rows}`);
	assert.equal(stored?.["rows"], result.rows);
	assert.equal(stored?.["conversions"], result.conversions);
	assert.equal(stored?.["revenue"], Math.round(result.revenue * 100) / 100);
	assert.equal(stored?.["first"], "2026-10-21");
	assert.equal(stored?.["days"], stored?.["last"] === "2026-11-20" ? 31 : 30);
});

test("bot hits are written beside the reports, for the last week", async () => {
	// The store drops older ones by its own clock, so the week ends an hour from now.
	const { botHits } = await seed("bots", 1, { end: Date.now() + 3_600_000, rows: 20_000 });
	const stored = await one<{ hits: number; counted: number }>(
		"SELECT sum(hits) AS hits, sum(counted) AS counted FROM bot_hits WHERE site = {site:String}",
		"bots",
	);
	assert.equal(botHits, 187);
	assert.deepEqual(stored, { hits: 187, counted: 0 });
});

test("the same seed makes the same rows, another seed others", async () => {
	await Promise.all([seed("first", 5), seed("second", 5), seed("third", 6)]);
	assert.deepEqual(await digest("first"), await digest("second"));
	assert.notDeepEqual(await digest("first"), await digest("third"));
});

test("seeded rows keep the rules of collected ones", async () => {
	await seed("rules", 7);
	const broken = await one<Record<string, number>>(
		`SELECT
			countIf(entrances != 1) AS entrances,
			countIf(engaged != (views > 1)) AS engaged,
			countIf(landings != 1) AS landings
		FROM (
			SELECT session, sum(entrance) AS entrances, sum(engaged) AS engaged, sum(page_view) AS views,
				uniqExact(landing_path, utm_source, channel, country, browser) AS landings
			FROM events WHERE site = {site:String} GROUP BY session
		)`,
		"rules",
	);
	assert.deepEqual(broken, { entrances: 0, engaged: 0, landings: 0 });
});
