import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { sendHit } from "../../../../test/support/hits.ts";
import { testApp } from "../../../../test/support/test-app.ts";

const VISITORS = 600;

test("a client with ever new visitors and long addresses makes the oldest visits end, and the latest go on", async (context) => {
	const app = await testApp({ env: { SESSION_MEMORY: "1MB" } });
	context.after(() => app.close());
	const site = await createSite(app, await signIn(app));
	const send = (visitor: number, path: string, referrer = "") =>
		sendHit(app, { site, url: `https://shop.example${path}`, ip: `198.51.${visitor >> 8}.${visitor & 255}`, referrer });
	// Some three kilobytes of it are kept with the visit, so a megabyte is full long before the last visitor.
	const campaign = ["source", "medium", "campaign", "term", "content"].map((name) => `utm_${name}=${"z".repeat(255)}`);
	const long = (visitor: number) =>
		`/${visitor}${"x".repeat(1000)}?${campaign.join("&")}${visitor}&rest=${"y".repeat(10_000)}`;
	for (let visitor = 0; visitor < VISITORS; visitor += 20) {
		await Promise.all(Array.from({ length: 20 }, (_, index) => send(visitor + index, long(visitor + index))));
	}
	for (const visitor of [0, VISITORS - 1]) await send(visitor, `/next/${visitor}`, "https://shop.example/");
	await app.collector?.flush();
	const rows = await app.eventStore.query({
		sql: "SELECT path, entrance, rejoined FROM events WHERE path LIKE '/next/%' AND kind = 'pageview' ORDER BY path",
	});
	assert.deepEqual(rows, [
		{ path: "/next/0", entrance: 1, rejoined: 1 },
		{ path: "/next/599", entrance: 0, rejoined: 0 },
	]);
});
