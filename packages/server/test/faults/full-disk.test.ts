import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHit } from "../support/hits.ts";
import { testApp } from "../support/test-app.ts";

const canMount = process.platform === "linux" && process.getuid?.() === 0;

/** A file system of one megabyte; undefined where the machine does not let us make one. */
function mountSmallDisk(path: string): boolean {
	if (!canMount) return false;
	try {
		execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}

test("a hit that a full disk cannot keep is answered 503, and hits are taken again when there is room", async (t) => {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-full-disk-"));
	const spool = join(dataDir, "spool");
	mkdirSync(spool);
	if (!mountSmallDisk(spool)) {
		rmSync(dataDir, { recursive: true });
		t.skip("mounting a small file system needs root on Linux");
		return;
	}
	const app = await testApp({ dataDir });
	try {
		const site = await createSite(app, await signIn(app));
		const big = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`p${n}`, "x".repeat(400)]));
		const hit = (event: string) => sendHit(app, { site, url: "https://shop.example/", event, properties: big });
		assert.equal(await hit("before"), 204);
		const filler = join(spool, "filler");
		assert.throws(() => writeFileSync(filler, Buffer.alloc(1024 * 1024)));
		assert.equal(await hit("lost"), 503);
		rmSync(filler);
		assert.equal(await hit("after"), 204);
		await app.collector?.flush();
		const rows = await app.eventStore.query({ sql: "SELECT event_type FROM events ORDER BY ts" });
		assert.deepEqual(rows, [{ event_type: "before" }, { event_type: "after" }]);
	} finally {
		await app.close();
		execFileSync("umount", ["-l", spool]);
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
	await app.close();
	rmSync(dataDir, { recursive: true });
});

test("a spool smaller than what hits may need at once is no setting", async () => {
	await assert.rejects(testApp({ env: { SPOOL_MAX_BYTES: "1MB" } }), /SPOOL_MAX_BYTES must be .* at least 64MB/);
});
