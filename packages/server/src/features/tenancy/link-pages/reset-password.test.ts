import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { accountsApp, password, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { enableTwoFactor } from "../../../../test/support/authenticator.ts";
import { mailedLink, type PageClient, pageClient, sessionOf } from "../../../../test/support/page-client.ts";
import { provision, provisionEnv } from "../../../../test/support/provisioning.ts";
import { createFirstRunLink } from "../../people/auth/index.ts";

const email = "ann@example.com";
const newPassword = "another horse and other staples";

describe("the page that takes a new password", () => {
	const app = sharedAccountsApp();
	let browser: PageClient;
	beforeEach(async () => {
		browser = pageClient(app.inject);
		await app.user("Ann");
	});

	const askFor = async () => {
		await browser.open("/reset-password");
		return browser.submit("/reset-password/request", { email });
	};
	const newestLink = () => mailedLink(app, email, "/reset-password");
	const signInWith = async (given: string) =>
		(await app.call("POST /auth/token", { body: { email, password: given } })).statusCode;

	test("whoever forgot the password asks for a mail, and chooses another one that ends every session", async () => {
		assert.match((await askFor()).body, /If the address has an account, we have sent a link/);
		const link = await newestLink();
		for (let i = 0; i < 30; i++) assert.equal((await app.inject({ url: link })).statusCode, 200);
		await browser.open(link);
		const { body } = await browser.submit("/reset-password", { new_password: newPassword });
		assert.match(body, /You can now sign in with it\. One session was ended\..*<a href="\/docs">/s);
		assert.deepEqual([...browser.cookies.keys()], ["svc_link_browser"]);
		assert.deepEqual([await signInWith(newPassword), await signInWith(password)], [200, 401]);
		assert.equal((await browser.open(link)).statusCode, 400);
	});

	test("a password that the policy refuses comes back with the fault at its field, and the link lives on", async () => {
		await askFor();
		await browser.open(await newestLink());
		for (const [given, fault] of [
			["short", /The password must NOT have fewer than 12 characters\./],
			["aaaaaaaaaaaaaaaa", /The password must not repeat one character\./],
			["", /The password is required\./],
		] as const) {
			const { statusCode, body } = await browser.submit("/reset-password", { new_password: given });
			assert.equal(statusCode, 422);
			assert.match(body, fault);
			assert.match(
				body,
				/id="new_password" [^>]*aria-describedby="new_password-fault [^>]*aria-invalid="true" autofocus>/,
			);
			if (given !== "") assert.equal(body.includes(given), false);
		}
		assert.equal((await browser.submit("/reset-password", { new_password: newPassword })).statusCode, 200);
	});

	test("a link that was used, replaced, made up, of another kind or is too old offers another mail", async () => {
		await askFor();
		const first = await newestLink();
		await askFor();
		const second = await newestLink();
		const bob = { email: "bob@example.com", name: "Bob", password, accept_terms: true };
		await app.call("POST /auth/register", { body: bob });
		const otherKind = (await mailedLink(app, bob.email, "/verify-email")).replace("verify-email", "reset-password");
		for (const url of [first, otherKind, "/reset-password?token=x"]) {
			const { statusCode, body } = await browser.open(url);
			assert.equal(statusCode, 400);
			assert.match(body, /This link is no longer valid/);
		}
		await browser.open(second);
		app.clock.advance(3_600_000);
		const late = await browser.submit("/reset-password", { new_password: newPassword });
		assert.equal(late.statusCode, 400);
		assert.match(late.body, /Request another one/);
		assert.equal((await browser.submit("/reset-password/request", { email })).statusCode, 200);
		assert.notEqual(await newestLink(), second);
		assert.equal(await signInWith(password), 200);
	});

	test("the form and the API together take three wishes an hour from an address; a faulty one does not count", async (t) => {
		const limited = await accountsApp({ env: { RATE_LIMIT_ENABLED: "true" } });
		t.after(() => limited.close());
		browser = pageClient(limited.inject);
		await browser.open("/reset-password");
		const wish = (address = email) => browser.submit("/reset-password/request", { email: address });
		assert.equal((await wish("nonsense")).statusCode, 422);
		assert.equal((await wish()).statusCode, 200);
		for (let i = 0; i < 2; i++) await limited.call("POST /auth/forgot-password", { body: { email } });
		await browser.open("/reset-password");
		const refused = await wish();
		assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "3600"]);
		assert.match(refused.body, /Too many requests\. Try again in 3600 seconds\.<.*value="ann@example\.com"/s);
		// More requests a minute than pages take.
		for (let i = 0; i < 60; i++) await limited.inject({ url: "/reset-password" });
		const tooMany = await limited.inject({ url: "/reset-password" });
		assert.deepEqual([tooMany.statusCode, tooMany.headers["content-type"]], [429, "text/html; charset=utf-8"]);
		assert.match(tooMany.body, /Too many requests/);
	});
});

describe("where there is a dashboard, mailed links lead on to it", () => {
	const dashboardDir = mkdtempSync(join(tmpdir(), "footfall-dashboard-"));
	after(() => rmSync(dashboardDir, { recursive: true }));
	mkdirSync(join(dashboardDir, "assets"));
	writeFileSync(join(dashboardDir, "routes.json"), '["/"]');
	const boot = '<script type="application/json" id="boot">{}</script>';
	writeFileSync(join(dashboardDir, "index.html"), `<html lang="en" data-theme="auto">${boot}</html>`);

	const app = sharedAccountsApp({ dashboardDir, env: { ...provisionEnv, RATE_LIMIT_ENABLED: "false" } });
	let browser: PageClient;
	beforeEach(() => {
		browser = pageClient(app.inject);
	});
	afterEach(() => {
		const faults = app.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
		assert.deepEqual(faults, []);
	});

	test("whoever makes the first account or claims a site that was set up for them goes on there, signed in", async () => {
		const first = new URL((await createFirstRunLink({ ...app, rootUrl: "http://127.0.0.1" })) ?? "");
		await browser.open(first.pathname + first.search);
		const made = await browser.submit("/setup", { name: "Ann", email, password });
		assert.equal(made.raw.req.url, "/", made.body);
		await provision(app, { email: "bob@example.com" });
		await browser.open(await mailedLink(app, "bob@example.com", "/claim"));
		const claimed = await browser.submit("/claim", { name: "Bob", password: newPassword });
		assert.equal(claimed.raw.req.url, "/", claimed.body);
		const { data } = (await app.call("GET /auth/me", { cookies: sessionOf(browser) })).json();
		assert.equal(data.email, "bob@example.com");
	});

	test("whoever chose a new password goes on to sign in with it, and is told so", async () => {
		await enableTwoFactor(app, await app.user("Ann"));
		await browser.open("/reset-password");
		await browser.submit("/reset-password/request", { email });
		await browser.open(await mailedLink(app, email, "/reset-password"));
		const done = await browser.submit("/reset-password", { new_password: newPassword });
		assert.equal(done.raw.req.url, "/sign-in?news=password-changed", done.body);
		assert.equal(browser.cookies.has("svc_access_token"), false);
	});
});
