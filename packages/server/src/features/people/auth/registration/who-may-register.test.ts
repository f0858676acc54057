import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../../../../test/support/accounts.ts";
import { onBothEngines, password } from "../../../../../test/support/accounts-app.ts";
import { askForAccess } from "../../../../../test/support/ask-for-access.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import { pageClient } from "../../../../../test/support/page-client.ts";
import { type TestApp, testApp } from "../../../../../test/support/test-app.ts";
import { findUserByEmail, listUsers } from "../../users/index.ts";

const stranger = { email: "stranger@example.com", name: "Stranger", password, accept_terms: true };
const byInvitation = {
	code: "forbidden",
	message: "Accounts are made by invitation here. Ask somebody who uses this service, or who runs it, for one",
};
const closed = { code: "forbidden", message: "No accounts are made here. Ask whoever runs this service for one" };

const post = (app: TestApp, url: string, payload: object, headers = {}) =>
	app.inject({ method: "POST", url: `/api/v1${url}`, payload, headers });

test("strangers make no account unless the operator lets them: every address hears whom to ask, and gets no mail", async (t) => {
	const app = await testApp();
	t.after(() => app.close());
	await signIn(app, { email: "ann@example.com" });
	for (const email of ["ann@example.com", stranger.email]) {
		const answer = await post(app, "/auth/register", { ...stranger, email });
		assert.deepEqual([answer.statusCode, answer.json().error], [403, byInvitation]);
	}
	assert.equal((await mailbox(app).all()).length, 0);
	assert.equal((await listUsers(app.metadata)).length, 1);
});

test("signing up on the way to an app follows the same switch, and its pages offer nothing else", async (t) => {
	const app = await testApp();
	t.after(() => app.close());
	const { page, requestId } = await askForAccess(app);
	const onboarding = await post(app, "/oauth/onboarding", { ...stranger, request_id: requestId, site_name: "Mine" });
	assert.deepEqual([onboarding.statusCode, onboarding.json().error], [403, byInvitation]);
	const browser = pageClient(app.inject);
	const { body } = await browser.open(page);
	assert.match(body, /<h1>Sign in<\/h1>/);
	assert.doesNotMatch(body, /sign-up/);
	const form = await browser.open(`/oauth/consent/sign-up?request_id=${requestId}`);
	assert.deepEqual([form.statusCode, /Accounts are made by invitation here\./.test(form.body)], [403, true]);
	assert.equal((await listUsers(app.metadata)).length, 0);
});

test("open registration makes accounts", async (t) => {
	const app = await testApp({ env: { REGISTRATION: "open" } });
	t.after(() => app.close());
	assert.equal((await post(app, "/auth/register", stranger)).statusCode, 200);
	assert.equal((await listUsers(app.metadata)).length, 1);
});

for (const [registration, status] of [
	["invited", 201],
	["closed", 403],
] as const) {
	test(`REGISTRATION=${registration}: whoever is invited and has no account gets ${status}`, async (t) => {
		const app = await testApp({ env: { REGISTRATION: registration } });
		t.after(() => app.close());
		const root = await signIn(app, { role: "superadmin" });
		const made = await post(app, "/organizations", { name: "Shop" }, root.headers);
		const { slug } = made.json().data;
		const person = { email: stranger.email, role: "member" };
		const invited = await post(app, `/organizations/${slug}/invitations`, person, root.headers);
		assert.equal(invited.statusCode, 201, invited.body);
		const link = (await mailbox(app).to(stranger.email))[0]?.links.find((url) => url.includes("token="));
		const token = new URL(link ?? "https://no.link").searchParams.get("token");
		const accepted = await post(app, "/invitations/accept", { token, name: "New", password });
		assert.equal(accepted.statusCode, status, accepted.body);
		if (status === 403) assert.deepEqual(accepted.json().error, closed);
		const register = await post(app, "/auth/register", stranger);
		assert.deepEqual(register.json().error, status === 403 ? closed : byInvitation);
		assert.equal((await findUserByEmail(app.metadata, stranger.email)) !== undefined, status === 201);
	});
}

onBothEngines("an invitation where registration is closed", (open) => {
	test("is accepted by those who have an account", async () => {
		const app = await open({ registration: "closed" });
		const ann = await app.user("Ann");
		const bob = await app.user("Bob");
		await app.site(ann);
		const body = { email: bob.email, role: "member" };
		assert.equal((await app.call("POST /organizations/ann/invitations", { as: ann, body })).statusCode, 201);
		const link = (await mailbox(app).to(bob.email))[0]?.links.find((url) => url.includes("token="));
		const token = new URL(link ?? "https://no.link").searchParams.get("token");
		const accepted = await app.call("POST /invitations/accept-existing", { as: bob, body: { token } });
		assert.equal(accepted.statusCode, 200, accepted.body);
		await app.close();
	});
});
