import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { days } from "../../../../test/support/export-site.ts";
import { exportsOnBothEngines } from "../../../../test/support/exports-on-both-engines.ts";
import { until } from "../../../../test/support/until.ts";

exportsOnBothEngines("exports of several organizations", (at) => {
	test("one that waits with many leaves the other place to others", async () => {
		const { app } = at.site;
		await at.plan("enterprise");
		await at.site.addConversions(10_000);
		const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
		await createSite(app, bob, { name: "Other", domains: ["other.example"] });
		await app.eventStore.command(
			"INSERT INTO events (site, date, hour, ts, session, kind, event_type, conversion) SELECT 'other', date, hour, ts, session, kind, event_type, conversion FROM events WHERE site = 'shop' AND event_type = 'order'",
		);
		const held = Promise.withResolvers<void>();
		at.beforePiece = () => held.promise;
		const mine: string[] = [];
		for (let i = 0; i < 3; i++) mine.push((await at.askForOrders()).json().job.job_id);
		const asked = await app.inject({
			method: "POST",
			url: "/api/v1/exports?account_id=other",
			headers: bob.headers,
			payload: { export_type: "conversions", ...days, filters: { conversion_type: "order" } },
		});
		assert.equal(asked.statusCode, 201, asked.body);
		const theirs = asked.json().job.job_id;
		const theirStatus = async () => {
			const url = `/api/v1/exports/${theirs}?account_id=other`;
			return (await app.inject({ url, headers: bob.headers })).json().status;
		};
		const running = app.jobs.runDue();
		const myStates = () => Promise.all(mine.map(async (id) => (await at.site.job(id)).status));
		await until(async () => (await theirStatus()) === "generating" && (await myStates()).includes("generating"));
		const states = await myStates();
		assert.deepEqual(states, ["generating", "pending", "pending"]);
		held.resolve();
		await running;
		assert.equal(await theirStatus(), "completed");
		for (const id of mine) assert.equal((await at.site.job(id)).status, "completed");
	});
});
