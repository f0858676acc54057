// Real time, as a spool looks for itself whether its disk can be written again.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHit } from "../support/hits.ts";
import { mountSkip, mountSmallDisk, smallDisk } from "../support/small-disk.ts";
import { testApp } from "../support/test-app.ts";
import { until } from "../support/until.ts";

test("a hit that a full disk cannot keep is answered 503, and hits are taken again when there is room", {
	skip: mountSkip,
}, async () => {
	const disk = smallDisk();
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

test("on a disk that is read-only a service starts, refuses hits and is not ready; all goes on when it can be written", {
	skip: mountSkip,
}, async () => {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-read-only-"));
	const disk = mountSmallDisk(join(dataDir, "spool"), 1);
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
