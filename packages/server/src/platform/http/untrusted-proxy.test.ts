import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type TestApp, testApp } from "../../../test/support/test-app.ts";

const untrusted = /A proxy passes requests on and is not trusted/;
const proxied = { "x-forwarded-for": "203.0.113.5" };

async function trusting(t: TestContext, proxies: string): Promise<TestApp> {
	const app = await testApp({ env: { TRUST_PROXY: proxies } });
	t.after(() => app.close());
	return app;
}
const warningsOf = (app: TestApp) => app.logLines.filter((line) => untrusted.test(line));

for (const [path, method] of [
	["/livez", "GET"],
	["/event", "POST"],
] as const) {
	test(`a proxy that passes ${path} on and is not trusted is warned of once, without an address`, async (t) => {
		const app = await trusting(t, "false");
		const address = await app.address();
		await fetch(address + path, { method });
		assert.deepEqual(warningsOf(app), []);
		for (let i = 0; i < 3; i++) {
			const answer = await fetch(address + path, { method, headers: { ...proxied, "x-forwarded-proto": "https" } });
			// It cannot say that the request came by HTTPS.
			assert.equal(answer.headers.get("strict-transport-security"), null);
		}
		const [line = "", ...more] = warningsOf(app);
		assert.equal(more.length, 0);
		const { level, setting } = JSON.parse(line);
		assert.deepEqual([level, setting], [40, "TRUST_PROXY"]);
		assert.doesNotMatch(line, /203\.0\.113\.5|127\.0\.0\.1/);
	});
}

test("with a list of proxies a forgotten one is warned of, a trusted one and a stranger are not", async (t) => {
	const app = await trusting(t, "10.0.0.1");
	const ask = (remoteAddress: string) => app.inject({ method: "GET", url: "/livez", headers: proxied, remoteAddress });
	await ask("10.0.0.1");
	await ask("198.51.100.9");
	assert.equal(warningsOf(app).length, 0);
	await ask("10.0.0.2");
	assert.equal(warningsOf(app).length, 1);
});
