import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { accountsApp, password, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { type PageClient, pageClient } from "../../../../test/support/page-client.ts";

const email = "ann@example.com";
const newPassword = "another horse and other staples";

describe("the page that takes a new password", () => {
	const app = sharedAccountsApp();
	let browser: PageClient;
	beforeEach(async () => {
		browser = pageClient(app.inject);
		await app.user("Ann");
	});

	const askFor = async (address = email) => {
		await browser.open("/reset-password");
		return browser.submit("/reset-password/request", { email: address });
	};
	const newestLink = async (): Promise<string> => {
		const links = (await mailbox(app).to(email)).flatMap((mail) => mail.links);
		const link = new URL(links.findLast((candidate) => candidate.includes("/reset-password?")) ?? "https://no.link");
		return link.pathname + link.search;
	};
	const signInWith = async (given: string) =>
		(await app.call("POST /auth/token", { body: { email, password: given } })).statusCode;

	test("whoever forgot the password asks for a mail, and chooses another one that ends every session", async () => {
		assert.match((await askFor()).body, /If the address has an account, a mail with a link is on its way/);
		const link = await newestLink();
		for (let i = 0; i < 30; i++) assert.equal((await app.inject({ url: link })).statusCode, 200);
		await browser.open(link);
		const done = await browser.submit("/reset-password", { new_password: newPassword });
		assert.equal(done.statusCode, 200);
		assert.match(done.body, /You can now sign in with it\. One session was ended\./);
		assert.match(done.body, /<a href="\/docs">/);
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
			const page = await browser.submit("/reset-password", { new_password: given });
			assert.equal(page.statusCode, 422);
			assert.match(page.body, fault);
			assert.match(
				page.body,
				/id="new_password" [^>]*aria-describedby="new_password-fault [^>]*aria-invalid="true" autofocus>/,
			);
			if (given !== "") assert.equal(page.body.includes(given), false);
		}
		assert.equal((await browser.submit("/reset-password", { new_password: newPassword })).statusCode, 200);
	});

	test("a link that was used, replaced, made up, of another kind or is too old offers another mail", async () => {
		await askFor();
		const first = await newestLink();
		await askFor();
		const second = await newestLink();
		await app.call("POST /auth/register", {
			body: { email: "bob@example.com", name: "Bob", password, accept_terms: true },
		});
		const [mail] = await mailbox(app).to("bob@example.com");
		const token = /token=([\w-]{43})/.exec(mail?.text ?? "")?.[1];
		for (const url of [first, `/reset-password?token=${token}`, "/reset-password?token=x"]) {
			const { statusCode, body } = await browser.open(url);
			assert.equal(statusCode, 400);
			assert.match(body, /This link is no longer valid/);
		}
		await browser.open(second);
		app.clock.advance(3_600_000);
		const late = await browser.submit("/reset-password", { new_password: newPassword });
		assert.equal(late.statusCode, 400);
		assert.match(late.body, /Ask for another one/);
		assert.equal((await browser.submit("/reset-password/request", { email })).statusCode, 200);
		assert.notEqual(await newestLink(), second);
		assert.equal(await signInWith(password), 200);
	});

	test("an unknown address gets the same page, and no mail", async () => {
		const known = (await askFor()).body;
		assert.equal((await askFor("nobody@example.com")).body, known);
		assert.equal((await mailbox(app).to("nobody@example.com")).length, 0);
	});

	test("the form and the API together take three wishes an hour from an address; a faulty one does not count", async () => {
		const limited = await accountsApp({ env: { RATE_LIMIT_ENABLED: "true" } });
		try {
			const one = pageClient(limited.inject);
			await one.open("/reset-password");
			assert.equal((await one.submit("/reset-password/request", { email: "nonsense" })).statusCode, 422);
			assert.equal((await one.submit("/reset-password/request", { email })).statusCode, 200);
			for (let i = 0; i < 2; i++) {
				assert.equal((await limited.call("POST /auth/forgot-password", { body: { email } })).statusCode, 200);
			}
			await one.open("/reset-password");
			const refused = await one.submit("/reset-password/request", { email });
			assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "3600"]);
			assert.match(refused.body, /Too many requests\. Try again in 3600 seconds\.</);
			assert.match(refused.body, /value="ann@example\.com"/);
			// More requests a minute than pages take.
			for (let i = 0; i < 60; i++) await limited.inject({ url: "/reset-password" });
			const tooMany = await limited.inject({ url: "/reset-password" });
			assert.equal(tooMany.statusCode, 429);
			assert.match(String(tooMany.headers["content-type"]), /^text\/html/);
			assert.match(tooMany.body, /Too many requests/);
		} finally {
			await limited.close();
		}
	});
});
