import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { issueOneTimeToken } from "../../src/features/people/one-time-tokens/index.ts";
import { createSite, signIn, signInAgain } from "../support/accounts.ts";
import { appOnBothEngines } from "../support/app-on-both-engines.ts";
import { auditTrail } from "../support/audit-trail.ts";
import * as oauth from "../support/oauth-flow.ts";
import { requestOf } from "../support/request-of.ts";
import { password } from "../support/test-users.ts";

/** The tokens of the one answer that has some; all others are refused, and say nothing else. */
function onlyTokensIn(answers: readonly LightMyRequestResponse[]) {
	const [won = assert.fail("None got tokens"), ...more] = answers.filter(({ statusCode }) => statusCode === 200);
	assert.equal(more.length, 0);
	for (const answer of answers.filter((one) => one !== won)) {
		assert.deepEqual(oauth.refusal(answer), [400, "invalid_grant"]);
		assert.deepEqual(Object.keys(answer.json()).sort(), ["error", "error_description"]);
	}
	return oauth.tokensIn(won);
}

appOnBothEngines("OAuth requests at once", (open) => {
	let scene: oauth.OAuthScene;
	before(async () => {
		scene = await oauth.sceneOn(await open({ env: { PUBLIC_URL: oauth.publicUrl } }));
	});
	after(() => scene.app.close());

	test("of several refreshes at once one wins; the others get nothing, and the app stays connected", async () => {
		const { refresh_token: token } = await oauth.tokensFor(scene);
		const tokens = onlyTokensIn(await Promise.all(Array.from({ length: 10 }, () => oauth.refresh(scene, token))));
		assert.equal((await oauth.ask(scene, tokens.access_token)).statusCode, 200);
		oauth.tokensIn(await oauth.refresh(scene, tokens.refresh_token));
	});

	test("a refresh and a revocation at once leave nothing alive", async () => {
		const tokens = await oauth.tokensFor(scene);
		const [refreshed, revoked] = await Promise.all([
			oauth.refresh(scene, tokens.refresh_token),
			oauth.postForm(scene.app, "revoke", { token: tokens.refresh_token }),
		]);
		assert.equal(revoked.statusCode, 200);
		assert.equal((await oauth.ask(scene, tokens.access_token)).statusCode, 401);
		if (refreshed.statusCode !== 200) return;
		assert.equal((await oauth.ask(scene, oauth.tokensIn(refreshed).access_token)).statusCode, 401);
	});

	test("of several exchanges of one code at once one gets tokens, which then end", async () => {
		const code = await oauth.codeOf(scene);
		const tokens = onlyTokensIn(await Promise.all(Array.from({ length: 5 }, () => oauth.exchange(scene, code))));
		assert.equal((await oauth.ask(scene, tokens.access_token)).statusCode, 401);
	});

	test("of several decisions at once one counts, and approvals make one grant", async () => {
		const before = (await auditTrail(scene.app, "oauth_grant.approved")).length;
		const [approve, deny] = [{ decision: "approve", site_id: scene.site }, { decision: "deny" }];
		const decideAtOnce = async (bodies: readonly object[]) => {
			const id = await oauth.pendingRequest(scene);
			const responses = await Promise.all(bodies.map((body) => oauth.decide(scene, id, { body })));
			const expected = [200, ...Array(bodies.length - 1).fill(404)];
			assert.deepEqual(responses.map(({ statusCode }) => statusCode).sort(), expected);
		};
		await decideAtOnce(Array(10).fill(approve));
		assert.equal((await auditTrail(scene.app, "oauth_grant.approved")).length, before + 1);
		await decideAtOnce([approve, deny, approve, deny]);
	});

	test("of a password reset and an approval at once, no app keeps its access", async () => {
		let fay = await signIn(scene.app, { email: "fay@example.com" });
		const site = await createSite(scene.app, fay, { name: "Fays" });
		for (let time = 0; time < 5; time++) {
			const id = await oauth.pendingRequest(scene);
			const { metadata, clock } = scene.app;
			const { token } = await issueOneTimeToken(metadata, "password_reset", fay.userId, clock.now());
			const reset = requestOf("POST /auth/reset-password", { body: { token, new_password: password } });
			await Promise.all([oauth.decide({ ...scene, site }, id, { as: fay }), scene.app.inject(reset)]);
			fay = await signInAgain(scene.app, fay);
			const { headers } = fay;
			assert.deepEqual((await scene.app.inject({ url: "/api/v1/oauth/connections", headers })).json().data, []);
		}
	});
});
