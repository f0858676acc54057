import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { filesBelow } from "../../../../test/support/export-files.ts";
import { days, exportSite } from "../../../../test/support/export-site.ts";
import { mountSkip, smallDisk } from "../../../../test/support/small-disk.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import { watchedExports } from "../../../../test/support/watched-exports.ts";
import { withinRoom } from "./within-room.ts";

describe("exports and the plan", () => {
	const at = watchedExports();
	const askedFor = async () => {
		const answer = await at.askForOrders();
		return answer.statusCode === 201 ? 201 : answer.json().error.code;
	};

	test("rows over the plan: 429 quota_exceeded, and no job", async () => {
		for (const [tier, rows] of [
			["free", 10_000],
			["growth", 100_000],
		] as const) {
			await at.reset();
			await at.plan(tier);
			await at.site.addConversions(rows);
			assert.equal(await askedFor(), 201, tier);
			await at.site.app.jobs.runDue();
			await at.site.addConversions(1, "2026-11-21");
			const refused = await at.askForOrders();
			assert.deepEqual([refused.statusCode, refused.json().error.code], [429, "quota_exceeded"], tier);
			assert.ok(Number(refused.headers["retry-after"]) > 0);
			assert.equal((await at.site.call("GET /exports")).json().total, 1);
		}
	});

	test("enterprise: more rows than any other plan allows", async () => {
		await at.plan("enterprise");
		await at.site.addConversions(1_000_001);
		assert.equal((await at.askForOrders()).json().job.estimated_rows, 1_000_001);
		await at.plan("scale");
		assert.equal(await askedFor(), "quota_exceeded");
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

		const tiers = { free: 1, growth: 1, scale: 3, ...(!onPostgres && { enterprise: 10 }) } as const;
		for (const [tier, places] of Object.entries(tiers) as [keyof typeof tiers, number][]) {
			test(`${tier}: ${places} at a time over all sites of the organization, however many ask; others have theirs`, async () => {
				const { app } = at.site;
				const bob = await signIn(app, { email: `${tier}@example.com`, name: tier });
				const far = await createSite(app, bob, { name: tier });
				await at.plan(tier);
				await at.site.addConversions(10_000);
				const answers = await Promise.all(Array.from({ length: places + 2 }, () => at.askForOrders()));
				assert.equal(answers.filter(({ statusCode }) => statusCode === 201).length, places);
				for (const refused of answers.filter(({ statusCode }) => statusCode !== 201)) {
					assert.deepEqual([refused.statusCode, refused.json().error.code], [429, "rate_limit_exceeded"]);
					assert.equal(refused.headers["retry-after"], "30");
				}
				const pages = { export_type: "pages", ...days };
				const other = await at.site.call("POST /exports", pages, { query: "account_id=empty" });
				assert.equal(other.statusCode, 429);
				assert.equal((await ask(app, bob, far)).statusCode, 201);
				await at.site.app.jobs.runDue();
				assert.equal((await at.askForOrders()).statusCode, 201);
			});
		}
	});
}

/** A line for each day of a year. */
const year = { export_type: "time_series", format: "csv", date_from: "2025-11-22", date_to: "2026-11-21" };

const ask = (app: TestApp, { headers }: Session, site: string) =>
	app.inject({ method: "POST", url: `/api/v1/exports?account_id=${site}`, headers, payload: year });

test("files of a site and of all sites are bounded, and what is deleted makes room", async (t) => {
	const max = 400_000;
	const app = await testApp({ env: { EXPORT_MAX_BYTES: String(max) } });
	t.after(() => app.close());
	const { ann } = await exportSite(app);
	const refusals: unknown[][] = [];
	const made: [site: string, job: string][] = [];
	for (let at = 0; at < 12 && refusals.at(-1)?.[0] !== 503; at++) {
		const site = await createSite(app, ann, { name: `Site ${at}`, domains: [`site-${at}.example`] });
		let answer = await ask(app, ann, site);
		for (; answer.statusCode === 201; answer = await ask(app, ann, site)) made.push([site, answer.json().job.job_id]);
		refusals.push([answer.statusCode, answer.json().error.code, answer.headers["retry-after"]]);
	}
	assert.deepEqual(refusals[0], [429, "quota_exceeded", "3600"]);
	assert.deepEqual(refusals.at(-1), [503, "service_unavailable", "3600"]);
	const bytes = filesBelow(app.config.dataDir).reduce(
		(sum, name) => sum + statSync(join(app.config.dataDir, "exports", name)).size,
		0,
	);
	assert.ok(bytes <= max, String(bytes));
	assert.ok(made.length > 4, String(made.length));
	const [last = "", job] = made.at(-1) ?? [];
	const url = `/api/v1/exports/${job}?account_id=${last}`;
	assert.equal((await app.inject({ method: "DELETE", url, headers: ann.headers })).statusCode, 204);
	assert.equal((await ask(app, ann, last)).statusCode, 201);
});

test("a site keeps at most 200 files, however small, until their links end", async (t) => {
	const app = await testApp();
	t.after(() => app.close());
	const { ann, call } = await exportSite(app);
	assert.equal((await call("POST /exports", year)).json().estimate.estimated_size_human, "17.8 KB");
	const tables = app.metadata.withTables<Tables>();
	const { id: _, ...row } = await tables.selectFrom("exports").selectAll().executeTakeFirstOrThrow();
	const copies = Array.from({ length: 198 }, (_, at) => ({ ...row, job_id: `copy-${at}`, download_token_hash: null }));
	await tables.insertInto("exports").values(copies).execute();
	assert.equal((await call("POST /exports", year)).statusCode, 201);
	const over = await call("POST /exports", year);
	assert.deepEqual([over.statusCode, over.json().error.code], [429, "quota_exceeded"]);
	assert.match(over.json().error.message, /has reached its number of export files/);
	assert.equal((await ask(app, ann, "empty")).statusCode, 201);
});

test("a disk that is nearly full takes no more files, and takes them again when there is room", {
	skip: mountSkip,
}, async () => {
	const disk = smallDisk("exports");
	const app = await testApp({ dataDir: disk.dataDir });
	try {
		const { call } = await exportSite(app);
		disk.fill();
		const refused = await call("POST /exports", year);
		assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [503, "3600"]);
		assert.equal(refused.json().error.message, "The server has too little disk space for export files");
		assert.equal((await call("GET /exports")).json().total, 0);
		disk.free();
		assert.equal((await call("POST /exports", year)).statusCode, 201);
	} finally {
		await app.close();
		disk.remove();
	}
});

test("a file that grows beyond the room that is left ends with it", async () => {
	async function* pieces() {
		for (let at = 0; at < 3; at++) yield new Uint8Array(100);
	}
	const taken: number[] = [];
	const take = async (bytes: number) => {
		for await (const piece of withinRoom(pieces(), bytes)) taken.push(piece.byteLength);
	};
	await take(300);
	await assert.rejects(take(299), { isFinal: true, message: /larger than the room that is left/ });
	assert.deepEqual(taken, [100, 100, 100, 100, 100]);
});
