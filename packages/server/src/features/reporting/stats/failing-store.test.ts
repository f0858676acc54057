import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { batchReports } from "../../../../test/support/batch-routes.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";

let app: TestApp;
let ann: Session;
let isFailing = false;

before(async () => {
	app = await testApp({
		env: { REPORT_CACHE_BYTES: "0" },
		wrapEventStore: (store) => ({
			...store,
			query: (query) =>
				isFailing ? Promise.reject(new ServiceError("database_unavailable", { retryAfter: 5 })) : store.query(query),
		}),
	});
	ann = await signIn(app);
	await createSite(app, ann);
	isFailing = true;
});
after(() => app.close());

// A promise that is left behind and rejects would end the process, and here the test.
test("a report whose question fails is an error of that request alone, whichever report it is", async () => {
	for (const path of batchReports) {
		const url = `/api/v1${path.replace("{type}", "signup")}?site_id=shop&property_key=plan&compare=previous`;
		const answer = await app.inject({ url, headers: ann.headers });
		assert.deepEqual([answer.statusCode, answer.json().error.code], [503, "database_unavailable"], path);
	}
	isFailing = false;
	const well = await app.inject({ url: "/api/v1/stats/pages?site_id=shop", headers: ann.headers });
	assert.equal(well.statusCode, 200);
});
