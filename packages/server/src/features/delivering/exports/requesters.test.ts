import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { days } from "../../../../test/support/export-site.ts";
import { exportsOnBothEngines } from "../../../../test/support/exports-on-both-engines.ts";
import { giveSiteRole } from "../../../../test/support/site-roles.ts";

exportsOnBothEngines("who makes and removes exports", (at) => {
	test("keys make exports and remove their own only; viewers theirs; other tenants see nothing", async () => {
		const key = async (name: string) => {
			const response = await at.site.app.inject({
				method: "POST",
				url: "/api/v1/api-tokens",
				headers: at.site.ann.headers,
				payload: { name },
			});
			return { "x-api-key": response.json().data.token as string };
		};
		const [one, two] = [await key("one"), await key("two")];
		const by = async (headers: Readonly<Record<string, string>>) => {
			const response = await at.site.call("POST /exports", { export_type: "pages", ...days }, { headers });
			assert.equal(response.statusCode, 201, response.body);
			return response.json().job;
		};
		const remove = async (job: { job_id: string }, headers: Readonly<Record<string, string>>) =>
			(await at.site.call(`DELETE /exports/${job.job_id}`, undefined, { headers })).statusCode;
		const [ofOne, ofAnn] = [await by(one), await by(at.site.ann.headers)];
		assert.equal(await remove(ofOne, two), 403);
		assert.equal(await remove(ofAnn, one), 403);
		assert.equal(await remove(ofOne, one), 204);
		const bob = await signIn(at.site.app, { email: "bob@example.com", name: "Bob" });
		await createSite(at.site.app, bob, { name: "Bobs", domains: ["bob.example"] });
		for (const [route, body] of [
			["GET /exports"],
			[`GET /exports/${ofAnn.job_id}`],
			[`DELETE /exports/${ofAnn.job_id}`],
			["POST /exports", { export_type: "pages", ...days }],
			["POST /exports/stream", { export_type: "pages", ...days }],
		] as const) {
			assert.equal((await at.site.call(route, body, { headers: bob.headers })).statusCode, 403, route);
			assert.equal((await at.site.call(route, body, { headers: {} })).statusCode, 401, route);
		}
		const elsewhere = { headers: bob.headers, query: "account_id=bobs" };
		assert.equal((await at.site.call(`GET /exports/${ofAnn.job_id}`, undefined, elsewhere)).statusCode, 404);
		assert.equal((await at.site.call(`DELETE /exports/${ofAnn.job_id}`, undefined, elsewhere)).statusCode, 404);
		await giveSiteRole(at.site.app, "shop", bob.userId, "viewer");
		assert.equal(await remove(ofAnn, bob.headers), 403, "a viewer does not remove another's");
		const ofBob = await by(bob.headers);
		assert.equal(await remove(ofBob, bob.headers), 204);
		assert.equal(await remove(await by(bob.headers), at.site.ann.headers), 204, "an owner removes any");
	});
});
