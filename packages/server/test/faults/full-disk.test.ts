import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHit } from "../support/hits.ts";
import { mountSmallDisk } from "../support/small-disk.ts";
import { testApp } from "../support/test-app.ts";

test("a hit that a full disk cannot keep is answered 503, and hits are taken again when there is room", async (t) => {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-full-disk-"));
	const spool = join(dataDir, "spool");
	mkdirSync(spool);
	const disk = mountSmallDisk(spool);
	if (disk === undefined) {
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
		disk.fill();
		assert.equal(await hit("lost"), 503);
		disk.free();
		assert.equal(await hit("after"), 204);
		await app.collector?.flush();
		const rows = await app.eventStore.query({ sql: "SELECT event_type FROM events ORDER BY ts" });
		assert.deepEqual(rows, [{ event_type: "before" }, { event_type: "after" }]);
	} finally {
		await app.close();
		disk.unmount();
		rmSync(dataDir, { recursive: true });
	}
});

test("a spool that holds all it may is answered 503 with the time to come back", async () => {
	const app = await testApp({ env: { SPOOL_MAX_BYTES: "1" } });
	const site = await createSite(app, await signIn(app));
	assert.equal(await sendHit(app, { site, url: "https://shop.example/" }), 204);
	const response = await fetch(`${await app.address()}/event`, { method: "POST", body: "{}" });
	assert.equal(response.status, 503);
	assert.equal(response.headers.get("retry-after"), "5");
	assert.equal(response.headers.get("access-control-allow-origin"), "*");
	await app.close();
});
