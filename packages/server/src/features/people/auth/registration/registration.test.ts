import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { signIn } from "../../../../../test/support/accounts.ts";
import {
	type AccountsApp,
	accountsApp,
	apiCall,
	cookiesOf,
	password,
	sharedAccountsApp,
} from "../../../../../test/support/accounts-app.ts";
import { mailbox, mailedToken } from "../../../../../test/support/mailbox.ts";
import { askForAccess } from "../../../../../test/support/oauth-flow.ts";
import { pageClient } from "../../../../../test/support/page-client.ts";
import { codeOf, fieldsOf } from "../../../../../test/support/refusals.ts";
import { type TestApp, testApp } from "../../../../../test/support/test-app.ts";
import { findUserByEmail, listUsers, updateUser } from "../../users/index.ts";
import { createFirstRunLink } from "../first-run/setup-routes.ts";

const ann = { email: "Ann@Example.com", name: "Ann", password, accept_terms: true };

const app = sharedAccountsApp();

describe("registering", () => {
	const register = (body: object = ann) => app.call("POST /auth/register", { body });
	const verify = (token: string) => app.call("POST /email/verify", { body: { token } });
	const resend = (body: object, more = {}) => app.call("POST /email/resend-verification", { body, ...more });
	const mailsTo = (address: string) => mailbox(app).to(address);
	const annRow = () => findUserByEmail(app.metadata, "ann@example.com");
	const signIn = (given: string) => app.call("POST /auth/token", { body: { email: ann.email, password: given } });

	test("a registration makes a closed account, no session and no cookie", async () => {
		const response = await register();
		assert.deepEqual(response.json().data, {
			user_id: 0,
			email: "ann@example.com",
			name: "Ann",
			access_token: "",
			token_type: "bearer",
			expires_in: 0,
			requires_email_verification: true,
			requires_subscription: false,
			session_created: false,
			email_sent: true,
			message: "We sent you an email. Its link confirms your address and activates your account",
		});
		assert.deepEqual([response.statusCode, response.headers["set-cookie"]], [200, undefined]);
		assert.deepEqual(codeOf(await signIn(password)), [403, "email_not_verified"]);
		assert.deepEqual(codeOf(await signIn("not the password")), [401, "invalid_credentials"]);
		const row = await annRow();
		assert.deepEqual([row?.role, row?.is_active, row?.email_verified_at, row?.last_login_at], ["user", 1, null, null]);
	});

	test("the mail has a subject, a link that works once, and the same as HTML", async () => {
		await register({ ...ann, name: "https://evil.example <b>You won</b>" });
		const [mail, ...more] = await mailsTo("ann@example.com");
		assert.deepEqual([mail?.subject, more.length], ["Confirm your email address", 0]);
		const token = await mailedToken(app, "ann@example.com");
		assert.match(token, /^[A-Za-z0-9_-]{43}$/);
		const link = `https://stats.example/verify-email?token=${token}`;
		assert.ok(mail?.text.includes(`Confirm address:\n${link}\n`) && mail.html.includes(`<a href="${link}"`));
		assert.ok(mail?.text.includes("The link works once, within 24 hours."));
		assert.ok(!`${mail?.text}${mail?.html}`.includes("evil"));
	});

	test("the link confirms the address and signs in with the three cookies", async () => {
		await register();
		const token = await mailedToken(app, "ann@example.com");
		app.clock.advance(60_000);
		const response = await verify(token);
		const { access_token: accessToken, user, ...data } = response.json().data;
		const message = "The email address is confirmed";
		assert.deepEqual(data, { message, verified: true, token_type: "bearer", expires_in: 900 });
		const now = "2026-11-21T12:01:00.000Z";
		assert.deepEqual([user.email_verified_at, user.last_login_at], [now, now]);
		assert.equal(response.headers["cache-control"], "no-store");
		assert.deepEqual(Object.keys(cookiesOf(response)), ["svc_access_token", "svc_refresh_token", "svc_csrf_token"]);
		const log = app.logLines.join("");
		for (const secret of [token, "ann@", password]) assert.ok(!log.includes(secret), secret);
		const as = { headers: { authorization: `Bearer ${accessToken}` } };
		const status = await app.call("GET /email/verification-status", { as });
		assert.deepEqual(status.json().data, { verified: true, email: "ann@example.com" });
	});

	test("with a second factor the link leads to its question, without a cookie", async () => {
		await register();
		await updateUser(app.metadata, (await annRow())?.id ?? 0, { two_factor_enabled_at: 1 });
		const response = await verify(await mailedToken(app, "ann@example.com"));
		const { requires_2fa: asked, access_token: token, expires_in: seconds } = response.json().data;
		assert.deepEqual([asked, token, seconds, response.headers["set-cookie"]], [true, undefined, 300, undefined]);
	});

	test("a known address keeps its account as it is, and is told by mail", async () => {
		const newest = async () => (await mailsTo("ann@example.com")).at(-1);
		await register();
		const before = await annRow();
		const other = { ...ann, password: "another long password 7" };
		await register({ ...other, email: "ann@example.com" });
		assert.deepEqual(await annRow(), before);
		const repeated = await newest();
		assert.equal(repeated?.subject, "Confirm your email address");
		assert.ok(repeated?.text.includes("the password is still the first one"));

		assert.equal((await verify(await mailedToken(app, "ann@example.com"))).statusCode, 200);
		const verified = await annRow();
		await register(other);
		assert.deepEqual(await annRow(), verified);
		const notice = await newest();
		assert.equal(notice?.subject, "Your email address was used to register");
		assert.ok(!notice?.links.some((link) => link.includes("token")));
		assert.deepEqual([(await signIn(other.password)).statusCode, (await signIn(password)).statusCode], [401, 200]);

		await updateUser(app.metadata, verified?.id ?? 0, { is_active: 0, email_verified_at: null });
		await register();
		assert.equal((await newest())?.subject, "Your email address was used to register");
	});

	test("the terms must be accepted, and faulty fields are named", async () => {
		assert.deepEqual(codeOf(await register({ ...ann, accept_terms: false })), [400, "bad_request"]);
		const all = ["body.accept_terms", "body.email", "body.name", "body.password"];
		assert.deepEqual(fieldsOf(await register({})), [422, ...all]);
		for (const fault of [{ email: "ann@localhost" }, { name: "Ann\r\nBcc: bob@example.com" }]) {
			assert.deepEqual(fieldsOf(await register({ ...ann, ...fault })), [422, `body.${Object.keys(fault)}`]);
		}
		assert.equal(await annRow(), undefined);
	});

	test("the link is mailed again to an address that waits, and to no other", async () => {
		await register();
		await app.user("Bob");
		for (const name of ["ann", "bob", "nobody"]) await resend({ email: `${name}@example.com` });
		assert.deepEqual([(await mailsTo("ann@example.com")).length, (await mailbox(app).all()).length], [2, 2]);
		assert.equal((await verify(await mailedToken(app, "ann@example.com"))).statusCode, 200);
	});

	test("a session may leave its address out, nobody else, and a credential that is not valid is none", async () => {
		const bob = await app.user("Bob");
		await updateUser(app.metadata, bob.id, { email_verified_at: null });
		const { svc_access_token: access = "", svc_csrf_token: csrf = "" } = bob.cookies;
		const cookies = { svc_access_token: access, svc_csrf_token: csrf };
		const bad = { headers: { authorization: "Bearer nonsense" } };
		for (const more of [{ as: bob }, { cookies, headers: { "x-csrf-token": csrf } }]) {
			assert.equal((await resend({}, more)).statusCode, 200);
		}
		assert.equal((await app.call("POST /email/resend-verification", { as: bob })).statusCode, 200);
		for (const more of [{}, { cookies }, bad]) assert.deepEqual(fieldsOf(await resend({}, more)), [422, "body.email"]);
		assert.equal((await resend({ email: "bob@example.com" }, bad)).statusCode, 200);
		assert.equal((await mailsTo("bob@example.com")).length, 4);
	});
});

describe("the first-run link", () => {
	const link = () => createFirstRunLink({ ...app, rootUrl: "http://127.0.0.1:3000" });
	const newToken = async () => new URL((await link()) ?? "").searchParams.get("token") ?? "";
	const form = (token: string) => app.inject({ method: "GET", url: `/setup?token=${token}` });
	const send = (fields: Record<string, string>) =>
		app.inject({
			method: "POST",
			url: "/setup",
			headers: { "content-type": "application/x-www-form-urlencoded" },
			payload: new URLSearchParams(fields).toString(),
		});
	const fields = (token: string) => ({ token, name: "Ann", email: "ann@example.com", password });

	test("it opens a form without script that may not be framed, cached or leak its address", async () => {
		const token = await newToken();
		assert.match(token, /^[A-Za-z0-9_-]{43}$/);
		const response = await form(token);
		const { "cache-control": kept, "referrer-policy": told } = response.headers;
		assert.deepEqual([response.statusCode, kept, told], [200, "no-store", "no-referrer"]);
		assert.match(
			String(response.headers["content-security-policy"]),
			/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
		);
		assert.doesNotMatch(response.body, /<script/);
		assert.match((await form("forged")).body, /This link is no longer valid/);
	});

	test("it creates a superadmin who can sign in, once", async () => {
		const token = await newToken();
		const done = await send(fields(token));
		assert.equal(done.statusCode, 200);
		const steps = ["sites create", "sites check", "tokens create --user ann@example.com"];
		for (const step of steps) assert.ok(done.body.includes(`./footfall ${step}`), step);
		const { user } = (await app.call("POST /auth/token", { body: { email: "ann@example.com", password } })).json().data;
		assert.equal(user.role, "superadmin");
		assert.equal((await form(token)).statusCode, 404);
		assert.equal((await send({ ...fields(token), email: "eve@example.com" })).statusCode, 404);
		assert.equal(await link(), undefined);
	});

	test("a new link ends the one before, a superadmin from elsewhere ends them all, and another user none", async () => {
		const first = await newToken();
		const second = await newToken();
		assert.equal((await form(first)).statusCode, 404);
		assert.equal((await form(second)).statusCode, 200);
		await app.user("Bob");
		assert.equal((await form(second)).statusCode, 200);
		await app.user("Root", "superadmin");
		assert.equal((await form(second)).statusCode, 404);
		assert.equal((await send(fields(second))).statusCode, 404);
	});

	test("a faulty form comes back with what is wrong and without the password; the link lives on", async () => {
		const token = await newToken();
		const response = await send({ ...fields(token), name: '"><script>', password: "short" });
		assert.equal(response.statusCode, 422);
		assert.match(response.body, /The password must have at least 12 characters\./);
		assert.match(response.body, /value="&quot;&gt;&lt;script&gt;"/);
		assert.doesNotMatch(response.body, /short/);
		assert.match((await send({ ...fields(token), email: "nonsense" })).body, /The email address must be an email/);
		assert.match((await send({ ...fields(token), name: "A\u0000" })).body, /The name must/);
		assert.equal((await send(fields(token))).statusCode, 200);
	});
});

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
	return mailedToken(app, email);
}

test("without REGISTRATION accounts are made by invitation, also on the way to an app, and every address gets one answer", async () => {
	await using app = await testApp();
	const call = apiCall(app);
	const known = await signIn(app, { email: "known@example.com" });
	const { page, requestId } = await askForAccess(app);
	const onboarding = { ...stranger, request_id: requestId, site_name: "Mine" };
	for (const answer of [
		await call("POST /auth/register", { body: { ...stranger, email: "known@example.com" } }),
		await call("POST /auth/register", { body: stranger }),
		await call("POST /oauth/onboarding", { body: onboarding }),
	]) {
		assert.deepEqual([answer.statusCode, answer.json().error], [403, byInvitation]);
	}
	const browser = pageClient(app.inject);
	assert.doesNotMatch((await browser.open(page)).body, /sign-up/);
	const form = await browser.open(`/oauth/consent/sign-up?request_id=${requestId}`);
	assert.deepEqual([form.statusCode, /Accounts are made by invitation here\./.test(form.body)], [403, true]);
	assert.deepEqual([(await mailbox(app).all()).length, (await listUsers(app.metadata)).length], [0, 1]);
	const body = { token: await invited(app, known, stranger.email), name: "New", password };
	assert.equal((await call("POST /invitations/accept", { body })).statusCode, 201);
});

test("REGISTRATION=closed: an invitation is accepted by users alone", async () => {
	await using app = await accountsApp({ env: { REGISTRATION: "closed" } });
	const [owner, bob] = [await app.user("Ann"), await app.user("Bob")];
	const body = { token: await invited(app, owner, stranger.email), name: "New", password };
	for (const refused of [
		await app.call("POST /invitations/accept", { body }),
		await app.call("POST /auth/register", { body: stranger }),
	]) {
		assert.deepEqual([refused.statusCode, refused.json().error], [403, closed]);
	}
	await app.call("POST /organizations/ann/invitations", { as: owner, body: { email: bob.email } });
	const token = await mailedToken(app, bob.email);
	assert.equal((await app.call("POST /invitations/accept-existing", { as: bob, body: { token } })).statusCode, 200);
	assert.equal((await listUsers(app.metadata)).length, 2);
});

test("where plans are sold a registration says so", async () => {
	await using app = await accountsApp({ env: { STRIPE_SECRET_KEY: "sk_test_1" } });
	const response = await app.call("POST /auth/register", { body: ann });
	assert.equal(response.json().data.requires_subscription, true);
});
