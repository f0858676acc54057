import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHit } from "../support/hits.ts";
import { testApp } from "../support/test-app.ts";
import { unsteadyServer } from "../support/unsteady-server.ts";

for (const fault of ["goAway", "fallSilent"] as const) {
	test(`a process that counts requests in Redis starts while that is ${fault === "goAway" ? "away" : "silent"}`, async (t) => {
		const server = await unsteadyServer(1);
		t.after(server.close);
		await server[fault]();
		const env = { REDIS_URL: `redis://127.0.0.1:${server.port}`, RATE_LIMIT_ENABLED: "true", ROLES: "api,jobs" };
		await using app = await testApp({ env });
		const { headers } = await signIn(app);
		const response = await app.inject({ url: "/api/v1/sites", headers });
		assert.equal(response.statusCode, 200);
		assert.ok(Number(response.headers["x-ratelimit-remaining"]) > 0);
	});
}

test("a collector that starts while Redis is away books hits alone, and health says how many", async () => {
	// Nothing listens there.
	await using app = await testApp({ env: { REDIS_URL: "redis://127.0.0.1:1" } });
	const site = await createSite(app, await signIn(app));
	assert.equal(await sendHit(app, { site, url: "https://shop.example/" }), 204);
	const { status, checks } = (await app.inject({ url: "/health" })).json();
	assert.deepEqual([status, checks.queue.status], ["degraded", "unhealthy"]);
	assert.equal(checks.queue.message, "Redis does not answer; hits booked without it since the start: 1");
	assert.equal((await app.inject({ url: "/readyz" })).statusCode, 200);
});
