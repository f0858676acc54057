import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { sharedTestApp } from "../../../../test/support/accounts.ts";
import { apiCall } from "../../../../test/support/accounts-app.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { freshAddress, postClaim, provision, provisionEnv, tokenOf } from "../../../../test/support/provisioning.ts";

const password = "a password of seven cats";
const dead = /This link is no longer valid/;

describe("the page that claims a site", () => {
	const app = sharedTestApp({ env: provisionEnv });
	let browser: PageClient;
	let email: string;
	let siteId: string;
	let owners = 0;
	/** The address that was given out when the site was set up. */
	let resendLink: string;
	beforeEach(async () => {
		app.clock.set("2026-11-21T12:00:00.000Z");
		browser = pageClient(app.inject, freshAddress());
		email = `cleo${++owners}@example.com`;
		const { account_id, claim_url } = (await provision(app, { email })).json().data;
		siteId = account_id;
		resendLink = pathOf(claim_url);
	});

	const newestLink = async (): Promise<string> => {
		const links = (await mailbox(app).to(email)).flatMap((mail) => mail.links);
		return pathOf(links.findLast((link) => link.includes("/claim?token=")) ?? "https://no.link");
	};
	const me = async (cookies: ReadonlyMap<string, string>) => {
		const shown = { svc_access_token: cookies.get("svc_access_token") ?? "" };
		return (await apiCall(app)("GET /auth/me", { cookies: shown })).json().data;
	};

	test("the link takes a password and makes the site its user's; programs that open it use nothing up", async () => {
		const link = await newestLink();
		for (let i = 0; i < 30; i++) assert.equal((await app.inject({ url: link })).statusCode, 200);
		const page = await browser.open(link);
		assert.equal(page.headers["referrer-policy"], "no-referrer");
		assert.equal(page.body.includes(email), false);
		const done = await browser.submit("/claim", { name: "Cleo C.", password });
		assert.equal(done.statusCode, 200);
		assert.match(done.body, /The site is yours/);
		assert.ok(done.body.includes(`signed in as <strong><bdi>${email}</bdi>`));
		const user = await me(browser.cookies);
		assert.deepEqual([user.email, user.name, user.account_ids], [email, "Cleo C.", [siteId]]);
		const signIn = await apiCall(app)("POST /auth/token", { body: { email, password } });
		assert.equal(signIn.statusCode, 200);
		for (const used of [link, resendLink]) {
			const { statusCode, body } = await browser.open(used);
			assert.equal(statusCode, 400);
			assert.match(body, dead);
			assert.match(body, /<a href="\/reset-password">/);
		}
	});

	test("the name may stay empty; a password that the policy refuses comes back with its fault", async () => {
		await browser.open(await newestLink());
		const refused = await browser.submit("/claim", { name: "", password: `my name is cleo${owners}, so what` });
		assert.equal(refused.statusCode, 422);
		assert.match(refused.body, /id="password-fault">The password must not contain the e-mail address\./);
		assert.equal(refused.body.includes("so what"), false);
		assert.match((await browser.submit("/claim")).body, /The password is required\./);
		assert.equal((await browser.submit("/claim", { name: "", password })).statusCode, 200);
		assert.equal((await me(browser.cookies)).email, email);
	});

	test("the address that was given out has the mail sent again by a button, and says nothing of whose it is", async () => {
		const first = await newestLink();
		for (let i = 0; i < 5; i++) await app.inject({ url: resendLink, headers: { "x-forwarded-for": freshAddress() } });
		assert.equal((await mailbox(app).to(email)).length, 1);
		const page = await browser.open(resendLink);
		const sent = await browser.submit("/claim/resend");
		assert.equal(sent.statusCode, 200);
		assert.match(sent.body, /The mail is on its way/);
		assert.equal(`${page.body}${sent.body}`.includes(email), false);
		const second = await newestLink();
		assert.notEqual(second, first);
		assert.match((await browser.open(first)).body, dead);
		await browser.open(second);
		assert.equal((await browser.submit("/claim", { password })).statusCode, 200);
	});

	test("the form and the API together send three mails an hour for a site, wherever they are asked", async () => {
		const token = tokenOf(`https://x${resendLink}`);
		for (let i = 0; i < 2; i++) assert.equal((await postClaim(app, "/claim/resend", { token })).statusCode, 200);
		await browser.open(resendLink);
		assert.equal((await browser.submit("/claim/resend")).statusCode, 200);
		const other = pageClient(app.inject, freshAddress());
		await other.open(resendLink);
		const refused = await other.submit("/claim/resend");
		assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "3600"]);
		assert.match(refused.body, /Too many requests\. Try again in 3600 seconds\.<.*Send the mail again/s);
		assert.equal((await mailbox(app).to(email)).length, 4);
	});

	test("a token of one kind is none of the other, and what is made up or too old is dead", async () => {
		const link = await newestLink();
		const swapped = [link.replace("token=", "resend="), resendLink.replace("resend=", "token=")];
		for (const url of [...swapped, "/claim", "/claim?token=x", "/claim?resend=x"]) {
			const { statusCode, body } = await browser.open(url);
			assert.equal(statusCode, 400, url);
			assert.match(body, dead);
		}
		await browser.open(link);
		app.clock.advance(7 * 86_400_000);
		const late = await browser.submit("/claim", { password });
		assert.equal(late.statusCode, 400);
		assert.match(late.body, dead);
		assert.equal((await browser.open(resendLink)).statusCode, 200);
	});
});

function pathOf(link: string): string {
	const { pathname, search } = new URL(link);
	return pathname + search;
}
