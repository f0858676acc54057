import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { appOnBothEngines } from "../../../../../test/support/app-on-both-engines.ts";
import * as oauth from "../../../../../test/support/oauth-flow.ts";
import { registerApp } from "../../../../../test/support/oauth-flow.ts";
import { dropEndedAccess } from "../index.ts";

const DAY = 86_400_000;
const names = ["oauth_clients", "oauth_requests", "oauth_grants", "oauth_codes", "oauth_tokens"] as const;

appOnBothEngines("what is kept of apps", (open) => {
	let scene: oauth.OAuthScene;
	before(async () => {
		scene = await oauth.sceneOn(await open());
	});
	after(() => scene.app.close());

	/** Number of rows of each table. */
	const rows = () =>
		Promise.all(
			names.map(async (name) => {
				const count = sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`;
				return Number((await count.execute(scene.app.metadata)).rows[0]?.n);
			}),
		);
	const later = async (ms: number) => {
		scene.app.clock.advance(ms);
		await dropEndedAccess(scene.app);
		return rows();
	};

	test("requests go when they are over, unused apps after a week, grants a day after their end, their apps after a year", async () => {
		await oauth.pendingRequest(scene, { client_id: await registerApp(scene.app) });
		const used = await oauth.tokensFor(scene);
		await oauth.tokensFor(scene, { scope: "analytics:read" });
		await oauth.postForm(scene.app, "revoke", { token: (await oauth.tokensFor(scene)).refresh_token });
		assert.deepEqual(await rows(), [2, 4, 3, 3, 5]);
		assert.deepEqual(await later(30 * 60_000 - 1), [2, 4, 3, 3, 5]);
		assert.deepEqual(await later(1), [2, 0, 3, 3, 5]);
		// The revoked grant, an hour before the one that had no refresh token.
		assert.deepEqual(await later(DAY - 30 * 60_000), [2, 0, 2, 2, 3]);
		assert.deepEqual(await later(60 * 60_000), [2, 0, 1, 1, 1]);
		assert.deepEqual(await later(6 * DAY - 60 * 60_000 - 1), [2, 0, 1, 1, 1]);
		assert.deepEqual(await later(1), [1, 0, 1, 1, 1]);
		assert.equal((await oauth.refresh(scene, used.refresh_token)).statusCode, 200);
		assert.deepEqual(await later(25 * DAY), [1, 0, 1, 1, 1]);
		assert.deepEqual(await later(6 * DAY - 1), [1, 0, 1, 1, 1]);
		assert.deepEqual(await later(1), [1, 0, 0, 0, 0]);
		assert.deepEqual(await later(327 * DAY - 1), [1, 0, 0, 0, 0]);
		assert.deepEqual(await later(1), [0, 0, 0, 0, 0]);
	});
});
