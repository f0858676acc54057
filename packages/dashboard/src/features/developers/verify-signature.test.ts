import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { verifySignature } from "./verify-signature.ts";

test("the sample tells a signed request from a forged one, and from an old one", async () => {
	const { isAuthentic } = await import(`data:text/javascript,${encodeURIComponent(verifySignature)}`);
	const body = '{"event":"goal.reached"}';
	const headersAt = (seconds: number) => ({
		"x-service-timestamp": String(seconds),
		"x-service-signature": `sha256=${createHmac("sha256", "whsec_x").update(`${seconds}.${body}`).digest("hex")}`,
	});
	const now = Math.floor(Date.now() / 1000);
	assert.equal(isAuthentic("whsec_x", headersAt(now), body), true);
	assert.equal(isAuthentic("whsec_y", headersAt(now), body), false);
	assert.equal(isAuthentic("whsec_x", headersAt(now), `${body} `), false);
	assert.equal(isAuthentic("whsec_x", headersAt(now - 400), body), false);
	assert.equal(isAuthentic("whsec_x", {}, body), false);
});
