import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows, openOracleStore } from "../../../../test/support/oracle-app.ts";
import { openTestStore } from "../../../../test/support/test-store.ts";
import { createStoredRevisions } from "./stored-revisions.ts";

/** A second later whenever it is looked at. */
let now = 0;
const ticking = { monotonic: () => (now += 1000) };
const hit = pageviewRow({ site: "shop", ts: Date.parse("2026-11-20T10:00:00Z") });

test("rows that another process stored or deleted change the revision, and a merge does not", async (t) => {
	const eventStore = await openOracleStore();
	t.after(() => eventStore.close());
	const revisions = createStoredRevisions({ eventStore, clock: ticking });
	const empty = await revisions.of(["shop"]);
	assert.ok(empty);
	await insertRows(eventStore, [hit]);
	const one = await revisions.of(["shop"]);
	assert.notEqual(one, empty);
	await insertRows(eventStore, [hit]);
	const two = await revisions.of(["shop"]);
	assert.notEqual(two, one);
	await eventStore.command("OPTIMIZE TABLE events FINAL");
	assert.equal(await revisions.of(["shop"]), two);
	await eventStore.command("ALTER TABLE events DELETE WHERE site = 'nobody' SETTINGS mutations_sync = 2");
	assert.notEqual(await revisions.of(["shop"]), two);
});

test("what the store says is read once in a while, what this process stored is known at once", async (t) => {
	const eventStore = await openOracleStore();
	t.after(() => eventStore.close());
	const revisions = createStoredRevisions({ eventStore, clock: { monotonic: () => 0 } });
	const before = await revisions.of(["shop"]);
	await insertRows(eventStore, [hit]);
	assert.equal(await revisions.of(["shop"]), before);
	revisions.bump(new Set(["shop"]));
	assert.notEqual(await revisions.of(["shop"]), before);
});

test("a store that does not show its parts has no revisions", async () => {
	const { store: eventStore, remove } = await openTestStore();
	await remove();
	assert.equal(await createStoredRevisions({ eventStore, clock: ticking }).of(["shop"]), undefined);
});
