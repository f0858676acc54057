import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { sql } from "kysely";
import { type JobStore, openJobStore } from "../../../../test/support/job-stores.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { storedSalts } from "./salts-store.ts";
import { VisitorSalts } from "./visitor-salts.ts";

let store: JobStore;
let metadata: Metadata;
/** A collector's salts; the clock stands at noon of 21 November 2026. */
const newSalts = () => new VisitorSalts({ metadata, clock: store.clock });
beforeEach(async () => {
	store = await openJobStore("sqlite");
	({ metadata } = await store.process());
});
afterEach(() => store.close());

test("a salt is made an hour before its day, shared by all collectors, and destroyed 48 hours after it was made", async () => {
	const { clock } = store;
	const [one, other] = [newSalts(), newSalts()];
	await one.refresh();
	await other.refresh();
	const first = one.on(clock.now());
	assert.equal(typeof first, "string");
	assert.equal(other.on(clock.now()), first);
	const kept = {
		"2026-11-21T22:59:59.999Z": ["2026-11-21"],
		"2026-11-21T23:00:00.000Z": ["2026-11-21", "2026-11-22"],
		"2026-11-23T11:59:59.999Z": ["2026-11-21", "2026-11-22", "2026-11-23"],
		"2026-11-23T12:00:00.000Z": ["2026-11-22", "2026-11-23"],
	};
	for (const [moment, days] of Object.entries(kept)) {
		clock.set(moment);
		await one.refresh();
		assert.deepEqual((await storedSalts.list(metadata, {})).map(({ day }) => day).sort(), days, moment);
	}
	assert.notEqual(one.on(Date.parse("2026-11-22T00:00:00Z")), first);
	assert.equal(one.on(Date.parse("2026-11-21T12:00:00Z")), undefined);
});

test("a day that begins while the metadata store is away has a salt, which the store takes when it is back", async () => {
	const salts = newSalts();
	await sql`ALTER TABLE visitor_salts RENAME TO away`.execute(metadata);
	await salts.refresh();
	const salt = salts.on(store.clock.now());
	assert.equal(typeof salt, "string");
	await sql`ALTER TABLE away RENAME TO visitor_salts`.execute(metadata);
	await salts.refresh();
	assert.deepEqual([salts.on(store.clock.now()), (await storedSalts.list(metadata, {}))[0]?.salt], [salt, salt]);
});
