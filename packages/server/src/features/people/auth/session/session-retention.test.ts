import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../../../../../migrations/metadata/tables/index.ts";
import { signIn } from "../../../../../test/support/accounts.ts";
import { testApp } from "../../../../../test/support/test-app.ts";

const DAY_MS = 86_400_000;

test("addresses and user agents of ended sessions are forgotten at night, also when nobody signs in again", async (t) => {
	const app = await testApp({ now: "2026-11-21T12:00:00.000Z" });
	t.after(() => app.close());
	const stored = async () => {
		const db = app.metadata.withTables<Tables>();
		return (await db.selectFrom("sessions").select("id").execute()).length;
	};
	await signIn(app, { email: "ann@example.com" });
	const bob = await signIn(app, { email: "bob@example.com" });
	await app.jobs.runDue();
	await app.inject({ method: "POST", url: "/api/v1/auth/logout", headers: bob.headers });
	assert.equal(await stored(), 2);
	app.clock.advance(2 * DAY_MS);
	await app.jobs.runDue();
	assert.equal(await stored(), 1);
	app.clock.advance(29 * DAY_MS);
	await app.jobs.runDue();
	assert.equal(await stored(), 0);
});
