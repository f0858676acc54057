import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../../../../../test/support/accounts.ts";
import { testApp } from "../../../../../test/support/test-app.ts";

test("a site has 30 tests in ten minutes and 30 replays of many in an hour, whatever its plan; others have theirs", async () => {
	const unknown = Object.assign(new Error("No such name"), { code: "ENOTFOUND" });
	const app = await testApp({
		env: { RATE_LIMIT_ENABLED: "true" },
		outbound: { resolveName: (_name, _options, done) => done(unknown, []) },
	});
	try {
		const ann = await signIn(app);
		for (const name of ["Shop", "Second"]) await createSite(app, ann, { name, domains: [] });
		const post = (path: string, site: string, payload: object = {}) =>
			app.inject({ method: "POST", url: `/api/v1${path}?account_id=${site}`, headers: ann.headers, payload });
		const endpoint = async (site: string) => {
			const made = await post("/webhooks", site, {
				name: "Hook",
				url: "https://hooks.example/",
				event_types: ["goal.reached"],
			});
			assert.equal(made.statusCode, 201, made.body);
			return (made.json().data ?? made.json()).id as string;
		};
		const [first, other, second] = [await endpoint("shop"), await endpoint("shop"), await endpoint("second")];
		for (let times = 0; times < 30; times++) {
			assert.equal((await post(`/webhooks/${times % 2 === 0 ? first : other}/test`, "shop")).statusCode, 200);
		}
		const over = await post(`/webhooks/${first}/test`, "shop");
		assert.deepEqual(
			[over.statusCode, over.json().error.code, over.headers["retry-after"]],
			[429, "rate_limit_exceeded", "600"],
		);
		assert.equal((await post(`/webhooks/${second}/test`, "second")).statusCode, 200);
		const ids = { delivery_ids: ["00000000-0000-4000-8000-000000000000"] };
		for (let times = 0; times < 30; times++) {
			assert.equal((await post("/webhooks/bulk/replay", "shop", ids)).statusCode, 200);
		}
		const replayed = await post("/webhooks/bulk/replay", "shop", ids);
		assert.deepEqual([replayed.statusCode, replayed.headers["retry-after"]], [429, "3600"]);
	} finally {
		await app.close();
	}
});
