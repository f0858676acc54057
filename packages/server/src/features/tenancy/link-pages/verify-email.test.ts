import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { password, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import {
	approvedCode,
	askForAccess,
	exchangeCode,
	registerApp,
	requestIdIn,
} from "../../../../test/support/app-token.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { enableTwoFactor } from "../../../../test/support/authenticator.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { findUserByEmail, updateUser } from "../../people/users/index.ts";

const email = "ann@example.com";
const dead = /This link is no longer valid/;

describe("the page that confirms an address", () => {
	const app = sharedAccountsApp();
	let browser: PageClient;
	beforeEach(async () => {
		browser = pageClient(app.inject);
		await register(email);
	});

	const register = (address: string) =>
		app.call("POST /auth/register", { body: { email: address, name: "Ann", password, accept_terms: true } });
	const newestLink = async (address = email): Promise<string> => {
		const links = (await mailbox(app).to(address)).flatMap((mail) => mail.links);
		const link = new URL(links.findLast((candidate) => candidate.includes("/verify-email?")) ?? "https://no.link");
		return link.pathname + link.search;
	};
	const isVerified = async () => (await findUserByEmail(app.metadata, email))?.email_verified_at !== null;

	test("a program that opens the link uses nothing up; the button confirms the address and signs in", async () => {
		const link = await newestLink();
		for (let i = 0; i < 30; i++) assert.equal((await app.inject({ url: link })).statusCode, 200);
		assert.equal((await app.inject({ method: "HEAD", url: link })).statusCode, 200);
		assert.equal(await isVerified(), false);
		await browser.open(link);
		const done = await browser.submit("/verify-email", { password });
		assert.equal(done.statusCode, 200);
		assert.match(done.body, /The address is confirmed/);
		assert.match(done.body, /You are signed in as <strong><bdi>ann@example\.com<\/bdi>/);
		assert.match(done.body, /<a href="\/docs">/);
		assert.equal(await isVerified(), true);
		const cookies = [done.headers["set-cookie"]].flat().map((cookie) => String(cookie).replace(/=[^;]+/, "=…"));
		assert.ok(cookies.includes("svc_link_browser=…; Path=/verify-email; HttpOnly; Secure; SameSite=Lax"));
		const lines = app.logLines.join("\n");
		const token = new URL(link, "https://x").searchParams.get("token") ?? "none";
		assert.deepEqual(
			["/verify-email", token, email].map((text) => lines.includes(text)),
			[true, false, false],
		);
		const me = await app.call("GET /auth/me", {
			cookies: { svc_access_token: browser.cookies.get("svc_access_token") ?? "" },
		});
		assert.equal(me.json().data.email, email);
	});

	test("the page has no script, is not kept, not framed, and tells no other page its address", async () => {
		const page = await browser.open(await newestLink());
		assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
		assert.equal(page.headers["cache-control"], "no-store");
		assert.equal(page.headers["referrer-policy"], "no-referrer");
		assert.match(
			String(page.headers["content-security-policy"]),
			/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
		);
		assert.doesNotMatch(page.body, /<script|https?:\/\//);
	});

	test("a link that was used, replaced, made up or is too old offers another mail, and sends it", async () => {
		const first = await newestLink();
		await app.call("POST /email/resend-verification", { body: { email } });
		const second = await newestLink();
		for (const url of [first, "/verify-email?token=x", `/verify-email?token=${"a".repeat(43)}`]) {
			const { statusCode, body } = await browser.open(url);
			assert.equal(statusCode, 400);
			assert.match(body, dead);
		}
		app.clock.advance(86_400_000);
		await browser.open(second);
		assert.match(browser.page.body, dead);
		const sent = await browser.submit("/verify-email/resend", { email });
		assert.equal(sent.statusCode, 200);
		assert.match(sent.body, /If the address waits to be confirmed, a mail with a link is on its way/);
		const third = await newestLink();
		assert.notEqual(third, second);
		await browser.open(third);
		await browser.submit("/verify-email", { password });
		assert.equal((await browser.open(third)).statusCode, 400);
	});

	test("a browser that is not signed in as who registered is asked for the password, and a wrong one confirms nothing", async () => {
		await browser.open(await newestLink());
		assert.match(browser.page.body, /<input id="password" name="password" type="password"/);
		const missing = await browser.submit("/verify-email");
		assert.equal(missing.statusCode, 422);
		assert.match(missing.body, /<p class="fault" id="password-fault">The password is required\./);
		const wrong = await browser.submit("/verify-email", { password: "somebody else chose it" });
		assert.equal(wrong.statusCode, 422);
		assert.match(wrong.body, /The password is not the one that was chosen when the address was registered\./);
		assert.equal(await isVerified(), false);
		assert.equal((await browser.submit("/verify-email", { password })).statusCode, 200);
		assert.equal(await isVerified(), true);
	});

	test("who did not register chooses another password, and the first one opens nothing any more", async () => {
		const mine = "an entirely different sentence 5";
		await browser.open(await newestLink());
		const weak = await browser.submit("/verify-email", { new_password: "password1234" });
		assert.equal(weak.statusCode, 422);
		assert.match(weak.body, /id="new_password-fault"/);
		const done = await browser.submit("/verify-email", { new_password: mine });
		assert.match(done.body, /You are signed in as/);
		const signIn = (given: string) => app.call("POST /auth/token", { body: { email, password: given } });
		assert.equal((await signIn(password)).json().error.code, "invalid_credentials");
		assert.equal((await signIn(mine)).statusCode, 200);
		const [reset, verified] = await auditTrail(app, "user.password_reset", "user.email_verified");
		assert.deepEqual([reset?.action, verified?.action], ["user.password_reset", "user.email_verified"]);
	});

	for (const [what, proof, isKept] of [
		["the password of the registration", { password }, true],
		["another password", { new_password: "an entirely different sentence 5" }, false],
	] as const) {
		test(`what an app was allowed on the way ${isKept ? "stays" : "ends"} with ${what}`, async () => {
			const { connection } = await signUpForAnApp();
			await browser.open(await newestLink("bea@example.com"));
			await browser.submit("/verify-email", proof);
			const token = browser.cookies.get("svc_access_token") ?? "";
			const { data } = (await app.call("GET /oauth/connections", { cookies: { svc_access_token: token } })).json();
			assert.equal(data.length, isKept ? 1 : 0);
			assert.equal((await connection()).statusCode, isKept ? 200 : 401);
		});
	}

	test("the browser in which somebody signed up for an app needs no password, and the app keeps its access", async () => {
		const { cookies, connection } = await signUpForAnApp();
		for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value);
		await browser.open(await newestLink("bea@example.com"));
		assert.doesNotMatch(browser.page.body, /type="password"/);
		assert.match((await browser.submit("/verify-email")).body, /You are signed in as/);
		assert.equal((await connection()).statusCode, 200);
	});

	test("a link that the API takes alone ends what an app was allowed", async () => {
		const { connection } = await signUpForAnApp();
		const token = new URL(await newestLink("bea@example.com"), "https://x").searchParams.get("token");
		assert.equal((await app.call("POST /email/verify", { body: { token } })).statusCode, 200);
		assert.equal((await connection()).statusCode, 401);
	});

	/** Registers an address while an app asks, with a site, and lets the app read it. */
	const signUpForAnApp = async () => {
		const clientId = await registerApp(app);
		const requestId = requestIdIn(await askForAccess(app, clientId));
		const person = { email: "bea@example.com", name: "Bea", password, accept_terms: true };
		const body = { ...person, request_id: requestId, site_name: "Bakery" };
		const signedUp = await app.call("POST /oauth/onboarding", { body });
		const cookies = Object.fromEntries(signedUp.cookies.map(({ name, value }) => [name, value]));
		const headers = {
			cookie: Object.entries(cookies)
				.map(([name, value]) => `${name}=${value}`)
				.join("; "),
			"x-csrf-token": cookies.svc_csrf_token ?? "",
		};
		const code = await approvedCode(app, requestId, { headers, site: "bakery" });
		const { access_token: token } = (await exchangeCode(app, clientId, code)).json();
		const connection = () => app.call("GET /sites/bakery", { headers: { authorization: `Bearer ${token}` } });
		assert.equal((await connection()).statusCode, 200);
		return { cookies, connection };
	};

	test("every address gets the same answer to a wish for another mail, and only one that waits gets a mail", async () => {
		await app.user("Bob");
		const bodies = [];
		for (const address of [email, "bob@example.com", "nobody@example.com"]) {
			await browser.open("/verify-email");
			bodies.push((await browser.submit("/verify-email/resend", { email: address })).body);
		}
		assert.equal(new Set(bodies).size, 1);
		assert.deepEqual(
			[(await mailbox(app).to(email)).length, (await mailbox(app).to("bob@example.com")).length],
			[2, 0],
		);
		assert.equal((await mailbox(app).to("nobody@example.com")).length, 0);
	});

	test("an address that is none comes back with the fault at its field", async () => {
		await browser.open("/verify-email");
		const page = await browser.submit("/verify-email/resend", { email: '"><script>' });
		assert.equal(page.statusCode, 422);
		assert.match(page.body, /<title>Error: /);
		assert.match(page.body, /<p class="fault" id="email-fault">The e-mail address must /);
		assert.match(page.body, /value="&quot;&gt;&lt;script&gt;"/);
		assert.doesNotMatch(page.body, /<script/);
		assert.match((await browser.submit("/verify-email/resend")).body, /The e-mail address is required\./);
	});

	test("with a second factor the address is confirmed and nobody is signed in", async () => {
		await browser.open(await newestLink());
		await browser.submit("/verify-email", { password });
		await enableTwoFactor(app, await app.signIn(email));
		const user = await findUserByEmail(app.metadata, email);
		await updateUser(app.metadata, user?.id ?? 0, { email_verified_at: null });
		await app.call("POST /email/resend-verification", { body: { email } });
		const other = pageClient(app.inject);
		await other.open(await newestLink());
		const done = await other.submit("/verify-email", { password });
		assert.match(done.body, /sign in with your password and the code of your authenticator app/);
		assert.deepEqual([...other.cookies.keys()], ["svc_link_browser"]);
	});

	test("twenty wrong links from an address shut it out for a while, and right ones do not count", async () => {
		const link = await newestLink();
		for (let i = 0; i < 20; i++) assert.equal((await browser.open(`/verify-email?token=wrong-${i}`)).statusCode, 400);
		const shut = await browser.open(link);
		assert.equal(shut.statusCode, 429);
		assert.equal(shut.headers["retry-after"], "900");
		assert.match(shut.body, /Too many requests\. Try again in 900 seconds\.</);
		assert.equal((await app.call("POST /email/verify", { body: { token: "x".repeat(43) } })).statusCode, 429);
		app.clock.advance(900_000);
		assert.equal((await browser.open(link)).statusCode, 200);
	});
});
