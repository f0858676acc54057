import assert from "node:assert/strict";
import { test } from "node:test";
import { RejectionLog } from "./rejection-log.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 21, 12);

test("a day of hits of many sites takes kilobytes a site", () => {
	const sites = Array.from({ length: 300 }, (_, index) => `site-${index}`);
	const used = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
	const before = used();
	const log = new RejectionLog();
	for (let minute = 0; minute < 1440; minute++) {
		for (const site of sites) log.accept(site, NOON + minute * MINUTE);
	}
	const bytes = used() - before;
	assert.ok(bytes < 20_000_000, `${Math.round(bytes / 1000)} kB`);
	assert.equal(log.window("site-7", 1440, NOON + 1439 * MINUTE).accepted, 1440);
});

test("hits are counted by the minute for a day, also after a clock that was a year ahead", () => {
	const log = new RejectionLog();
	log.accept("shop", NOON + 365 * 1440 * MINUTE);
	for (let minute = 0; minute < 2000; minute++) log.accept("shop", NOON + minute * MINUTE);
	const now = NOON + 1999 * MINUTE;
	const accepted = (minutes: number, at: number) => log.window("shop", minutes, at).accepted;
	assert.deepEqual([accepted(1, now), accepted(60, now), accepted(1440, now)], [1, 60, 1440]);
	assert.deepEqual([accepted(60, now + 10 * MINUTE), accepted(1440, now + 2000 * MINUTE)], [50, 0]);
	log.accept("shop", now + 100 * MINUTE);
	assert.equal(accepted(101, now + 100 * MINUTE), 2);
	assert.equal(log.window("other", 60, now).accepted, 0);
});

test("rejections are counted whole, and the hosts of those who make up hosts to a bound", () => {
	const log = new RejectionLog();
	for (let host = 0; host < 5000; host++) log.reject("shop", "invalid_domain", `h${host}.example`, NOON);
	for (let site = 0; site < 500; site++) log.reject(`site-${site}`, "invalid_token", "own.example", NOON);
	log.reject("shop", "invalid_domain", "h0.example", NOON);
	log.reject("shop", "invalid_json", "", NOON);
	const { rejected, reasons } = log.window("shop", 5, NOON);
	const found = reasons.map(({ reason, count, origins }) => `${reason} ${count} ${origins.length}`);
	assert.deepEqual([rejected, ...found], [5002, "invalid_domain 5001 10", "invalid_json 1 0"]);
	assert.deepEqual(reasons[0]?.origins[0], { origin: "h0.example", count: 2 });
	assert.equal(log.window("site-499", 5, NOON).rejected, 1);
	// Of a site twenty hosts are kept a minute, of all sites two hundred.
	const kept = (site: string, reason: string) =>
		Object.keys(log.hour(site, NOON / (60 * MINUTE)).origins[reason] ?? {}).length;
	assert.deepEqual([kept("shop", "invalid_domain"), kept("site-179", "invalid_token")], [20, 1]);
	assert.equal(kept("site-180", "invalid_token"), 0);
});
