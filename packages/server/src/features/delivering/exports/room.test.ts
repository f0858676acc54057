import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { createSite, type Session } from "../../../../test/support/accounts.ts";
import { filesBelow } from "../../../../test/support/export-files.ts";
import { exportSite } from "../../../../test/support/export-site.ts";
import { mountSkip, smallDisk } from "../../../../test/support/small-disk.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { withinRoom } from "./within-room.ts";

/** A line for each day of a year. */
const year = { export_type: "time_series", format: "csv", date_from: "2025-11-22", date_to: "2026-11-21" };

const ask = (app: TestApp, { headers }: Session, site: string) =>
	app.inject({ method: "POST", url: `/api/v1/exports?account_id=${site}`, headers, payload: year });

const bytesBelow = (dataDir: string) =>
	filesBelow(dataDir).reduce((sum, name) => sum + statSync(join(dataDir, "exports", name)).size, 0);

test("files of a site and of all sites are bounded, and what is deleted makes room", async (t) => {
	const max = 400_000;
	const app = await testApp({ env: { EXPORT_MAX_BYTES: String(max) } });
	t.after(() => app.close());
	const { ann } = await exportSite(app);
	const refusals: [string, number, string, string | undefined][] = [];
	const made: string[] = [];
	let last = "";
	for (let at = 0; at < 12 && refusals.at(-1)?.[2] !== "service_unavailable"; at++) {
		const site = await createSite(app, ann, { name: `Site ${at}`, domains: [`site-${at}.example`] });
		for (let answer = await ask(app, ann, site); ; answer = await ask(app, ann, site)) {
			if (answer.statusCode === 201) {
				made.push(answer.json().job.job_id);
				last = site;
				continue;
			}
			const retryAfter = answer.headers["retry-after"];
			refusals.push([site, answer.statusCode, answer.json().error.code, String(retryAfter)]);
			break;
		}
	}
	assert.deepEqual(refusals[0], ["site-0", 429, "quota_exceeded", "3600"]);
	assert.deepEqual(refusals.at(-1)?.slice(1), [503, "service_unavailable", "3600"]);
	assert.ok(bytesBelow(app.config.dataDir) <= max, String(bytesBelow(app.config.dataDir)));
	assert.ok(made.length > 4, String(made.length));
	const url = `/api/v1/exports/${made.at(-1)}?account_id=${last}`;
	assert.equal((await app.inject({ method: "DELETE", url, headers: ann.headers })).statusCode, 204);
	assert.equal((await ask(app, ann, last)).statusCode, 201);
});

test("a site keeps at most 200 files, however small, until their links end", async (t) => {
	const app = await testApp();
	t.after(() => app.close());
	const { ann, call } = await exportSite(app);
	const made = await call("POST /exports", year);
	assert.equal(made.statusCode, 201, made.body);
	const {
		id: _,
		job_id: __,
		...row
	} = await app.metadata.withTables<Tables>().selectFrom("exports").selectAll().executeTakeFirstOrThrow();
	const copies = Array.from({ length: 198 }, (_, at) => ({ ...row, job_id: `copy-${at}`, download_token_hash: null }));
	await app.metadata.withTables<Tables>().insertInto("exports").values(copies).execute();
	assert.equal((await call("POST /exports", year)).statusCode, 201);
	const over = await call("POST /exports", year);
	assert.deepEqual(
		[over.statusCode, over.json().error],
		[
			429,
			{
				code: "quota_exceeded",
				message: "The site keeps as many export files as it may. Delete some, or wait until their links end",
			},
		],
	);
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
		assert.deepEqual(
			[refused.statusCode, refused.headers["retry-after"], refused.json().error],
			[503, "3600", { code: "service_unavailable", message: "The server has too little disk space for export files" }],
		);
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
