import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../support/accounts.ts";
import { testApp } from "../support/test-app.ts";
import { unsteadyServer } from "../support/unsteady-server.ts";

for (const fault of ["goAway", "fallSilent"] as const) {
	test(`a process that counts requests in Redis starts while that is ${fault === "goAway" ? "away" : "silent"}`, async () => {
		const server = await unsteadyServer(1);
		await server[fault]();
		const env = { REDIS_URL: `redis://127.0.0.1:${server.port}`, RATE_LIMIT_ENABLED: "true", ROLES: "api,jobs" };
		const app = await testApp({ env });
		try {
			const { headers } = await signIn(app);
			const response = await app.inject({ url: "/api/v1/sites", headers });
			assert.equal(response.statusCode, 200);
			assert.ok(Number(response.headers["x-ratelimit-remaining"]) > 0);
		} finally {
			await app.close();
			await server.close();
		}
	});
}
