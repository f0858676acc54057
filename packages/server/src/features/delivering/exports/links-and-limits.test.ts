import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { allowlistClient, OFFICE, OUTSIDE } from "../../../../test/support/allowlist-client.ts";
import { days, exportSite, type Job } from "../../../../test/support/export-site.ts";
import { codeOf } from "../../../../test/support/refusals.ts";
import { BUCKET, startS3Peer } from "../../../../test/support/s3-peer.ts";
import { mountSkip, smallDisk } from "../../../../test/support/small-disk.ts";
import { lendEventStore } from "../../../../test/support/stores-on-shared-engine.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { watchedExports } from "../../../../test/support/watched-exports.ts";
import { withinRoom } from "./run-export.ts";

const at = watchedExports();
const tables = () => at.site.app.metadata.withTables<Tables>();

const createPages = async (headers: Readonly<Record<string, string>> = at.site.ann.headers): Promise<Job> =>
	(await at.site.call("POST /exports", { export_type: "pages", ...days }, { headers })).json().job;
/** What an export's link answers to an address. */
const follow = async (job: Job, remoteAddress = OFFICE) => {
	const response = await at.site.app.inject({ url: job.download_url.replace(/^http:\/\/[^/]+/, ""), remoteAddress });
	return response.statusCode === 200 ? 200 : response.json().error.code;
};

test("a link with another site, another token or a part of one leads nowhere", async () => {
	const { pathname } = new URL((await createPages()).download_url);
	for (const [url, status] of [
		[`${pathname}?account_id=shop`, 200],
		[`${pathname}?account_id=empty`, 404],
		[`${pathname}?account_id=nobody`, 404],
		[`${pathname.slice(0, -1)}?account_id=shop`, 404],
		[`${pathname.slice(0, -43)}${"A".repeat(43)}?account_id=shop`, 404],
		[`${pathname.slice(0, -43)}..%2f..%2fsecret.key?account_id=shop`, 404],
	] as const) {
		assert.equal((await at.site.app.inject({ url })).statusCode, status, url);
	}
});

test("a link opens where the site's IP allowlist admits those who asked for the file, and nowhere else", async () => {
	const { app, ann } = at.site;
	const list = allowlistClient(app, ann, "shop");
	const [ofSession, ofKey] = [await createPages(), await createPages(await list.key(["stats:read"]))];
	const answers = async () => [await follow(ofSession, OUTSIDE), await follow(ofKey, OUTSIDE)];
	assert.deepEqual(await answers(), [200, 200]);
	await list.allow(OFFICE);
	assert.deepEqual([await follow(ofSession), await follow(ofKey)], [200, 200]);
	assert.deepEqual(await answers(), ["forbidden", "forbidden"]);
	const { data } = await list.call("GET /audit?denied_only=true");
	const denied = data.attempts.map((attempt: Record<string, unknown>) => `${attempt.ip_address} ${attempt.auth_type}`);
	assert.deepEqual(denied, [`${OUTSIDE} api_key`, `${OUTSIDE} jwt`]);
	await list.call("PUT /settings", { is_enabled: true, enforce_for_dashboard: false });
	assert.deepEqual(await answers(), [200, "forbidden"]);
	await list.call("PUT /settings", { is_enabled: true, enforce_for_api_tokens: false });
	assert.deepEqual(await answers(), [200, 200]);
	await list.call("PUT /settings", { is_enabled: false });
});

test("a deleted site or organization suspends its links, a site until it is restored, and fails the exports that wait", async () => {
	const job = await createPages();
	const change = (method: "DELETE" | "PATCH", body: object = {}) => at.site.call(`${method} /sites/shop`, body);
	assert.equal((await change("DELETE")).statusCode, 200);
	assert.equal(await follow(job), "not_found");
	at.site.app.clock.advance(1000);
	assert.equal(await follow(await createPages()), 200);
	assert.equal(await follow(job), "not_found");
	assert.equal((await change("PATCH", { is_active: true })).statusCode, 200);
	assert.equal(await follow(job), 200);
	await at.site.addConversions(10_000);
	const { job_id: id } = (await at.askForOrders()).json().job;
	await change("DELETE");
	await at.site.app.jobs.runDue();
	const { status, error_message } = await at.site.job(id);
	assert.deepEqual([status, error_message], ["failed", "The site was deleted"]);
	assert.ok(at.files().every((name) => !name.startsWith(id)));
	await change("PATCH", { is_active: true });
	for (const [is_active, answer] of [
		[0, "not_found"],
		[1, 200],
	] as const) {
		await tables().updateTable("organizations").set({ is_active }).execute();
		assert.equal(await follow(job), answer);
	}
});

test("a link whose file is missing leads nowhere, and the operator is told", async () => {
	const job = await createPages();
	for (const name of at.files()) rmSync(join(at.site.app.config.dataDir, "exports", name));
	assert.equal(await follow(job), "not_found");
	assert.match(at.site.app.logLines.join(""), /The file of an export is missing/);
});

const peer = await startS3Peer();
const site = await exportSite(await testApp({ env: { S3_URL: peer.url(`${BUCKET}/exports`) } }));
after(async () => {
	await site.app.close();
	await peer.close();
});

test("with S3_URL the file of an export lies in the bucket, comes by its link, and goes with the export", async () => {
	const job = await site.create({ export_type: "pages" });
	assert.match(peer.objects().join(), new RegExp(`^exports/${job.job_id}-[0-9a-f]{8}\\.csv$`));
	const file = await site.download(job);
	const found = [file.rawPayload.length, file.headers["content-length"]];
	assert.deepEqual(found, [job.file_size_bytes, String(job.file_size_bytes)]);
	await site.call(`DELETE /exports/${job.job_id}`);
	await site.app.jobs.runDue();
	assert.deepEqual([peer.objects(), peer.uploads()], [[], []]);
});

test("an export that the bucket refuses is failed without a word of why; the log names the answer and no part of the key", async () => {
	peer.fault = () => 403;
	const job = await site.create({ export_type: "pages" });
	assert.deepEqual([job.status, job.error_message], ["failed", "The file could not be stored"]);
	const log = site.app.logLines.join("");
	assert.match(log, /"code":"http_403"/);
	assert.doesNotMatch(log, /PEER|with%signs|with%25signs/);
});

test("10,000 rows on the plan free, 100,000 on growth, a million on scale: one more answers 429 quota_exceeded and makes no job", async () => {
	let stored = 0;
	for (const [tier, rows, day] of [
		["free", 10_000, "2026-11-19"],
		["growth", 100_000, "2026-11-20"],
		["scale", 1_000_000, "2026-11-21"],
	] as const) {
		await at.plan(tier);
		await at.site.addConversions(rows - stored);
		const { job_id } = (await at.askForOrders()).json().job;
		await at.site.addConversions(1, day);
		stored = rows + 1;
		const refused = await at.askForOrders();
		assert.deepEqual(codeOf(refused), [429, "quota_exceeded"], tier);
		assert.ok(Number(refused.headers["retry-after"]) > 0);
		assert.equal((await at.site.call("GET /exports")).json().total, 1);
		await at.site.call(`DELETE /exports/${job_id}`);
		await at.plan("enterprise");
		const larger = (await at.askForOrders()).json().job;
		assert.equal(larger.estimated_rows, stored);
		await at.site.call(`DELETE /exports/${larger.job_id}`);
	}
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

/** A line for each day of a year. */
const year = { export_type: "time_series", format: "csv", date_from: "2025-11-22", date_to: "2026-11-21" };
const asked = async () => {
	const answer = await at.site.call("POST /exports", year);
	return answer.statusCode === 201 ? [201] : [...codeOf(answer), answer.headers["retry-after"]];
};

test("files of all sites are bounded to the byte, those of one at a quarter; what is deleted makes room", async () => {
	const most = at.site.app.config.exportMaxBytes;
	const { estimated_size_bytes: size } = (await at.site.call("POST /exports/estimate", year)).json();
	const { job_id } = await at.site.create(year);
	const holds = (site_id: string, file_size_bytes: number) =>
		tables().updateTable("exports").set({ site_id, file_size_bytes }).where("job_id", "=", job_id).execute();
	await holds("empty", most - size + 1);
	assert.deepEqual(await asked(), [503, "service_unavailable", "3600"]);
	await holds("shop", most / 4 - size + 1);
	assert.deepEqual(await asked(), [429, "quota_exceeded", "3600"]);
	await holds("shop", most / 4 - size);
	assert.deepEqual(await asked(), [201]);
	assert.deepEqual(await asked(), [429, "quota_exceeded", "3600"]);
	await at.site.call(`DELETE /exports/${job_id}`);
	assert.deepEqual(await asked(), [201]);
});

test("a site keeps at most 200 files, however small, until their links end", async () => {
	await at.site.create(year);
	const { id: _, ...row } = await tables().selectFrom("exports").selectAll().executeTakeFirstOrThrow();
	const copies = Array.from({ length: 198 }, (_, at) => ({ ...row, job_id: `copy-${at}`, download_token_hash: null }));
	await tables().insertInto("exports").values(copies).execute();
	assert.deepEqual(await asked(), [201]);
	const over = await at.site.call("POST /exports", year);
	assert.deepEqual(codeOf(over), [429, "quota_exceeded"]);
	assert.match(over.json().error.message, /has reached its number of export files/);
	const other = await at.site.call("POST /exports", year, { query: "account_id=empty" });
	assert.equal(other.statusCode, 201);
});

test("a nearly full disk takes no more files, and takes them again when there is room", {
	skip: mountSkip,
}, async () => {
	const disk = smallDisk("exports");
	const events = await lendEventStore();
	const app = await testApp({ dataDir: disk.dataDir, events });
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
		await events.giveBack();
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
