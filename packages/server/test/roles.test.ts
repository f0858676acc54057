import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "./support/accounts.ts";
import { testApp } from "./support/test-app.ts";

const asked = ["/livez", "/readyz", "/health", "/metrics", "/t.js?id=nobody", "/api/v1/sites", "/docs", "/"];
const table = [
	{ ROLES: "collect", statuses: [200, 200, 200, 200, 404, 404, 404, 404] },
	{ ROLES: "api", statuses: [200, 200, 200, 200, 404, 401, 200, 200] },
	{ ROLES: "jobs", statuses: [200, 200, 200, 200, 404, 404, 404, 404] },
] as const;

for (const { ROLES, statuses } of table) {
	test(`a process with the role ${ROLES} answers what that serves, and says why it does not serve the rest`, async (t) => {
		const app = await testApp({ env: { ROLES } });
		t.after(() => app.close());
		const answers = await Promise.all(asked.map((url) => app.inject({ url })));
		const found = answers.map(({ statusCode }) => statusCode);
		assert.deepEqual(found, statuses);
		if (ROLES === "collect") {
			assert.equal(answers[4]?.json().error.code, "account_not_found");
			const { headers } = await signIn(app);
			assert.deepEqual((await app.inject({ url: "/api/v1/sites", headers })).json().error, {
				code: "not_found",
				message: "This process has only the roles collect (ROLES): another one serves this address",
			});
			return;
		}
		const refused = await fetch(`${await app.address()}/event`, { method: "POST", body: "{}" });
		assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "5"]);
		assert.equal(refused.headers.get("access-control-allow-origin"), "*");
		const { error } = (await refused.json()) as { error: unknown };
		assert.deepEqual(error, {
			code: "service_unavailable",
			message: "This process does not collect (ROLES): send hits to one that does",
		});
		assert.equal((await fetch(`${await app.address()}/event`)).status, 405);
	});
}
