import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { password, type SignedIn, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { enableTwoFactor, wrongCode } from "../../../../test/support/authenticator.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import {
	hiddenFields,
	mailedLink,
	type PageClient,
	pageClient,
	sessionOf,
} from "../../../../test/support/page-client.ts";

const invited = "new@example.com";
const welcome = /<h1>Welcome to Tea &lt;House&gt;<\/h1>/;

describe("the page of an invitation", () => {
	const app = sharedAccountsApp();
	let browser: PageClient;
	let owner: SignedIn;
	beforeEach(async () => {
		browser = pageClient(app.inject);
		owner = await app.user("Olga");
		await app.call("POST /organizations", { as: owner, body: { name: "Tea <House>" } });
	});

	/** The link that an address gets. */
	const invite = async (email = invited): Promise<string> => {
		await app.call("POST /organizations/tea-house/invitations", { as: owner, body: { email } });
		return mailedLink(app, email, "/invitation");
	};
	/** A user who is invited. */
	const annInvited = async () => {
		const ann = await app.user("Ann");
		return { ann, link: await invite(ann.email) };
	};
	const newMembers = async (): Promise<string[]> => {
		const { members } = (await app.call("GET /organizations/tea-house/members", { as: owner })).json().data;
		return members.slice(1).map(({ email }: { email: string }) => email);
	};
	const take = (cookies: Readonly<Record<string, string>>) => {
		for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value);
	};
	/** Opens the link and signs in there. */
	const signInThere = async (link: string, given = password) => {
		await browser.open(`${link}&account=mine`);
		return browser.submit("/invitation/sign-in", { password: given });
	};
	/** Sends a form, which comes back with this status and text. */
	const isRefused = async (action: string, fields: Readonly<Record<string, string>>, status: number, text: RegExp) => {
		const page = await browser.submit(action, fields);
		assert.equal(page.statusCode, status);
		assert.match(page.body, text);
		return page.body;
	};

	test("an invited person without an account makes one, is a member and signed in", async () => {
		const link = await invite();
		const page = await browser.open(link);
		assert.match(page.body, /<bdi>Olga<\/bdi> invites <strong><bdi>new@example\.com<\/bdi>/);
		assert.match(page.body, /<bdi>Tea &lt;House&gt;<\/bdi>.*as member/s);
		const done = await browser.submit("/invitation", { name: "New", password });
		assert.match(done.body, welcome);
		assert.match(done.body, /<a href="\/docs">/);
		const me = (await app.call("GET /auth/me", { cookies: sessionOf(browser) })).json().data;
		assert.deepEqual([me.email, me.name, me.email_verified_at], [invited, "New", "2026-11-21T12:00:00.000Z"]);
		assert.deepEqual(await newMembers(), [invited]);
		const used = await browser.open(link);
		assert.equal(used.statusCode, 409);
		assert.match(used.body, /The invitation was already accepted\./);
	});

	test("whether the address has an account is seen neither in the mail nor on the page", async () => {
		const seen = async (address: string, link: string) => {
			const mails = (await mailbox(app).to(address)).map(({ subject, text }) => `${subject}\n${text}`);
			return [...mails, (await pageClient(app.inject).open(link)).body]
				.join("\n")
				.replaceAll(/value="[\w-]{43,64}"|token=[\w-]{43}/g, "…")
				.replaceAll(/(new|ann)@example\.com/g, "<address>");
		};
		const known = await annInvited();
		assert.equal(await seen(known.ann.email, known.link), await seen(invited, await invite()));
	});

	test("faults come back at their fields, the password does not, and the invitation stays", async () => {
		await browser.open(await invite("longname@example.com"));
		const weak = { name: 'N"<b>', password: "my longname is long" };
		const body = await isRefused("/invitation", weak, 422, /The password must not contain the email address\./);
		assert.match(body, /value="N&quot;&lt;b&gt;"/);
		assert.equal(body.includes("my longname"), false);
		await isRefused("/invitation", { password }, 422, /The name is required\./);
		await isRefused("/invitation", { name: "N\u0000", password }, 422, /The name must not have control/);
		assert.equal((await browser.submit("/invitation", { name: "N", password })).statusCode, 200);
	});

	test("an invited person with an account is told to sign in, does so there, and accepts with one button", async () => {
		const { link } = await annInvited();
		await browser.open(link);
		const toSignIn = /The address has an account: sign in to accept the invitation\./;
		await isRefused("/invitation", { name: "Ann", password }, 409, toSignIn);
		const wrong = await signInThere(link, "not my password");
		assert.equal(wrong.statusCode, 401);
		assert.match(wrong.body, /Email or password is wrong\./);
		assert.equal(browser.cookies.has("svc_access_token"), false);
		assert.match((await signInThere(link)).body, /Accept the invitation/);
		assert.deepEqual(await newMembers(), []);
		assert.match((await browser.submit("/invitation/accept")).body, welcome);
		assert.deepEqual(await newMembers(), ["ann@example.com"]);
		assert.equal((await browser.open(link)).statusCode, 409);
	});

	test("with a second factor the code is asked for; a wrong one opens nothing, and a late one begins the sign-in anew", async () => {
		const { ann, link } = await annInvited();
		const { secret, backupCodes } = await enableTwoFactor(app, ann);
		const code = backupCodes[0] ?? "";
		assert.match((await signInThere(link)).body, /Enter your code/);
		assert.equal(browser.cookies.has("svc_access_token"), false);
		await isRefused("/invitation/code", { code: wrongCode(secret, app.clock.now()) }, 401, /The code is wrong\./);
		await isRefused("/invitation/code", { code: "1" }, 422, /The code must /);
		app.clock.advance(300_000);
		await isRefused("/invitation/code", { code }, 401, /This took too long\. Please sign in again\./);
		await browser.submit("/invitation/sign-in", { password });
		assert.match((await browser.submit("/invitation/code", { code })).body, /Accept the invitation/);
		await browser.submit("/invitation/accept");
		assert.deepEqual(await newMembers(), ["ann@example.com"]);
	});

	test("somebody else's session, an API credential and a session that ended accept nothing", async () => {
		const { ann, link } = await annInvited();
		const accept = (headers?: Readonly<Record<string, string>>) =>
			browser.post("/invitation/accept", hiddenFields(browser.page.body, "/invitation"), headers);
		await browser.open(link);
		assert.equal((await accept(ann.headers)).statusCode, 401);
		take((await app.user("Bob")).cookies);
		const { body } = await browser.open(link);
		assert.match(body, /You are signed in as <bdi>bob@example\.com<\/bdi>, but the invitation is for another address/);
		assert.equal((await accept()).statusCode, 403);
		take(ann.cookies);
		assert.match((await browser.open(link)).body, /Accept the invitation/);
		await app.call("POST /auth/logout", { as: ann });
		await isRefused("/invitation/accept", {}, 403, /You were signed out meanwhile\. Please sign in again\./);
		assert.deepEqual(await newMembers(), []);
	});

	test("a link that is too old or made up says who can send another one", async () => {
		const link = await invite();
		app.clock.advance(7 * 86_400_000);
		for (const url of [link, "/invitation?token=x", "/invitation"]) {
			const { statusCode, body } = await browser.open(url);
			assert.equal(statusCode, 404);
			assert.match(body, /no longer valid.*The sender can send another one/s);
		}
	});

	test("a superadmin who acts as the invited user is named in the audit log", async () => {
		const root = await app.user("Root", "superadmin");
		const { ann, link } = await annInvited();
		const body = { user_id: ann.id, reason: "help" };
		const { cookies } = await app.call("POST /admin/impersonate-user", { as: root, body });
		take(Object.fromEntries(cookies.map(({ name, value }) => [name, value])));
		await browser.open(link);
		assert.equal((await browser.submit("/invitation/accept")).statusCode, 200);
		const [entry] = await auditTrail(app, "invitation.accepted");
		assert.deepEqual([entry?.user, entry?.impersonator], [ann.id, root.id]);
	});
});

describe("limits that pages share with the API", () => {
	const app = sharedAccountsApp({ env: { RATE_LIMIT_ENABLED: "true" } });
	let browser: PageClient;
	beforeEach(() => {
		browser = pageClient(app.inject);
	});

	test("an address takes ten tries an hour at invitations", async () => {
		const as = await app.user("Olga");
		await app.call("POST /organizations", { as, body: { name: "Tea" } });
		await app.call("POST /organizations/tea/invitations", { as, body: { email: invited } });
		await browser.open(await mailedLink(app, invited, "/invitation"));
		const statusOf = async (fields: Readonly<Record<string, string>>) =>
			(await browser.submit("/invitation", fields)).statusCode;
		assert.equal(await statusOf({ password }), 422);
		const body = { token: "x".repeat(43), name: "New", password };
		for (let i = 0; i < 9; i++) await app.call("POST /invitations/accept", { body });
		assert.equal(await statusOf({ name: "New", password: "a".repeat(12) }), 422);
		assert.equal(await statusOf({ name: "New", password }), 429);
		assert.equal(browser.page.headers["retry-after"], "3600");
		app.clock.advance(3_600_000);
		assert.equal(await statusOf({ name: "New", password }), 200);
	});

	test("an address takes three wishes an hour for a new password, and a faulty one does not count", async () => {
		const email = "ann@example.com";
		await browser.open("/reset-password");
		const wish = (address = email) => browser.submit("/reset-password/request", { email: address });
		assert.equal((await wish("nonsense")).statusCode, 422);
		assert.equal((await wish()).statusCode, 200);
		for (let i = 0; i < 2; i++) await app.call("POST /auth/forgot-password", { body: { email } });
		await browser.open("/reset-password");
		const refused = await wish();
		assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "3600"]);
		assert.match(refused.body, /Too many requests\. Try again in 3600 seconds\.<.*value="ann@example\.com"/s);
	});
});
