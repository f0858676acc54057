import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { sendHit } from "../../../../test/support/hits.ts";
import { liveHeap } from "../../../../test/support/live-heap.ts";
import { testApp } from "../../../../test/support/test-app.ts";

const MB = 1024 * 1024;

test("a client that sends ever new visitors with long addresses takes no more memory than visits may", async () => {
	await using app = await testApp({ env: { SESSION_MEMORY: "2MB" } });
	const site = await createSite(app, await signIn(app));
	const send = (visitor: number) =>
		sendHit(app, {
			site,
			url: `https://shop.example/${String(visitor).padEnd(40, "x")}?long=${"y".repeat(13_000)}`,
			ip: `198.51.${visitor >> 8}.${visitor & 255}`,
		});
	const sendAll = async (from: number, to: number) => {
		for (let first = from; first < to; first += 50) {
			const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => send(first + index)));
			assert.deepEqual(new Set(answers), new Set([204]));
		}
		await app.collector?.flush();
	};
	await sendAll(0, 500);
	const before = liveHeap();
	await sendAll(500, 3000);
	const grown = liveHeap() - before;
	assert.ok(grown < 8 * MB, `${grown} bytes for 33 MB of addresses`);
});
