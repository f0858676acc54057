import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
	ask,
	codeOf,
	decide,
	exchange,
	type OAuthScene,
	oauthScene,
	pendingRequest,
	postForm,
	refresh,
	refusal,
	tokensFor,
	tokensIn,
} from "../support/oauth-flow.ts";
import { postgresSkip } from "../support/test-schema.ts";

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
			assert.deepEqual(refusal(await refresh(scene, first.refresh_token)), [400, "invalid_grant"]);
			assert.equal((await ask(scene, second.access_token)).statusCode, 401);
			assert.deepEqual(refusal(await refresh(scene, second.refresh_token)), [400, "invalid_grant"]);
		});

		test("a refresh token of two rotations ago ends the whole grant too", async () => {
			const first = await tokensFor(scene);
			const second = tokensIn(await refresh(scene, first.refresh_token));
			const third = tokensIn(await refresh(scene, second.refresh_token));
			assert.deepEqual(refusal(await refresh(scene, first.refresh_token)), [400, "invalid_grant"]);
			assert.equal((await ask(scene, third.access_token)).statusCode, 401);
		});

		test("of several refreshes at once one wins; the others get nothing, and the app stays connected", async () => {
			const { refresh_token: token } = await tokensFor(scene);
			const responses = await Promise.all(Array.from({ length: 5 }, () => refresh(scene, token)));
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

		test("a refresh that comes before another one of the same token is answered ends nothing", async () => {
			const { refresh_token: token } = await tokensFor(scene);
			let isAnswered = false;
			const send = async () => {
				const response = await refresh(scene, token);
				if (response.statusCode === 200) isAnswered = true;
				return response;
			};
			const sent = [send()];
			while (!isAnswered) {
				sent.push(send());
				await nextTurn();
			}
			const responses = await Promise.all(sent);
			const won = responses.filter(({ statusCode }) => statusCode === 200);
			assert.equal(won.length, 1);
			for (const response of won) assert.equal((await ask(scene, tokensIn(response).access_token)).statusCode, 200);
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
