import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { days } from "../../../../test/support/export-site.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import { watchedExports } from "../../../../test/support/watched-exports.ts";

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

	test("of ten exports of an organization three are made at once", async () => {
		await at.plan("enterprise");
		await at.site.addConversions(10_000);
		const ids: string[] = [];
		for (let i = 0; i < 10; i++) ids.push((await at.askForOrders()).json().job.job_id);
		const states = () => Promise.all(ids.map(async (id) => (await at.site.job(id)).status));
		const [three, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		let writing = 0;
		at.beforePiece = () => {
			if (++writing === 3) three.resolve();
			return held.promise;
		};
		const running = at.site.app.jobs.runDue();
		await three.promise;
		assert.deepEqual(await states(), [...Array(3).fill("generating"), ...Array(7).fill("pending")]);
		held.resolve();
		await running;
		assert.deepEqual(await states(), Array(10).fill("completed"));
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
