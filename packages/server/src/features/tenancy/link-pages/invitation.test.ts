import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { accountsApp, password, type SignedIn, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { type Authenticator, enableTwoFactor, wrongCode } from "../../../../test/support/authenticator.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { findUserByEmail, updateUser } from "../../people/users/index.ts";

const invited = "new@example.com";

describe("the page of an invitation", () => {
	const app = sharedAccountsApp();
	let browser: PageClient;
	let owner: SignedIn;
	beforeEach(async () => {
		browser = pageClient(app.inject);
		owner = await app.user("Olga");
		await app.call("POST /organizations", { as: owner, body: { name: "Tea <House>" } });
	});

	const invite = async (email = invited): Promise<{ link: string; id: number }> => {
		const response = await app.call("POST /organizations/tea-house/invitations", { as: owner, body: { email } });
		assert.equal(response.statusCode, 201, response.body);
		const { invitation_id: id } = response.json().data;
		const [mail] = (await mailbox(app).to(email)).slice(-1);
		const { pathname, search } = new URL(mail?.links[0] ?? "");
		return { link: pathname + search, id };
	};
	const members = async (): Promise<string[]> =>
		(await app.call("GET /organizations/tea-house/members", { as: owner }))
			.json()
			.data.members.map(({ email }: { email: string }) => email);
	/** Opens the link and signs in there. */
	const signInThere = async (link: string, given = password) => {
		await browser.open(`${link}&account=mine`);
		return browser.submit("/invitation/sign-in", { password: given });
	};

	test("who has no account makes one, is a member and signed in", async () => {
		const { link } = await invite();
		const page = await browser.open(link);
		assert.equal(page.statusCode, 200);
		assert.match(page.body, /<bdi>Olga<\/bdi> invites <strong><bdi>new@example\.com<\/bdi>/);
		assert.match(page.body, /<bdi>Tea &lt;House&gt;<\/bdi>.*as member/s);
		const done = await browser.submit("/invitation", { name: "New", password });
		assert.equal(done.statusCode, 200);
		assert.match(done.body, /<h1>Welcome to Tea &lt;House&gt;<\/h1>/);
		assert.match(done.body, /<a href="\/docs">/);
		const cookies = { svc_access_token: browser.cookies.get("svc_access_token") ?? "" };
		const me = (await app.call("GET /auth/me", { cookies })).json().data;
		assert.deepEqual([me.email, me.name, me.email_verified_at], [invited, "New", "2026-11-21T12:00:00.000Z"]);
		assert.deepEqual(await members(), ["olga@example.com", invited]);
		const used = await browser.open(link);
		assert.equal(used.statusCode, 409);
		assert.match(used.body, /The invitation was accepted already\./);
	});

	test("whether the address has an account is not seen on the page", async () => {
		const stranger = await browser.open((await invite()).link);
		await app.user("Ann");
		const known = await pageClient(app.inject).open((await invite("ann@example.com")).link);
		const same = (body: string) =>
			body.replaceAll(/value="[\w-]{43,64}"|token=[\w-]{43}/g, "…").replaceAll(/(new|ann)@example\.com/g, "<address>");
		assert.equal(same(known.body), same(stranger.body));
	});

	test("faults come back at their fields, the password does not, and the invitation stays", async () => {
		await browser.open((await invite("longname@example.com")).link);
		const named = await browser.submit("/invitation", { name: 'N"<b>', password: "my longname is long" });
		assert.equal(named.statusCode, 422);
		assert.match(named.body, /The password must not contain the e-mail address\./);
		assert.match(named.body, /value="N&quot;&lt;b&gt;"/);
		assert.equal(named.body.includes("my longname"), false);
		const nameless = await browser.submit("/invitation", { password });
		assert.match(nameless.body, /The name is required\./);
		assert.match(
			(await browser.submit("/invitation", { name: "N\u0000", password })).body,
			/The name must not have control/,
		);
		assert.equal((await browser.submit("/invitation", { name: "N", password })).statusCode, 200);
	});

	test("who has an account is told to sign in, does so there, and accepts with one button", async () => {
		await app.user("Ann");
		const { link } = await invite("ann@example.com");
		await browser.open(link);
		const refused = await browser.submit("/invitation", { name: "Ann", password });
		assert.equal(refused.statusCode, 409);
		assert.match(refused.body, /The address has an account: sign in and accept the invitation there\./);
		const wrong = await signInThere(link, "not my password");
		assert.equal(wrong.statusCode, 401);
		assert.match(wrong.body, /E-mail or password is wrong\./);
		assert.equal(browser.cookies.has("svc_access_token"), false);
		const asked = await signInThere(link);
		assert.equal(asked.statusCode, 200);
		assert.match(asked.body, /Accept the invitation/);
		assert.deepEqual(await members(), ["olga@example.com"]);
		const done = await browser.submit("/invitation/accept");
		assert.match(done.body, /Welcome to Tea &lt;House&gt;/);
		assert.deepEqual(await members(), ["olga@example.com", "ann@example.com"]);
		assert.equal((await browser.open(link)).statusCode, 409);
	});

	test("with a second factor the code is asked for; a wrong one opens nothing, and a late one begins the sign-in anew", async () => {
		const app2fa: Authenticator = await enableTwoFactor(app, await app.user("Ann"));
		const { link } = await invite("ann@example.com");
		const asked = await signInThere(link);
		assert.match(asked.body, /Enter your code/);
		assert.equal(browser.cookies.has("svc_access_token"), false);
		const wrong = await browser.submit("/invitation/code", { code: wrongCode(app2fa.secret, app.clock.now()) });
		assert.equal(wrong.statusCode, 401);
		assert.match(wrong.body, /The code is wrong\./);
		assert.match((await browser.submit("/invitation/code", { code: "1" })).body, /The code must /);
		app.clock.advance(300_000);
		const late = await browser.submit("/invitation/code", { code: app2fa.backupCodes[0] ?? "" });
		assert.equal(late.statusCode, 401);
		assert.match(late.body, /This took too long\. Please sign in again\./);
		await browser.submit("/invitation/sign-in", { password });
		const backup = await browser.submit("/invitation/code", { code: app2fa.backupCodes[0] ?? "" });
		assert.match(backup.body, /Accept the invitation/);
		await browser.submit("/invitation/accept");
		assert.deepEqual(await members(), ["olga@example.com", "ann@example.com"]);
	});

	test("who is signed in as somebody else is told so, and cannot accept", async () => {
		const bob = await app.user("Bob");
		const { link } = await invite();
		for (const [name, value] of Object.entries(bob.cookies)) browser.cookies.set(name, value);
		const page = await browser.open(link);
		assert.match(
			page.body,
			/You are signed in as <bdi>bob@example\.com<\/bdi>, but the invitation is for another address/,
		);
		const refused = await browser.post("/invitation/accept", formOf(page.body));
		assert.equal(refused.statusCode, 403);
		assert.deepEqual(await members(), ["olga@example.com"]);
	});

	test("an API credential in place of the browser's session accepts nothing", async () => {
		const ann = await app.user("Ann");
		const { link } = await invite("ann@example.com");
		const page = await browser.open(link);
		const refused = await browser.post("/invitation/accept", formOf(page.body), ann.headers);
		assert.equal(refused.statusCode, 401);
		assert.deepEqual(await members(), ["olga@example.com"]);
	});

	test("a session that ended meanwhile accepts nothing and is asked to sign in again", async () => {
		const ann = await app.user("Ann");
		const { link } = await invite("ann@example.com");
		for (const [name, value] of Object.entries(ann.cookies)) browser.cookies.set(name, value);
		assert.match((await browser.open(link)).body, /Accept the invitation/);
		await app.call("POST /auth/logout", { as: ann });
		const refused = await browser.submit("/invitation/accept");
		assert.equal(refused.statusCode, 403);
		assert.match(refused.body, /You were signed out meanwhile\. Please sign in again\./);
		assert.deepEqual(await members(), ["olga@example.com"]);
	});

	test("an address that is not confirmed cannot sign in", async () => {
		await app.user("Ann");
		const ann = await findUserByEmail(app.metadata, "ann@example.com");
		await updateUser(app.metadata, ann?.id ?? 0, { email_verified_at: null });
		const refused = await signInThere((await invite("ann@example.com")).link);
		assert.equal(refused.statusCode, 403);
		assert.match(refused.body, /E-mail address is not verified\./);
	});

	test("a link that was revoked, replaced, made up or is too old says who can send another one", async () => {
		const { link, id } = await invite();
		await app.call(`POST /organizations/tea-house/invitations/${id}/resend`, { as: owner });
		const { link: revoked, id: other } = await invite("other@example.com");
		await app.call(`DELETE /organizations/tea-house/invitations/${other}`, { as: owner });
		const { link: old } = await invite("late@example.com");
		app.clock.advance(7 * 86_400_000);
		for (const url of [link, revoked, old, "/invitation?token=x", "/invitation"]) {
			const { statusCode, body } = await browser.open(url);
			assert.equal(statusCode, 404);
			assert.match(body, /no longer valid.*Whoever sent it can send another one/s);
		}
	});

	test("a superadmin who acts as the invited user is named in the audit log", async () => {
		const root = await app.user("Root", "superadmin");
		const ann = await app.user("Ann");
		const { link } = await invite("ann@example.com");
		const body = { user_id: ann.id, reason: "help" };
		const acting = await app.call("POST /admin/impersonate-user", { as: root, body });
		for (const { name, value } of acting.cookies) browser.cookies.set(name, value);
		await browser.open(link);
		assert.equal((await browser.submit("/invitation/accept")).statusCode, 200);
		const [entry] = await auditTrail(app, "invitation.accepted");
		assert.deepEqual([entry?.user, entry?.impersonator], [ann.id, root.id]);
	});

	test("the page and the API together take ten tries an hour from an address", async () => {
		const limited = await accountsApp({ env: { RATE_LIMIT_ENABLED: "true" } });
		try {
			const as = await limited.user("Olga");
			await limited.call("POST /organizations", { as, body: { name: "Tea" } });
			const sent = await limited.call("POST /organizations/tea/invitations", { as, body: { email: invited } });
			const { pathname, search } = new URL(sent.json().data.invitation_link);
			const one = pageClient(limited.inject);
			await one.open(pathname + search);
			assert.equal((await one.submit("/invitation", { password })).statusCode, 422);
			const body = { token: "x".repeat(43), name: "New", password };
			for (let i = 0; i < 9; i++) await limited.call("POST /invitations/accept", { body });
			assert.equal((await one.submit("/invitation", { name: "New", password: "a".repeat(12) })).statusCode, 422);
			const refused = await one.submit("/invitation", { name: "New", password });
			assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "3600"]);
			limited.clock.advance(3_600_000);
			assert.equal((await one.submit("/invitation", { name: "New", password })).statusCode, 200);
		} finally {
			await limited.close();
		}
	});
});

function formOf(body: string): Record<string, string> {
	const fields = body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
	return Object.fromEntries([...fields].map(([, name = "", value = ""]) => [name, value]));
}
