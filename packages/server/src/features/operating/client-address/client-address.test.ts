import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signIn } from "../../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
before(async () => {
	app = await testApp();
});
after(() => app.close());

test("a signed-in caller learns the address that the proxy saw", async () => {
	const { headers } = await signIn(app);
	const url = "/api/v1/utils/my-ip";
	const answer = await app.inject({ method: "GET", url, headers: { ...headers, "x-forwarded-for": "203.0.113.9" } });
	assert.deepEqual(answer.json().data, { ip: "203.0.113.9" });
	assert.equal((await app.inject({ method: "GET", url })).statusCode, 401);
	assert.ok(!app.logLines.join("").includes("203.0.113.9"));
});
