import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHit, type TestHit } from "../support/hits.ts";
import { mountSkip, smallDisk } from "../support/small-disk.ts";
import { testApp } from "../support/test-app.ts";

test("a hit that could not be stored leaves its visit, its click ids and all counts as they were", {
	skip: mountSkip,
}, async () => {
	const disk = smallDisk();
	const app = await testApp({ dataDir: disk.dataDir });
	try {
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
		const rows = await app.eventStore.query<Record<string, unknown>>({
			sql: `SELECT kind, path, landing_path, utm_source, entrance, rejoined, revenue FROM events
				WHERE path != '/f' AND site = {site:String} ORDER BY landing_path DESC, kind, entrance DESC, path DESC`,
			params: { site },
		});
		const visit = (landing_path: string, utm_source: string) => (kind: string, path: string, entrance: number) => ({
			kind,
			path,
			landing_path,
			utm_source,
			entrance,
			rejoined: 0,
			revenue: kind === "conversion" ? 99 : 0,
		});
		const [first, second, third] = [visit("/one", "news"), visit("/lone", "ads"), visit("/landing", "google")];
		assert.deepEqual(rows, [
			first("pageview", "/one", 1),
			first("pageview", "/two", 0),
			first("pageview", "/three", 0),
			first("engaged", "/one", 0),
			first("conversion", "/done", 0),
			second("pageview", "/lone", 1),
			second("pageview", "/second", 0),
			second("engaged", "/lone", 0),
			third("pageview", "/landing", 1),
			third("pageview", "/next", 0),
			third("engaged", "/landing", 0),
		]);
		assert.equal(app.collector?.rejections.window(site, 1, app.clock.now()).accepted, 8 + fillers);
	} finally {
		await app.close();
		disk.remove();
	}
});
