import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { days, type ExportSite, exportSite } from "../../../../test/support/export-site.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { PlanTier } from "../../accounts/organizations/index.ts";
import type { DomainEvent } from "../domain-events/index.ts";

const orders = { export_type: "conversions", ...days, filters: { conversion_type: "order" } };

appOnBothEngines("the life of an export", (open) => {
	let site: ExportSite;
	let told: DomainEvent[];
	/** What the engine does before each piece of a file. */
	let beforePiece: () => Promise<void>;
	const wrapEventStore = (store: EventStore): EventStore => ({
		...store,
		async *streamBytes(query) {
			for await (const piece of store.streamBytes(query)) {
				await beforePiece();
				yield piece;
			}
		},
	});
	beforeEach(async () => {
		beforePiece = async () => {};
		site = await exportSite(await open({ wrapEventStore }));
		told = [];
		site.app.events.listen(async (event) => void told.push(event));
	});
	afterEach(() => site.app.close());

	const filesNow = () => {
		try {
			return readdirSync(join(site.app.config.dataDir, "exports"));
		} catch {
			return [];
		}
	};
	const plan = (tier: PlanTier) =>
		site.app.metadata
			.withTables<{ organizations: { plan_tier: PlanTier } }>()
			.updateTable("organizations")
			.set({ plan_tier: tier })
			.execute();
	const create = (body: object = {}) => site.call("POST /exports", { ...orders, ...body });

	test("9,999 rows are exported within the request, 10,000 in the background", async () => {
		await site.addConversions(9_999);
		assert.equal((await site.create(orders)).status, "completed");
		await site.addConversions(1, "2026-11-21");
		const response = await create();
		const { job, estimate, message } = response.json();
		assert.deepEqual(
			[job.status, job.estimated_rows, job.actual_rows, job.download_url, job.started_at, job.progress_percent],
			["pending", 10_000, null, null, null, 0],
		);
		assert.equal(estimate.will_use_background_job, false);
		assert.match(message, /in the background/);
		const stream = await site.call("POST /exports/stream", orders);
		assert.equal(stream.statusCode, 200);
		assert.equal(stream.body.split("\r\n").length, 10_002);
		await site.app.jobs.runDue();
		const done = await site.job(job.job_id);
		assert.deepEqual([done.status, done.actual_rows, done.progress_percent], ["completed", 10_000, 100]);
		const lines = (await site.download(done)).body.split("\r\n");
		assert.equal(lines.length, 10_002);
		assert.equal(lines[1], '2026-11-20,order,0,"{""n"":""0""}"');
		assert.equal(new Set(lines).size, 10_002, "no row comes twice");
	});

	test("above 10,000 rows a stream answers 413 with the way to the file, and the estimate says background", async () => {
		await site.addConversions(10_001);
		const stream = await site.call("POST /exports/stream", orders);
		assert.equal(stream.statusCode, 413);
		assert.deepEqual(Object.keys(stream.json()), ["detail"]);
		assert.match(stream.json().detail, /POST \/exports /);
		assert.equal((await site.call("POST /exports/estimate", orders)).json().will_use_background_job, true);
	});

	test("while the file is made the export is generating, advances, cannot be removed, and has no link", async () => {
		await site.addConversions(200_000);
		const { job } = (await create()).json();
		const seen: number[] = [];
		beforePiece = async () => {
			const { status, progress_percent, download_url } = await site.job(job.job_id);
			assert.deepEqual([status, download_url], ["generating", null]);
			seen.push(Number(progress_percent));
			if (seen.length > 1) return;
			const removal = await site.call(`DELETE /exports/${job.job_id}`);
			assert.deepEqual([removal.statusCode, removal.json().error.code], [409, "conflict"]);
		};
		await site.app.jobs.runDue();
		assert.equal((await site.job(job.job_id)).status, "completed");
		assert.deepEqual(
			seen,
			seen.toSorted((a, b) => a - b),
		);
		assert.ok(new Set(seen).size > 10, `${new Set(seen).size} different percents`);
		assert.ok(Math.max(...seen) < 100);
	});

	test("an export that waits is cancelled: it is gone and never made", async () => {
		await site.addConversions(10_000);
		const { job } = (await create()).json();
		assert.equal((await site.call(`DELETE /exports/${job.job_id}`)).statusCode, 204);
		assert.equal((await site.call(`GET /exports/${job.job_id}`)).statusCode, 404);
		assert.equal((await site.call(`DELETE /exports/${job.job_id}`)).statusCode, 404);
		await site.app.jobs.runDue();
		assert.deepEqual(filesNow(), []);
		assert.deepEqual(told, []);
	});

	test("a completed export is deleted with its file and its link", async () => {
		const job = await site.create({ export_type: "pages" });
		assert.equal(filesNow().length, 1);
		assert.equal((await site.call(`DELETE /exports/${job.job_id}`)).statusCode, 204);
		assert.equal((await site.download(job)).statusCode, 404);
		await site.app.jobs.runDue();
		assert.deepEqual(filesNow(), []);
	});

	test("after 24 hours an export is expired: no link, no file, listed only when asked for, removable", async () => {
		const job = await site.create({ export_type: "pages" });
		site.app.clock.advance(24 * 3_600_000 - 1);
		assert.equal((await site.download(job)).statusCode, 200);
		site.app.clock.advance(1);
		assert.equal((await site.download(job)).statusCode, 404);
		const headers = (await signIn(site.app, { email: "root@example.com", role: "superadmin" })).headers;
		const get = async () => (await site.call(`GET /exports/${job.job_id}`, undefined, { headers })).json();
		const { status, download_url, file_size_bytes } = await get();
		assert.deepEqual([status, download_url, file_size_bytes], ["expired", null, job.file_size_bytes]);
		await site.app.jobs.runDue();
		assert.deepEqual(filesNow(), []);
		const list = async (query: string) =>
			(await site.call(`GET /exports${query}`, undefined, { headers })).json().total;
		assert.deepEqual([await list(""), await list("?include_expired=true")], [0, 1]);
		assert.equal((await site.call(`DELETE /exports/${job.job_id}`, undefined, { headers })).statusCode, 204);
	});

	test("without anybody asking, files go when their links end, and their exports after 30 days", async () => {
		await site.create({ export_type: "pages" });
		await site.app.jobs.runDue();
		site.app.clock.advance(24 * 3_600_000 + 300_000);
		await site.app.jobs.runDue();
		assert.deepEqual(filesNow(), []);
		const kept = () =>
			site.app.metadata.withTables<{ exports: { status: string } }>().selectFrom("exports").select("status").execute();
		assert.deepEqual(await kept(), [{ status: "expired" }]);
		site.app.clock.advance(30 * 86_400_000);
		await site.app.jobs.runDue();
		assert.deepEqual(await kept(), []);
	});

	test("what cannot succeed ends the export as failed, is told once, and leaves no file", async () => {
		beforePiece = async () => {
			throw Object.assign(new Error("at 10.0.0.1: visitor ann@example.com"), { code: "ENOSPC" });
		};
		const job = await site.create({ export_type: "pages" });
		assert.deepEqual(
			[job.status, job.error_message, job.download_url, job.actual_rows],
			["failed", "The file could not be stored", null, null],
		);
		await site.app.jobs.runDue();
		assert.deepEqual(filesNow(), []);
		assert.deepEqual(
			told.map(({ type, siteId, data }) => [type, siteId, data]),
			[
				[
					"export.failed",
					"shop",
					{
						export_id: job.job_id,
						export_type: "pages",
						error_message: "The file could not be stored",
						failed_at: "2026-11-21T12:00:00.000Z",
					},
				],
			],
		);
		assert.doesNotMatch(site.app.logLines.join(""), /ann@example\.com.*visitor|10\.0\.0\.1/);
		assert.equal((await site.call(`DELETE /exports/${job.job_id}`)).statusCode, 204);
	});

	test("in the background a failure that may pass is tried again three times, then the export is failed", async () => {
		await site.addConversions(10_000);
		let attempts = 0;
		beforePiece = async () => {
			attempts++;
			throw new Error("gone");
		};
		const { job } = (await create()).json();
		const after = async (ms: number) => {
			site.app.clock.advance(ms);
			await site.app.jobs.runDue();
			return [attempts, (await site.job(job.job_id)).status];
		};
		assert.deepEqual(await after(0), [1, "generating"]);
		assert.deepEqual(await after(20_000), [2, "generating"]);
		assert.deepEqual(await after(80_000), [3, "generating"]);
		assert.deepEqual(await after(300_000), [4, "failed"]);
		assert.deepEqual(filesNow(), []);
		assert.deepEqual(
			told.map(({ type }) => type),
			["export.failed"],
		);
	});

	test("one that recovers completes with all its rows, and the file of the broken attempt is gone", async () => {
		await site.addConversions(20_000);
		beforePiece = async () => {
			throw new Error("gone");
		};
		const { job } = (await create()).json();
		await site.app.jobs.runDue();
		beforePiece = async () => {};
		site.app.clock.advance(20_000);
		await site.app.jobs.runDue();
		const done = await site.job(job.job_id);
		assert.deepEqual([done.status, done.actual_rows], ["completed", 20_000]);
		assert.equal(filesNow().length, 1);
		assert.deepEqual(
			told.map(({ type }) => type),
			["export.completed"],
		);
	});

	test("an export that is taken over while its first maker still writes is completed once", async () => {
		await site.addConversions(20_000);
		const { job } = (await create()).json();
		let pieces = 0;
		beforePiece = async () => {
			if (pieces++ > 0) return;
			// Another process took it over: it writes to a file of its own.
			await site.app.metadata
				.withTables<{ exports: { file_name: string; job_id: string } }>()
				.updateTable("exports")
				.set({ file_name: "another.csv" })
				.where("job_id", "=", job.job_id)
				.execute();
		};
		await site.app.jobs.runDue();
		assert.equal((await site.job(job.job_id)).status, "generating");
		assert.deepEqual([filesNow(), told], [[], []]);
	});

	test("completion is told with the link, and recorded in the audit log without it", async () => {
		const job = await site.create({ export_type: "pages" });
		await site.app.jobs.runDue();
		assert.deepEqual(
			told.map(({ type, siteId, data }) => [type, siteId, data]),
			[
				[
					"export.completed",
					"shop",
					{
						export_id: job.job_id,
						export_type: "pages",
						row_count: 2,
						file_size_bytes: job.file_size_bytes,
						download_url: job.download_url,
						expires_at: "2026-11-22T12:00:00.000Z",
					},
				],
			],
		);
		const entries = await site.app.metadata
			.withTables<{
				audit_log: { action: string; resource_id: string; site_id: string; details: string; id: number };
			}>()
			.selectFrom("audit_log")
			.select(["resource_id", "site_id", "details"])
			.where("action", "=", "export.created")
			.execute();
		assert.deepEqual(
			entries.map(({ details, ...entry }) => ({ ...entry, details: JSON.parse(details) })),
			[
				{
					resource_id: job.job_id,
					site_id: "shop",
					details: { export_type: "pages", format: "csv", ...days, estimated_rows: 2 },
				},
			],
		);
		const token = /download\/([\w-]{43})/.exec(job.download_url)?.[1] ?? "none";
		const { rows } = await site.app.metadata.transaction().execute(async (trx) => ({
			rows: await trx.withTables<{ exports: object }>().selectFrom("exports").selectAll().execute(),
		}));
		assert.equal(JSON.stringify(rows).includes(token), false, "the token is not in the store");
		assert.equal(site.app.logLines.join("").includes(token), false, "the token is in no log line");
	});

	test("rows over the plan: 429 quota_exceeded, and no job", async () => {
		await plan("growth");
		await site.addConversions(100_000);
		assert.equal((await create()).statusCode, 201);
		await site.app.jobs.runDue();
		await site.addConversions(1, "2026-11-21");
		const refused = await create();
		assert.deepEqual([refused.statusCode, refused.json().error.code], [429, "quota_exceeded"]);
		assert.ok(Number(refused.headers["retry-after"]) > 0);
		assert.equal((await site.call("GET /exports")).json().total, 1);
	});

	test("an export that grows over its plan while it waits fails", async () => {
		await plan("growth");
		await site.addConversions(99_999);
		const { job } = (await create()).json();
		await site.addConversions(2, "2026-11-21");
		await site.app.jobs.runDue();
		const { status, error_message } = await site.job(job.job_id);
		assert.deepEqual([status, error_message], ["failed", "The plan allows exports of 100000 rows"]);
	});

	for (const [tier, places] of [
		["growth", 1],
		["scale", 3],
		["enterprise", 10],
	] as const) {
		test(`${tier}: ${places} at a time over all sites of the organization, however many ask at once`, async () => {
			await plan(tier);
			await site.addConversions(10_000);
			const answers = await Promise.all(Array.from({ length: places + 2 }, () => create()));
			assert.equal(answers.filter(({ statusCode }) => statusCode === 201).length, places);
			for (const refused of answers.filter(({ statusCode }) => statusCode !== 201)) {
				assert.deepEqual([refused.statusCode, refused.json().error.code], [429, "rate_limit_exceeded"]);
				assert.equal(refused.headers["retry-after"], "30");
			}
			const other = await site.call("POST /exports", { export_type: "pages", ...days }, { query: "account_id=empty" });
			assert.equal(other.statusCode, 429);
			await site.app.jobs.runDue();
			assert.equal((await create()).statusCode, 201);
		});
	}

	test("keys make exports and remove their own only; viewers theirs; other tenants see nothing", async () => {
		const key = async (name: string) => {
			const response = await site.app.inject({
				method: "POST",
				url: "/api/v1/api-tokens",
				headers: site.ann.headers,
				payload: { name },
			});
			return { "x-api-key": response.json().data.token as string };
		};
		const [one, two] = [await key("one"), await key("two")];
		const by = async (headers: Readonly<Record<string, string>>) => {
			const response = await site.call("POST /exports", { export_type: "pages", ...days }, { headers });
			assert.equal(response.statusCode, 201, response.body);
			return response.json().job;
		};
		const remove = async (job: { job_id: string }, headers: Readonly<Record<string, string>>) =>
			(await site.call(`DELETE /exports/${job.job_id}`, undefined, { headers })).statusCode;
		const [ofOne, ofAnn] = [await by(one), await by(site.ann.headers)];
		assert.equal(await remove(ofOne, two), 403);
		assert.equal(await remove(ofAnn, one), 403);
		assert.equal(await remove(ofOne, one), 204);
		const bob = await signIn(site.app, { email: "bob@example.com", name: "Bob" });
		await createSite(site.app, bob, { name: "Bobs", domains: ["bob.example"] });
		for (const [route, body] of [
			["GET /exports"],
			[`GET /exports/${ofAnn.job_id}`],
			[`DELETE /exports/${ofAnn.job_id}`],
			["POST /exports", { export_type: "pages", ...days }],
			["POST /exports/stream", { export_type: "pages", ...days }],
		] as const) {
			assert.equal((await site.call(route, body, { headers: bob.headers })).statusCode, 403, route);
			assert.equal((await site.call(route, body, { headers: {} })).statusCode, 401, route);
		}
		const elsewhere = { headers: bob.headers, query: "account_id=bobs" };
		assert.equal((await site.call(`GET /exports/${ofAnn.job_id}`, undefined, elsewhere)).statusCode, 404);
		assert.equal((await site.call(`DELETE /exports/${ofAnn.job_id}`, undefined, elsewhere)).statusCode, 404);
		await site.app.metadata
			.withTables<{ site_members: { site_id: string; user_id: number; role: string; created_at: number } }>()
			.insertInto("site_members")
			.values({ site_id: "shop", user_id: bob.userId, role: "viewer", created_at: 0 })
			.execute();
		assert.equal(await remove(ofAnn, bob.headers), 403, "a viewer does not remove another's");
		const ofBob = await by(bob.headers);
		assert.equal(await remove(ofBob, bob.headers), 204);
		assert.equal(await remove(await by(bob.headers), site.ann.headers), 204, "an owner removes any");
	});

	test("a link with another site, another token or a part of one leads nowhere", async () => {
		const job = await site.create({ export_type: "pages" });
		const { pathname } = new URL(job.download_url);
		const get = async (url: string) => (await site.app.inject({ method: "GET", url })).statusCode;
		assert.equal(await get(`${pathname}?account_id=shop`), 200);
		assert.equal(await get(`${pathname}?account_id=empty`), 404);
		assert.equal(await get(`${pathname}?account_id=nobody`), 404);
		assert.equal(await get(`${pathname.slice(0, -1)}?account_id=shop`), 404);
		assert.equal(await get(`${pathname.slice(0, -43)}${"A".repeat(43)}?account_id=shop`), 404);
		assert.equal(await get(`${pathname.slice(0, -43)}..%2f..%2fsecret.key?account_id=shop`), 404);
	});
});
