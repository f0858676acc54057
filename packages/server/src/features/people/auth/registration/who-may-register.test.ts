import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sharedTestApp, signIn } from "../../../../../test/support/accounts.ts";
import { type AccountsApp, accountsApp, apiCall, password } from "../../../../../test/support/accounts-app.ts";
import { askForAccess } from "../../../../../test/support/ask-for-access.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import { pageClient } from "../../../../../test/support/page-client.ts";
import type { TestApp } from "../../../../../test/support/test-app.ts";
import { listUsers } from "../../users/index.ts";

const stranger = { email: "stranger@example.com", name: "Stranger", password, accept_terms: true };
const byInvitation = {
	code: "forbidden",
	message: "Accounts are made by invitation here. Ask somebody who uses this service, or who runs it, for one",
};
const closed = { code: "forbidden", message: "No accounts are made here. Ask whoever runs this service for one" };

/** Invites an address to the organization of the site shop; the token that was mailed. */
async function invited(app: TestApp | AccountsApp, as: { headers: { authorization: string } }, email: string) {
	const call = apiCall(app);
	await call("POST /sites", { as, body: { name: "Shop" } });
	const { slug } = (await call("GET /organizations", { as })).json().data.organizations[0];
	const sent = await call(`POST /organizations/${slug}/invitations`, { as, body: { email, role: "member" } });
	assert.equal(sent.statusCode, 201, sent.body);
	const link = (await mailbox(app).to(email))[0]?.links.find((url) => url.includes("token="));
	return new URL(link ?? "https://no.link").searchParams.get("token");
}

describe("without REGISTRATION accounts are made by invitation", () => {
	const app = sharedTestApp();

	test("every address that registers gets one answer and no mail", async () => {
		await signIn(app, { email: "known@example.com" });
		for (const email of ["known@example.com", stranger.email]) {
			const answer = await apiCall(app)("POST /auth/register", { body: { ...stranger, email } });
			assert.deepEqual([answer.statusCode, answer.json().error], [403, byInvitation]);
		}
		assert.equal((await mailbox(app).all()).length, 0);
		assert.equal((await listUsers(app.metadata)).length, 1);
	});

	test("signing up on the way to an app is refused, and its pages offer nothing else", async () => {
		const { page, requestId } = await askForAccess(app);
		const body = { ...stranger, request_id: requestId, site_name: "Mine" };
		const onboarding = await apiCall(app)("POST /oauth/onboarding", { body });
		assert.deepEqual([onboarding.statusCode, onboarding.json().error], [403, byInvitation]);
		const browser = pageClient(app.inject);
		const signInPage = await browser.open(page);
		assert.match(signInPage.body, /<h1>Sign in<\/h1>/);
		assert.doesNotMatch(signInPage.body, /sign-up/);
		const form = await browser.open(`/oauth/consent/sign-up?request_id=${requestId}`);
		assert.deepEqual([form.statusCode, /Accounts are made by invitation here\./.test(form.body)], [403, true]);
		assert.equal((await listUsers(app.metadata)).length, 1);
	});

	test("an invited address makes one", async () => {
		const token = await invited(app, await signIn(app), stranger.email);
		const body = { token, name: "New", password };
		assert.equal((await apiCall(app)("POST /invitations/accept", { body })).statusCode, 201);
	});
});

test("REGISTRATION=closed: an invitation is accepted by users alone", async (t) => {
	const app = await accountsApp({ env: { REGISTRATION: "closed" } });
	t.after(() => app.close());
	const [ann, bob] = [await app.user("Ann"), await app.user("Bob")];
	const body = { token: await invited(app, ann, stranger.email), name: "New", password };
	for (const refused of [
		await app.call("POST /invitations/accept", { body }),
		await app.call("POST /auth/register", { body: stranger }),
	]) {
		assert.deepEqual([refused.statusCode, refused.json().error], [403, closed]);
	}
	const invitation = await app.call("POST /organizations/ann/invitations", { as: ann, body: { email: bob.email } });
	assert.equal(invitation.statusCode, 201);
	const link = (await mailbox(app).to(bob.email))[0]?.links.find((url) => url.includes("token="));
	const token = new URL(link ?? "https://no.link").searchParams.get("token");
	assert.equal((await app.call("POST /invitations/accept-existing", { as: bob, body: { token } })).statusCode, 200);
	assert.equal((await listUsers(app.metadata)).length, 2);
});
