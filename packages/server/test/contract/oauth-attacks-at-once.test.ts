import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { issueOneTimeToken } from "../../src/features/people/one-time-tokens/index.ts";
import { createSite, signIn, signInAgain } from "../support/accounts.ts";
import { appOnBothEngines } from "../support/app-on-both-engines.ts";
import { auditTrail } from "../support/audit-trail.ts";
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
	sceneOn,
	tokensFor,
	tokensIn,
} from "../support/oauth-flow.ts";
import { requestOf } from "../support/request-of.ts";
import { testApp } from "../support/test-app.ts";
import { postgresSkip, testSchema } from "../support/test-schema.ts";
import { password } from "../support/test-users.ts";

appOnBothEngines("OAuth requests at once", (open) => {
	let scene: OAuthScene;
	before(async () => {
		scene = await sceneOn(await open({ env: { PUBLIC_URL: publicUrl } }));
	});
	after(() => scene.app.close());

	test("of several refreshes at once one wins; the others get nothing, and the app stays connected", async () => {
		const { refresh_token: token } = await tokensFor(scene);
		const responses = await Promise.all(Array.from({ length: 10 }, () => refresh(scene, token)));
		const [won = assert.fail("None got tokens"), ...more] = responses.filter(({ statusCode }) => statusCode === 200);
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

	test("of several exchanges of one code at once one gets tokens, which then end", async () => {
		const code = await codeOf(scene);
		const responses = await Promise.all(Array.from({ length: 5 }, () => exchange(scene, code)));
		const [won = assert.fail("None got tokens"), ...more] = responses.filter(({ statusCode }) => statusCode === 200);
		assert.equal(more.length, 0);
		for (const response of responses) {
			if (response !== won) assert.deepEqual(refusal(response), [400, "invalid_grant"]);
		}
		assert.equal((await ask(scene, tokensIn(won).access_token)).statusCode, 401);
	});

	test("of several decisions at once one counts, and approvals make one grant", async () => {
		const before = (await auditTrail(scene.app, "oauth_grant.approved")).length;
		const [approve, deny] = [{ decision: "approve", site_id: scene.site }, { decision: "deny" }];
		for (const bodies of [Array(10).fill(approve), [approve, deny, approve, deny]]) {
			const id = await pendingRequest(scene);
			const responses = await Promise.all(bodies.map((body) => decide(scene, id, { body })));
			const expected = [200, ...Array(bodies.length - 1).fill(404)];
			assert.deepEqual(responses.map(({ statusCode }) => statusCode).sort(), expected);
			if (bodies.length < 10) continue;
			assert.equal((await auditTrail(scene.app, "oauth_grant.approved")).length, before + 1);
		}
	});

	test("of a password reset and an approval at once, no app keeps its access", async () => {
		let fay = await signIn(scene.app, { email: "fay@example.com" });
		const site = await createSite(scene.app, fay, { name: "Fays" });
		for (let time = 0; time < 5; time++) {
			const id = await pendingRequest(scene);
			const { metadata, clock } = scene.app;
			const { token } = await issueOneTimeToken(metadata, "password_reset", fay.userId, clock.now());
			const reset = requestOf("POST /auth/reset-password", { body: { token, new_password: password } });
			await Promise.all([decide({ ...scene, site }, id, { as: fay }), scene.app.inject(reset)]);
			fay = await signInAgain(scene.app, fay);
			const { headers } = fay;
			assert.deepEqual((await scene.app.inject({ url: "/api/v1/oauth/connections", headers })).json().data, []);
		}
	});
});

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
