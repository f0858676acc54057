import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { days } from "../../../../test/support/export-site.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import { orders, watchedExports } from "../../../../test/support/watched-exports.ts";

describe("exports and the plan", () => {
	const at = watchedExports();

	test("rows over the plan: 429 quota_exceeded, and no job", async () => {
		await at.plan("growth");
		await at.site.addConversions(100_000);
		assert.equal((await at.askForOrders()).statusCode, 201);
		await at.site.app.jobs.runDue();
		await at.site.addConversions(1, "2026-11-21");
		const refused = await at.askForOrders();
		assert.deepEqual([refused.statusCode, refused.json().error.code], [429, "quota_exceeded"]);
		assert.ok(Number(refused.headers["retry-after"]) > 0);
		assert.equal((await at.site.call("GET /exports")).json().total, 1);
	});

	test("free: 10,000 rows, and one at a time", async () => {
		await at.plan("free");
		await at.site.addConversions(10_000);
		assert.equal((await at.askForOrders()).statusCode, 201);
		assert.equal((await at.askForOrders()).json().error.code, "rate_limit_exceeded");
		await at.site.app.jobs.runDue();
		await at.site.addConversions(1, "2026-11-21");
		assert.equal((await at.askForOrders()).json().error.code, "quota_exceeded");
	});

	test("enterprise: more rows than any other plan allows", async () => {
		await at.plan("enterprise");
		await at.site.addConversions(1_000_001);
		assert.equal((await at.askForOrders()).json().job.estimated_rows, 1_000_001);
		await at.plan("scale");
		assert.equal((await at.askForOrders()).json().error.code, "quota_exceeded");
	});

	test("an organization with several waiting exports leaves the second place to another one", async () => {
		const { app } = at.site;
		await at.plan("enterprise");
		await at.site.addConversions(10_000);
		const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
		await createSite(app, bob, { name: "Other", domains: ["other.example"] });
		await app.eventStore.command(
			"INSERT INTO events (site, date, hour, ts, session, kind, event_type, conversion) SELECT 'other', date, hour, ts, session, kind, event_type, conversion FROM events WHERE site = 'shop' AND event_type = 'order'",
		);
		const mine: string[] = [];
		for (let i = 0; i < 3; i++) mine.push((await at.askForOrders()).json().job.job_id);
		const query = "account_id=other";
		const asked = await at.site.call("POST /exports", orders, { headers: bob.headers, query });
		assert.equal(asked.statusCode, 201, asked.body);
		const path = `GET /exports/${asked.json().job.job_id}`;
		const theirStatus = async () =>
			(await at.site.call(path, undefined, { headers: bob.headers, query })).json().status;
		const myStates = () => Promise.all(mine.map(async (id) => (await at.site.job(id)).status));
		const [bothPlacesTaken, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		let writing = 0;
		at.beforePiece = () => {
			if (++writing === 2) bothPlacesTaken.resolve();
			return held.promise;
		};
		const running = app.jobs.runDue();
		await bothPlacesTaken.promise;
		assert.deepEqual([await theirStatus(), await myStates()], ["generating", ["generating", "pending", "pending"]]);
		held.resolve();
		await running;
		assert.deepEqual([await theirStatus(), await myStates()], ["completed", ["completed", "completed", "completed"]]);
	});
});

for (const onPostgres of [false, true]) {
	const skip = onPostgres && postgresSkip;
	describe(`exports at once on ${onPostgres ? "PostgreSQL" : "SQLite"}`, { skip }, () => {
		const at = watchedExports({ onPostgres });

		const tiers = { growth: 1, scale: 3, ...(!onPostgres && { enterprise: 10 }) } as const;
		for (const [tier, places] of Object.entries(tiers) as [keyof typeof tiers, number][]) {
			test(`${tier}: ${places} at a time over all sites of the organization, however many ask at once`, async () => {
				await at.plan(tier);
				await at.site.addConversions(10_000);
				const answers = await Promise.all(Array.from({ length: places + 2 }, () => at.askForOrders()));
				assert.equal(answers.filter(({ statusCode }) => statusCode === 201).length, places);
				for (const refused of answers.filter(({ statusCode }) => statusCode !== 201)) {
					assert.deepEqual([refused.statusCode, refused.json().error.code], [429, "rate_limit_exceeded"]);
					assert.equal(refused.headers["retry-after"], "30");
				}
				const other = await at.site.call(
					"POST /exports",
					{ export_type: "pages", ...days },
					{ query: "account_id=empty" },
				);
				assert.equal(other.statusCode, 429);
				await at.site.app.jobs.runDue();
				assert.equal((await at.askForOrders()).statusCode, 201);
			});
		}
	});
}
