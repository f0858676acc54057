import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { testApp } from "../../../../test/support/test-app.ts";

test("a user sends 30 tests of alerts an hour; asking what a rule measures is not counted among them", async (t) => {
	const app = await testApp({ env: { RATE_LIMIT_ENABLED: "true" } });
	t.after(() => app.close());
	const ann = await signIn(app);
	await createSite(app, ann);
	const post = (path: string, payload: object) =>
		app.inject({ method: "POST", url: `/api/v1/alerts/rules${path}?account_id=shop`, headers: ann.headers, payload });
	const { id } = (await post("", { name: "Watch", notify_email: false })).json();
	const statusOf = async (sends: boolean) => (await post(`/${id}/test`, { send_notification: sends })).statusCode;
	for (let times = 0; times < 31; times++) assert.equal(await statusOf(false), 200);
	for (let times = 0; times < 30; times++) assert.equal(await statusOf(true), 200);
	assert.equal(await statusOf(true), 429);
	assert.equal(await statusOf(false), 200);
});
