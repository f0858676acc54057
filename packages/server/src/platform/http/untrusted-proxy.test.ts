import assert from "node:assert/strict";
import { test } from "node:test";
import { testApp } from "../../../test/support/test-app.ts";

const untrusted = /A proxy passes requests on and is not trusted/;
const proxied = { "x-forwarded-for": "203.0.113.5" };

test("a proxy that is not trusted is warned of once, whether it passes hits or other requests, without an address", async () => {
	for (const path of ["/livez", "/event"]) {
		await using app = await testApp({ env: { TRUST_PROXY: "false" } });
		const address = await app.address();
		const method = path === "/event" ? "POST" : "GET";
		await fetch(address + path, { method });
		assert.deepEqual(
			app.logLines.filter((line) => untrusted.test(line)),
			[],
		);
		for (let i = 0; i < 3; i++) await fetch(address + path, { method, headers: proxied });
		const [line = "", ...more] = app.logLines.filter((text) => untrusted.test(text));
		assert.equal(more.length, 0);
		const { level, setting } = JSON.parse(line);
		assert.deepEqual([level, setting], [40, "TRUST_PROXY"]);
		assert.doesNotMatch(line, /203\.0\.113\.5|127\.0\.0\.1/);
	}
});

test("with a list of proxies a forgotten one is warned of, a trusted one and a stranger are not", async () => {
	await using app = await testApp({ env: { TRUST_PROXY: "10.0.0.1" } });
	const ask = (remoteAddress: string) => app.inject({ method: "GET", url: "/livez", headers: proxied, remoteAddress });
	const warnings = () => app.logLines.filter((line) => untrusted.test(line)).length;
	await ask("10.0.0.1");
	await ask("198.51.100.9");
	assert.equal(warnings(), 0);
	await ask("10.0.0.2");
	assert.equal(warnings(), 1);
});
