import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
	ask,
	codeOf,
	decide,
	exchange,
	type OAuthScene,
	oauthScene,
	pendingRequest,
	postForm,
	publicUrl,
	refresh,
	refusal,
	tokensFor,
	tokensIn,
} from "../support/oauth-flow.ts";
import { testApp } from "../support/test-app.ts";
import { postgresSkip, testSchema } from "../support/test-schema.ts";

for (const engine of ["SQLite", "PostgreSQL"] as const) {
	describe(`refresh tokens (${engine})`, { skip: engine === "PostgreSQL" && postgresSkip }, () => {
		let scene: OAuthScene;
		before(async () => {
			scene = await oauthScene({ onPostgres: engine === "PostgreSQL" });
		});
		after(() => scene.app.close());

		test("each use gives new tokens; the old refresh token ends the whole grant when it comes again", async () => {
			const first = await tokensFor(scene);
			const second = tokensIn(await refresh(scene, first.refresh_token));
			assert.notEqual(second.refresh_token, first.refresh_token);
			assert.notEqual(second.access_token, first.access_token);
			assert.equal((await ask(scene, second.access_token)).statusCode, 200);
			scene.app.clock.advance(10_001);
			assert.deepEqual(refusal(await refresh(scene, first.refresh_token)), [400, "invalid_grant"]);
			assert.equal((await ask(scene, second.access_token)).statusCode, 401);
			assert.deepEqual(refusal(await refresh(scene, second.refresh_token)), [400, "invalid_grant"]);
		});

		test("a refresh token of two rotations ago ends the whole grant too", async () => {
			const first = await tokensFor(scene);
			const second = tokensIn(await refresh(scene, first.refresh_token));
			const third = tokensIn(await refresh(scene, second.refresh_token));
			scene.app.clock.advance(10_001);
			assert.deepEqual(refusal(await refresh(scene, first.refresh_token)), [400, "invalid_grant"]);
			assert.equal((await ask(scene, third.access_token)).statusCode, 401);
		});

		test("of several refreshes at once one wins; the others get nothing, and the app stays connected", async () => {
			const { refresh_token: token } = await tokensFor(scene);
			const responses = await Promise.all(Array.from({ length: 10 }, () => refresh(scene, token)));
			const [won, ...more] = responses.filter(({ statusCode }) => statusCode === 200);
			assert.ok(won);
			assert.equal(more.length, 0);
			for (const response of responses) {
				if (response === won) continue;
				assert.deepEqual(refusal(response), [400, "invalid_grant"]);
				assert.deepEqual(Object.keys(response.json()).sort(), ["error", "error_description"]);
			}
			const tokens = tokensIn(won);
			assert.equal((await ask(scene, tokens.access_token)).statusCode, 200);
			tokensIn(await refresh(scene, tokens.refresh_token));
		});

		test("a refresh token that comes again within ten seconds gets nothing and ends nothing, and a moment later all", async () => {
			const { refresh_token: token } = await tokensFor(scene);
			const { access_token: access, refresh_token: next } = tokensIn(await refresh(scene, token));
			for (const ms of [0, 5000, 5000]) {
				scene.app.clock.advance(ms);
				assert.deepEqual(refusal(await refresh(scene, token)), [400, "invalid_grant"]);
				assert.equal((await ask(scene, access)).statusCode, 200);
			}
			scene.app.clock.advance(1);
			assert.deepEqual(refusal(await refresh(scene, token)), [400, "invalid_grant"]);
			assert.equal((await ask(scene, access)).statusCode, 401);
			assert.deepEqual(refusal(await refresh(scene, next)), [400, "invalid_grant"]);
		});

		test("a refresh and a revocation at once leave nothing alive", async () => {
			const tokens = await tokensFor(scene);
			const [refreshed, revoked] = await Promise.all([
				refresh(scene, tokens.refresh_token),
				postForm(scene.app, "revoke", { token: tokens.refresh_token }),
			]);
			assert.equal(revoked.statusCode, 200);
			assert.equal((await ask(scene, tokens.access_token)).statusCode, 401);
			if (refreshed.statusCode !== 200) return;
			assert.equal((await ask(scene, tokensIn(refreshed).access_token)).statusCode, 401);
		});

		test("a code is exchanged once, even by several at a time, and then ends what it gave", async () => {
			const code = await codeOf(scene);
			const responses = await Promise.all(Array.from({ length: 4 }, () => exchange(scene, code)));
			const [won, ...more] = responses.filter(({ statusCode }) => statusCode === 200);
			assert.ok(won);
			assert.equal(more.length, 0);
			assert.equal((await ask(scene, tokensIn(won).access_token)).statusCode, 401);
		});

		test("a request is decided once, even by several at a time", async () => {
			const id = await pendingRequest(scene);
			const bodies = [{ decision: "approve", site_id: scene.site }, { decision: "deny" }];
			const responses = await Promise.all([...bodies, ...bodies].map((body) => decide(scene, id, { body })));
			assert.deepEqual(responses.map(({ statusCode }) => statusCode).sort(), [200, 404, 404, 404]);
		});
	});
}

test("two processes that get the same refresh token at once leave the app connected", {
	skip: postgresSkip,
}, async () => {
	const schema = await testSchema();
	const env = { DATABASE_URL: schema.url, SECRET_KEY: "a secret that both processes of the test share" };
	const scene = await oauthScene({ env });
	const other = await testApp({ env: { ...env, PUBLIC_URL: publicUrl } });
	const second = { ...scene, app: other };
	const { refresh_token: token } = await tokensFor(scene);
	const answers = await Promise.all([refresh(scene, token), refresh(second, token)]);
	assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 400]);
	const [won = assert.fail("None got tokens")] = answers.filter(({ statusCode }) => statusCode === 200);
	assert.deepEqual(refusal(await refresh(second, token)), [400, "invalid_grant"]);
	for (const at of [scene, second]) assert.equal((await ask(at, tokensIn(won).access_token)).statusCode, 200);
	await Promise.all([scene.app.close(), other.close()]);
	await schema.drop();
});
