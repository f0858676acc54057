import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { promisedRoutes } from "../support/promised-routes.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

let app: TestApp;
let address: string;
before(async () => {
	app = await testApp({ env: { RATE_LIMIT_ENABLED: "false" } });
	address = await app.address();
});
after(() => app.close());

/** What a stranger is answered, without credential and body: enough to tell a route from an address that nobody serves. */
async function knock(route: string): Promise<{ status: number; message: string | undefined }> {
	const [method = "", path = ""] = route.split(" ");
	const url = `${address}${path.replaceAll(/\{\w+\}/g, "1")}`;
	const answer = await fetch(url, { method, redirect: "manual", signal: AbortSignal.timeout(10_000) });
	const text = await answer.text();
	const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
	return { status: answer.status, message: isJson && text !== "" ? JSON.parse(text).error?.message : undefined };
}

test("every route of the contract is served", async () => {
	const nobody = await knock("GET /api/v1/nothing-is-here");
	assert.equal(nobody.status, 404);
	const missing: string[] = [];
	for (const route of promisedRoutes) {
		const { status, message } = await knock(route);
		const isUnknown = status === 404 && (message === nobody.message || message === undefined);
		if (isUnknown || status === 405 || (status >= 500 && status !== 503)) missing.push(`${status} ${route}`);
	}
	assert.deepEqual(missing, []);
});
