import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { sharedTestApp } from "../../../../test/support/accounts.ts";
import { apiCall } from "../../../../test/support/accounts-app.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { mailedLink, type PageClient, pageClient, sessionOf } from "../../../../test/support/page-client.ts";
import { freshAddress, postClaim, provision, provisionEnv, tokenOf } from "../../../../test/support/provisioning.ts";

const password = "a password of seven cats";

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
		resendLink = claim_url.slice(new URL(claim_url).origin.length);
	});

	const newestLink = () => mailedLink(app, email, "/claim");
	const sentMails = async () => (await mailbox(app).to(email)).length;
	const isDead = async (url: string) => {
		const { statusCode, body } = await browser.open(url);
		assert.equal(statusCode, 400, url);
		assert.match(body, /This link is no longer valid.*<a href="\/reset-password">/s);
	};

	test("the link takes a password and makes the site its user's; programs that open it use nothing up", async () => {
		const link = await newestLink();
		for (let i = 0; i < 30; i++) assert.equal((await app.inject({ url: link })).statusCode, 200);
		const page = await browser.open(link);
		assert.equal(page.headers["referrer-policy"], "no-referrer");
		assert.equal(page.body.includes(email), false);
		const refused = await browser.submit("/claim", { name: "", password: `my name is cleo${owners}, so what` });
		assert.equal(refused.statusCode, 422);
		assert.match(refused.body, /id="password-fault">The password must not contain the email address\./);
		assert.equal(refused.body.includes("so what"), false);
		assert.match((await browser.submit("/claim")).body, /The password is required\./);
		const done = await browser.submit("/claim", { name: "Cleo C.", password });
		assert.match(done.body, /The site is now yours/);
		assert.ok(done.body.includes(`signed in as <strong><bdi>${email}</bdi>`));
		const { data: user } = (await apiCall(app)("GET /auth/me", { cookies: sessionOf(browser) })).json();
		assert.deepEqual([user.email, user.name, user.account_ids], [email, "Cleo C.", [siteId]]);
		for (const used of [link, resendLink]) await isDead(used);
	});

	test("the address that was given out has the mail sent again by a button, and says nothing of whose it is", async () => {
		const first = await newestLink();
		for (let i = 0; i < 5; i++) await app.inject({ url: resendLink, headers: { "x-forwarded-for": freshAddress() } });
		assert.equal(await sentMails(), 1);
		const page = await browser.open(resendLink);
		const sent = await browser.submit("/claim/resend");
		assert.match(sent.body, /Check your email/);
		assert.equal(`${page.body}${sent.body}`.includes(email), false);
		await isDead(first);
		await browser.open(await newestLink());
		assert.equal((await browser.submit("/claim", { name: "", password })).statusCode, 200);
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
		assert.match(refused.body, /Too many requests\. Try again in 3600 seconds\.<.*Resend email/s);
		assert.equal(await sentMails(), 4);
	});

	test("a token of one kind is none of the other, and what is made up or too old is dead", async () => {
		const link = await newestLink();
		const swapped = [link.replace("token=", "resend="), resendLink.replace("resend=", "token=")];
		for (const url of [...swapped, "/claim", "/claim?token=x", "/claim?resend=x"]) await isDead(url);
		await browser.open(link);
		app.clock.advance(7 * 86_400_000);
		assert.equal((await browser.submit("/claim", { password })).statusCode, 400);
		assert.equal((await browser.open(resendLink)).statusCode, 200);
	});
});
