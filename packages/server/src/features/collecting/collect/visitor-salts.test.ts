import assert from "node:assert/strict";
import { test } from "node:test";
import { testApp } from "../../../../test/support/test-app.ts";
import { createTestClock } from "../../../../test/support/test-clock.ts";
import { listSalts } from "./salts-store.ts";
import { VisitorSalts } from "./visitor-salts.ts";

const HOUR = 3_600_000;

test("a salt is made an hour before its day, shared by all collectors, and destroyed 48 hours after it was made", async () => {
	const { metadata, close } = await testApp({ env: { ROLES: "api" } });
	try {
		const clock = createTestClock("2026-11-21T12:00:00.000Z");
		const [one, other] = [new VisitorSalts({ metadata, clock }), new VisitorSalts({ metadata, clock })];
		const days = async () => (await listSalts(metadata)).map(({ day }) => day).sort();
		await one.refresh();
		await other.refresh();
		const first = one.on(clock.now());
		assert.equal(typeof first, "string");
		assert.equal(other.on(clock.now()), first);
		clock.advance(11 * HOUR - 1);
		await one.refresh();
		assert.deepEqual(await days(), ["2026-11-21"]);
		clock.advance(1);
		await one.refresh();
		assert.deepEqual(await days(), ["2026-11-21", "2026-11-22"]);
		assert.notEqual(one.on(Date.parse("2026-11-22T00:00:00Z")), first);
		clock.set("2026-11-23T11:59:59.999Z");
		await one.refresh();
		assert.deepEqual(await days(), ["2026-11-21", "2026-11-22", "2026-11-23"]);
		clock.advance(1);
		await one.refresh();
		assert.deepEqual(await days(), ["2026-11-22", "2026-11-23"]);
		assert.equal(one.on(Date.parse("2026-11-21T12:00:00Z")), undefined);
	} finally {
		await close();
	}
});
