import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, test } from "node:test";
import { accountsApp, password, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { enableTwoFactor } from "../../../../test/support/authenticator.ts";
import { newDirectory } from "../../../../test/support/new-directory.ts";
import { approvedCode, exchangeCode, pendingRequest, registerApp } from "../../../../test/support/oauth-flow.ts";
import {
	hiddenFields,
	mailedLink,
	type PageClient,
	pageClient,
	sessionOf,
} from "../../../../test/support/page-client.ts";
import { provision, provisionEnv } from "../../../../test/support/provisioning.ts";
import { createFirstRunLink } from "../../people/auth/index.ts";
import { findUserByEmail, updateUser } from "../../people/users/index.ts";

const email = "ann@example.com";
const another = "an entirely different sentence 5";
const page = "/verify-email";
const reset = "/reset-password";

describe("links of an account", () => {
	const app = sharedAccountsApp();
	let browser: PageClient;
	beforeEach(async () => {
		browser = pageClient(app.inject);
		await app.call("POST /auth/register", { body: { email, name: "Ann", password, accept_terms: true } });
	});

	const newestLink = (path = page, address = email) => mailedLink(app, address, path);
	const openLink = async (address = email) => browser.open(await newestLink(page, address));
	const askToReset = async () => {
		await browser.open(reset);
		await browser.submit(`${reset}/request`, { email });
		return newestLink(reset);
	};
	const isVerified = async () => (await findUserByEmail(app.metadata, email))?.email_verified_at !== null;
	const signIn = (given: string) => app.call("POST /auth/token", { body: { email, password: given } });
	const isDead = async (url: string) => {
		const { statusCode, body } = await browser.open(url);
		assert.equal(statusCode, 400, url);
		assert.match(body, /This link is no longer valid/);
	};

	for (const [path, again, told, otherPath, lifetime, fields] of [
		[page, "resend", "is not confirmed yet", reset, 86_400_000, { password }],
		[reset, "request", "has an account", page, 3_600_000, { new_password: another }],
	] as const) {
		const answer = new RegExp(`If the address ${told}, its operator finds a link`);
		test(`${path}: a link that was used, replaced, made up, of another kind or is too old offers another mail`, async () => {
			const ask = async () => {
				assert.match((await browser.submit(`${path}/${again}`, { email })).body, answer);
				return newestLink(path);
			};
			await app.call("POST /auth/forgot-password", { body: { email } });
			const otherKind = (await newestLink(otherPath)).replace(otherPath, path);
			await browser.open(path);
			const first = await ask();
			await browser.open(path);
			const second = await ask();
			for (const url of [first, otherKind, `${path}?token=x`, `${path}?token=${"a".repeat(43)}`]) await isDead(url);
			await browser.open(second);
			app.clock.advance(lifetime);
			assert.equal((await browser.submit(path, fields)).statusCode, 400);
			await isDead(second);
			const third = await ask();
			await browser.open(third);
			assert.equal((await browser.submit(path, fields)).statusCode, 200);
			await isDead(third);
		});
	}

	test("a program that opens the link uses nothing up; the button confirms the address and signs in", async () => {
		const link = await newestLink();
		for (let i = 0; i < 30; i++) assert.equal((await app.inject({ url: link })).statusCode, 200);
		assert.equal((await app.inject({ method: "HEAD", url: link })).statusCode, 200);
		assert.equal(await isVerified(), false);
		await browser.open(link);
		const done = await browser.submit(page, { password });
		assert.match(done.body, /The address is confirmed.*You are signed in as <strong><bdi>ann@example\.com<\/bdi>/s);
		assert.match(done.body, /<a href="\/docs">/);
		assert.equal(await isVerified(), true);
		const cookies = [done.headers["set-cookie"]].flat().map((cookie) => String(cookie).replace(/=[^;]+/, "=…"));
		assert.ok(cookies.includes("svc_link_browser=…; Path=/verify-email; HttpOnly; Secure; SameSite=Lax"));
		const lines = app.logLines.join("\n");
		const token = new URL(link, "https://x").searchParams.get("token") ?? "none";
		const logged = [page, token, email].map((text) => lines.includes(text));
		assert.deepEqual(logged, [true, false, false]);
		assert.equal((await app.call("GET /auth/me", { cookies: sessionOf(browser) })).json().data.email, email);
	});

	test("a browser that is not signed in as who registered is asked for the password, and a wrong one confirms nothing", async () => {
		await openLink();
		assert.match(browser.page.body, /<input id="password" name="password" type="password"/);
		for (const [fields, fault] of [
			[{}, /<p class="fault" id="password-fault">The password is required\./],
			[{ password: "somebody else chose it" }, /The password does not match the password of the/],
			[{ new_password: "password1234" }, /id="new_password-fault"/],
		] as const) {
			const refused = await browser.submit(page, fields);
			assert.equal(refused.statusCode, 422);
			assert.match(refused.body, fault);
		}
		assert.equal(await isVerified(), false);
		await browser.submit(page, { password });
		assert.equal(await isVerified(), true);
	});

	test("the owner of an address that another person registered chooses another password, and the first one opens nothing any more", async () => {
		await openLink();
		assert.match((await browser.submit(page, { new_password: another })).body, /You are signed in as/);
		assert.equal((await signIn(password)).json().error.code, "invalid_credentials");
		assert.equal((await signIn(another)).statusCode, 200);
		const recorded = (await auditTrail(app, "user.password_reset", "user.email_verified")).map(({ action }) => action);
		assert.deepEqual(recorded, ["user.password_reset", "user.email_verified"]);
	});

	/** Registers an address while an app asks, with a site, and lets the app read it. */
	const signUpForAnApp = async () => {
		const clientId = await registerApp(app);
		const requestId = await pendingRequest({ app, clientId });
		const person = { email: "bea@example.com", name: "Bea", password, accept_terms: true };
		const body = { ...person, request_id: requestId, site_name: "Bakery" };
		const { cookies } = await app.call("POST /oauth/onboarding", { body });
		const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
		const csrf = cookies.find(({ name }) => name === "svc_csrf_token")?.value ?? "";
		const owner = { headers: { cookie, "x-csrf-token": csrf } };
		const code = await approvedCode({ app, site: "bakery", owner }, requestId);
		const { access_token: token } = (await exchangeCode(app, clientId, code)).json();
		const connection = async () =>
			(await app.call("GET /sites/bakery", { headers: { authorization: `Bearer ${token}` } })).statusCode;
		assert.equal(await connection(), 200);
		return { cookies, connection };
	};

	for (const [how, status, confirm] of [
		["stays with the password of the registration", 200, () => browser.submit(page, { password })],
		["ends with another password", 401, () => browser.submit(page, { new_password: another })],
		[
			"ends with a link that the API takes alone",
			401,
			() => app.call("POST /email/verify", { body: { token: hiddenFields(browser.page.body, page).token } }),
		],
	] as const) {
		test(`an app's permission from before ${how}`, async () => {
			const { connection } = await signUpForAnApp();
			await openLink("bea@example.com");
			await confirm();
			assert.equal(await connection(), status);
		});
	}

	test("the browser in which somebody signed up for an app needs no password, and the app keeps its access", async () => {
		const { cookies, connection } = await signUpForAnApp();
		for (const { name, value } of cookies) browser.cookies.set(name, value);
		await openLink("bea@example.com");
		assert.doesNotMatch(browser.page.body, /type="password"/);
		assert.match((await browser.submit(page)).body, /You are signed in as/);
		const { data } = (await app.call("GET /oauth/connections", { cookies: sessionOf(browser) })).json();
		assert.deepEqual([data.length, await connection()], [1, 200]);
	});

	test("with a second factor the address is confirmed and nobody is signed in", async () => {
		await openLink();
		await browser.submit(page, { password });
		await enableTwoFactor(app, await app.signIn(email));
		const user = await findUserByEmail(app.metadata, email);
		await updateUser(app.metadata, user?.id ?? 0, { email_verified_at: null });
		await app.call("POST /email/resend-verification", { body: { email } });
		browser = pageClient(app.inject);
		await openLink();
		const done = await browser.submit(page, { password });
		assert.match(done.body, /sign in with your password and the code of your authenticator app/);
		assert.deepEqual([...browser.cookies.keys()], ["svc_link_browser"]);
	});

	test("twenty wrong links from an address, at whatever page or route, shut it alone out for 15 minutes", async () => {
		const link = await newestLink();
		const body = { token: "x".repeat(43), password, new_password: another };
		const routes = ["/email/verify", "/auth/reset-password", "/provision/claim"];
		for (let i = 0; i < 10; i++) {
			await isDead(`${[page, reset, "/claim"][i % 3]}?token=wrong-${i}`);
			assert.equal((await app.call(`POST ${routes[i % 3]}`, { body })).statusCode, 400);
		}
		const shut = await browser.open(link);
		assert.deepEqual([shut.statusCode, shut.headers["retry-after"]], [429, "900"]);
		assert.match(shut.body, /Too many requests\. Try again in 900 seconds\.</);
		for (const path of routes) assert.equal((await app.call(`POST ${path}`, { body })).statusCode, 429, path);
		const elsewhere = { method: "POST", url: "/api/v1/email/verify", remoteAddress: "198.51.100.7" } as const;
		assert.equal((await app.inject({ ...elsewhere, payload: body })).statusCode, 400);
		app.clock.advance(900_000);
		assert.equal((await browser.open(link)).statusCode, 200);
	});

	test("a user who forgot the password asks for a mail, and chooses another one, not too weak, that ends every session", async () => {
		await openLink();
		await browser.submit(page, { password });
		browser = pageClient(app.inject);
		const link = await askToReset();
		for (let i = 0; i < 30; i++) assert.equal((await app.inject({ url: link })).statusCode, 200);
		await browser.open(link);
		for (const [weak, fault] of [
			["a".repeat(12), /The password must not repeat one character\./],
			["", /The password is required\./],
		] as const) {
			const refused = await browser.submit(reset, { new_password: weak });
			assert.equal(refused.statusCode, 422);
			assert.match(refused.body, fault);
			const field = /id="new_password" [^>]*aria-describedby="new_password-fault [^>]*aria-invalid="true" autofocus>/;
			assert.match(refused.body, field);
			assert.doesNotMatch(refused.body, /a{12}/);
		}
		const { body } = await browser.submit(reset, { new_password: another });
		assert.match(body, /You can now sign in with it\. One session was ended\..*<a href="\/docs">/s);
		assert.deepEqual([...browser.cookies.keys()], ["svc_link_browser"]);
		assert.deepEqual([(await signIn(another)).statusCode, (await signIn(password)).statusCode], [200, 401]);
		await isDead(link);
	});

	describe("forms of another page", () => {
		let victim: PageClient;
		beforeEach(async () => {
			await openLink();
			victim = pageClient(app.inject);
			await victim.open(page);
		});

		/** The answer signs in no user, and its form has a working button. */
		function assertRefused({ statusCode, body, cookies }: Awaited<ReturnType<PageClient["post"]>>): void {
			assert.equal(statusCode, 403);
			assert.match(
				body,
				/<title>Error: .*(This form was opened elsewhere, or is too old\. Send it again|Request from a foreign origin)\./s,
			);
			assert.ok(!cookies.some(({ name }) => name === "svc_access_token"));
		}

		test("another page cannot sign somebody in as its author: the token of a form is that of one browser", async () => {
			const form = hiddenFields(browser.page.body, page);
			assertRefused(await victim.post(page, form));
			for (const form_token of ["", "0".repeat(64), "x"])
				assertRefused(await victim.post(page, { ...form, form_token }));
			const stranger = pageClient(app.inject);
			assertRefused(await stranger.post(page, form));
			stranger.cookies.set("svc_link_browser", "planted");
			assertRefused(await stranger.post(page, form));
			// The form that comes back after a refusal works.
			assertRefused(await victim.post(page, { token: form.token ?? "" }));
			assert.equal(hiddenFields(victim.page.body, page).token, form.token);
			assert.match((await browser.submit(page, { password })).body, /The address is confirmed/);
		});

		test("a form from elsewhere is refused by what the browser says of it, even with the right token", async () => {
			for (const headers of [
				{ origin: "https://evil.example" },
				{ "sec-fetch-site": "cross-site" },
				{ "sec-fetch-site": "same-site" },
				{ origin: "null", "sec-fetch-site": "cross-site" },
			]) {
				assertRefused(await browser.submit(page, { password }, headers));
			}
			// A page that keeps its address to itself has no origin to tell.
			const ownHeaders = { origin: "null", "sec-fetch-site": "same-origin" };
			assert.equal((await browser.submit(page, { password }, ownHeaders)).statusCode, 200);
		});

		test("a form does for no other page, and for no other session", async () => {
			const { form_token = "" } = hiddenFields(browser.page.body, page);
			assertRefused(await browser.post("/reset-password/request", { email, form_token }));
			const bob = await app.user("Bob");
			await openLink();
			for (const [name, value] of Object.entries(bob.cookies)) browser.cookies.set(name, value);
			assertRefused(await browser.submit(page, { password }));
		});
	});
});

test("where there is a dashboard, whoever makes the first account or claims a site goes on there, signed in", async () => {
	const dashboardDir = newDirectory();
	mkdirSync(join(dashboardDir, "assets"));
	writeFileSync(join(dashboardDir, "routes.json"), '["/"]');
	const boot = '<script type="application/json" id="boot">{}</script>';
	writeFileSync(join(dashboardDir, "index.html"), `<html lang="en" data-theme="auto">${boot}</html>`);
	await using app = await accountsApp({ dashboardDir, env: { ...provisionEnv, RATE_LIMIT_ENABLED: "false" } });
	const browser = pageClient(app.inject);
	const first = new URL((await createFirstRunLink({ ...app, rootUrl: "http://127.0.0.1" })) ?? "");
	await browser.open(first.pathname + first.search);
	const made = await browser.submit("/setup", { name: "Ann", email, password });
	assert.equal(made.raw.req.url, "/", made.body);
	await provision(app, { email: "bob@example.com" });
	await browser.open(await mailedLink(app, "bob@example.com", "/claim"));
	const claimed = await browser.submit("/claim", { name: "Bob", password: another });
	assert.equal(claimed.raw.req.url, "/", claimed.body);
	const { data } = (await app.call("GET /auth/me", { cookies: sessionOf(browser) })).json();
	assert.equal(data.email, "bob@example.com");
	assert.ok(app.logLines.every((line) => JSON.parse(line).level < 50));
});
