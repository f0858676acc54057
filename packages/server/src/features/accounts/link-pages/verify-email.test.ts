import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type AccountsApp, onBothEngines, password } from "../../../../test/support/accounts-app.ts";
import { enableTwoFactor } from "../../../../test/support/authenticator.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { findUserByEmail, updateUser } from "../users/index.ts";

const email = "ann@example.com";
const dead = /This link is no longer valid/;

onBothEngines("the page that confirms an address", (open) => {
	let app: AccountsApp;
	let browser: PageClient;
	beforeEach(async () => {
		app = await open();
		browser = pageClient(app.inject);
		await register(email);
	});
	afterEach(() => app.close());

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
		const done = await browser.submit("/verify-email");
		assert.equal(done.statusCode, 200);
		assert.match(done.body, /The address is confirmed/);
		assert.match(done.body, /You are signed in as <strong><bdi>ann@example\.com<\/bdi>/);
		assert.match(done.body, /<a href="\/docs">/);
		assert.equal(await isVerified(), true);
		const cookies = [done.headers["set-cookie"]].flat().map((cookie) => String(cookie).replace(/=[^;]+/, "=…"));
		for (const cookie of [
			"svc_access_token=…; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax",
			"svc_refresh_token=…; Max-Age=2592000; Path=/api/v1/auth; HttpOnly; Secure; SameSite=Strict",
			"svc_csrf_token=…; Max-Age=2592000; Path=/; Secure; SameSite=Lax",
			"svc_link_browser=…; Path=/verify-email; HttpOnly; Secure; SameSite=Lax",
		]) {
			assert.ok(cookies.includes(cookie), `${cookie} of ${cookies.join("\n")}`);
		}
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
		await browser.submit("/verify-email");
		assert.equal((await browser.open(third)).statusCode, 400);
	});

	test("of two who press the button at once, one is signed in", async () => {
		const link = await newestLink();
		const others = [pageClient(app.inject), pageClient(app.inject)];
		for (const other of others) await other.open(link);
		const answers = await Promise.all(others.map((other) => other.submit("/verify-email")));
		assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 400]);
		assert.equal(answers.filter(({ cookies }) => cookies.some(({ name }) => name === "svc_access_token")).length, 1);
	});

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
		await browser.submit("/verify-email");
		await enableTwoFactor(app, await app.signIn(email));
		const user = await findUserByEmail(app.metadata, email);
		await updateUser(app.metadata, user?.id ?? 0, { email_verified_at: null });
		await app.call("POST /email/resend-verification", { body: { email } });
		const other = pageClient(app.inject);
		await other.open(await newestLink());
		const done = await other.submit("/verify-email");
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

	test("nothing of a link or an address is logged", async () => {
		const link = await newestLink();
		await browser.open(link);
		await browser.submit("/verify-email");
		const token = new URL(link, "https://x").searchParams.get("token") ?? "none";
		const lines = app.logLines.join("\n");
		assert.ok(lines.includes("/verify-email"));
		assert.equal(lines.includes(token) || lines.includes(email), false);
	});
});
