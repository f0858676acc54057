import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHit, type TestHit } from "../support/hits.ts";
import { mountSkip, smallDisk } from "../support/small-disk.ts";
import { testApp } from "../support/test-app.ts";

test("a hit that could not be stored leaves its visit, its click ids and all counts as they were", {
	skip: mountSkip,
}, async (t) => {
	const disk = smallDisk();
	t.after(disk.remove);
	await using app = await testApp({ dataDir: disk.dataDir });
	const site = await createSite(app, await signIn(app));
	const hit = (visitor: number, path: string, more: Partial<TestHit> = {}) =>
		sendHit(app, { site, url: `https://shop.example${path}`, ip: `203.0.113.${visitor}`, ...more });
	assert.equal(await hit(1, "/one?utm_source=news&utm_medium=email"), 204);
	assert.equal(await hit(1, "/two"), 204);
	assert.equal(await hit(2, "/lone?utm_source=ads&utm_medium=cpc"), 204);

	disk.fill();
	// Free space in the last page of the file.
	let fillers = 0;
	while ((await hit(9, "/f")) === 204) fillers++;
	const lost = [hit(1, "/lost-1"), hit(1, "/lost-2?utm_source=other"), hit(1, "/lost-3"), hit(2, "/lost-4")];
	assert.deepEqual(await Promise.all(lost), [503, 503, 503, 503]);
	assert.equal(await hit(3, "/lost-5?gclid=once"), 503);
	assert.equal((await app.inject({ url: "/readyz" })).json().checks.storage, "failed");
	assert.equal((await app.inject({ url: "/health" })).json().checks.storage.status, "unhealthy");
	disk.free();

	assert.equal(await hit(1, "/three"), 204);
	assert.equal(await hit(1, "/done", { event: "purchase", amount: 99 }), 204);
	assert.equal(await hit(2, "/second"), 204);
	assert.equal(await hit(3, "/landing?gclid=once"), 204);
	assert.equal(await hit(3, "/next"), 204);
	await app.collector?.flush();
	const columns = ["kind", "path", "landing_path", "utm_source", "entrance", "rejoined", "revenue"];
	const rows = await app.eventStore.query<Record<string, unknown>>({
		sql: `SELECT ${columns} FROM events WHERE path != '/f' AND site = {site:String}
			ORDER BY landing_path DESC, kind, entrance DESC, path DESC`,
		params: { site },
	});
	const told = rows.map((row) => columns.map((column) => row[column]).join(" "));
	assert.deepEqual(told, [
		"pageview /one /one news 1 0 0",
		"pageview /two /one news 0 0 0",
		"pageview /three /one news 0 0 0",
		"engaged /one /one news 0 0 0",
		"conversion /done /one news 0 0 99",
		"pageview /lone /lone ads 1 0 0",
		"pageview /second /lone ads 0 0 0",
		"engaged /lone /lone ads 0 0 0",
		"pageview /landing /landing google 1 0 0",
		"pageview /next /landing google 0 0 0",
		"engaged /landing /landing google 0 0 0",
	]);
	assert.equal(app.collector?.rejections.window(site, 1, app.clock.now()).accepted, 8 + fillers);
});
