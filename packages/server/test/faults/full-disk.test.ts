import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHit } from "../support/hits.ts";
import { mountSmallDisk, smallDisk } from "../support/small-disk.ts";
import { testApp } from "../support/test-app.ts";
import { until } from "../support/until.ts";

test("a hit that a full disk cannot keep is answered 503, and hits are taken again when there is room", async (t) => {
	const disk = smallDisk();
	if (disk === undefined) {
		t.skip("mounting a small file system needs root on Linux");
		return;
	}
	const app = await testApp({ dataDir: disk.dataDir });
	try {
		const site = await createSite(app, await signIn(app));
		const big = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`p${n}`, "x".repeat(400)]));
		const hit = (event: string) => sendHit(app, { site, url: "https://shop.example/", event, properties: big });
		assert.equal(await hit("before"), 204);
		disk.fill();
		assert.equal(await hit("lost"), 503);
		const full = await app.inject({ url: "/readyz" });
		assert.deepEqual([full.statusCode, full.json().checks.storage], [503, "failed"]);
		const health = async () => (await app.inject({ url: "/health" })).json();
		const { status, checks } = await health();
		assert.deepEqual([status, checks.storage.status], ["unhealthy", "unhealthy"]);
		// A check that a busy machine does not get to in three seconds says something else.
		await until(async () => (await health()).checks.storage.message === "the disk is nearly full: 0 MiB left");
		disk.free();
		await until(async () => (await app.inject({ url: "/readyz" })).statusCode === 200);
		assert.equal(await hit("after"), 204);
		await app.collector?.flush();
		const rows = await app.eventStore.query({ sql: "SELECT event_type FROM events ORDER BY ts" });
		assert.deepEqual(rows, [{ event_type: "before" }, { event_type: "after" }]);
	} finally {
		await app.close();
		disk.remove();
	}
});

test("on a disk that is read-only a service starts, refuses hits and is not ready; all goes on when it can be written", async (t) => {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-read-only-"));
	const disk = mountSmallDisk(join(dataDir, "spool"), 1);
	if (disk === undefined) {
		rmSync(dataDir, { recursive: true });
		t.skip("mounting a small file system needs root on Linux");
		return;
	}
	disk.setReadOnly(true);
	const app = await testApp({ dataDir });
	try {
		const site = await createSite(app, await signIn(app));
		const ready = async () => (await app.inject({ url: "/readyz" })).statusCode;
		const hit = () => sendHit(app, { site, url: "https://shop.example/" });
		assert.deepEqual([await hit(), await ready()], [503, 503]);
		assert.equal((await app.inject({ url: "/health" })).json().checks.storage.status, "unhealthy");
		disk.setReadOnly(false);
		await until(async () => (await ready()) === 200);
		assert.equal(await hit(), 204);
	} finally {
		await app.close();
		disk.unmount();
		rmSync(dataDir, { recursive: true });
	}
});

test("a spool that holds all it may is answered 503 with the time to come back", async () => {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-full-spool-"));
	const refused = join(dataDir, "spool", "refused");
	mkdirSync(refused, { recursive: true });
	const file = join(refused, "0123456789abcdef-0.damage");
	writeFileSync(file, "");
	truncateSync(file, 64 * 1024 ** 2);
	const app = await testApp({ dataDir, env: { SPOOL_MAX_BYTES: "64MB" } });
	const response = await fetch(`${await app.address()}/event`, { method: "POST", body: "{}" });
	assert.equal(response.status, 503);
	assert.equal(response.headers.get("retry-after"), "5");
	assert.equal(response.headers.get("access-control-allow-origin"), "*");
	assert.equal((await app.inject({ url: "/readyz" })).json().checks.storage, "failed");
	const { checks } = (await app.inject({ url: "/health" })).json();
	assert.equal(checks.storage.message, "hits cannot be kept");
	await app.close();
	rmSync(dataDir, { recursive: true });
});

test("accounts that a full disk cannot keep are answered 503 with a code, and nothing of them stays", async () => {
	const app = await testApp();
	const session = await signIn(app);
	const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(app.metadata);
	await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(app.metadata);
	const create = (name: string) =>
		app.inject({
			method: "POST",
			url: "/api/v1/sites",
			headers: session.headers,
			payload: { name, domains: [`${"long-".repeat(8)}${name}.example`], timezone: "UTC" },
		});
	let refused = await create("site-0");
	for (let n = 1; refused.statusCode === 201; n++) refused = await create(`site-${n}`);
	assert.deepEqual([refused.statusCode, refused.json().error.code], [503, "database_unavailable"]);
	await sql`pragma max_page_count = 1000000`.execute(app.metadata);
	assert.equal((await create("after")).statusCode, 201);
	await app.close();
});

test("a spool smaller than what hits may need at once is no setting", async () => {
	await assert.rejects(testApp({ env: { SPOOL_MAX_BYTES: "1MB" } }), /SPOOL_MAX_BYTES must be .* at least 64MB/);
});
