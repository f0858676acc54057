import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { sharedTestApp } from "../../../../test/support/accounts.ts";
import { apiCall } from "../../../../test/support/accounts-app.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { mailedLink, type PageClient, pageClient, sessionOf } from "../../../../test/support/page-client.ts";
import { freshAddress, postClaim, provision, provisionEnv, tokenOf } from "../../../../test/support/provisioning.ts";
import { codeOf } from "../../../../test/support/refusals.ts";
import { endUnclaimedSites } from "./claim-site.ts";

const DAY_MS = 86_400_000;
const password = "nine lives of a cat";
const START = "2026-11-21T12:00:00.000Z";

const app = sharedTestApp({ env: provisionEnv });
const call = (...request: Parameters<ReturnType<typeof apiCall>>) => apiCall(app)(...request);
let browser: PageClient;
let count = 0;
beforeEach(() => {
	app.clock.set(START);
	browser = pageClient(app.inject, freshAddress());
});

/** A site that was just set up, with the token of its mail and the one that was answered. */
async function provisioned() {
	app.clock.set(START);
	const email = `owner${++count}@example.com`;
	const { data } = (await provision(app, { email, domain: "cats.example" })).json();
	const token = await mailedToken(email);
	return {
		email,
		siteId: data.account_id as string,
		key: data.api_key as string,
		resend: tokenOf(data.claim_url),
		token,
	};
}
const mailedToken = async (email: string, page = "/claim") => tokenOf(`https://x${await mailedLink(app, email, page)}`);
async function resetByMail(email: string): Promise<void> {
	await call("POST /auth/forgot-password", { headers: { "x-forwarded-for": freshAddress() }, body: { email } });
	const body = { token: await mailedToken(email, "/reset-password"), new_password: password };
	const done = await call("POST /auth/reset-password", { body });
	assert.equal(done.statusCode, 200, done.body);
}
const claim = (token: string, more: object = {}) => postClaim(app, "/claim", { token, password, ...more });
const claimed = async (...given: Parameters<typeof claim>) => (await claim(...given)).statusCode;
const resent = async (token: string) => (await postClaim(app, "/claim/resend", { token })).statusCode;
const isDead = async (url: string) => {
	const { statusCode, body } = await browser.open(url);
	assert.equal(statusCode, 400, url);
	assert.match(body, /This link is no longer valid.*<a href="\/reset-password">/s);
};
/** Whether the site is active after some time, for its key and for its tracker. */
const activeAfter = async (ms: number, { siteId, key }: { siteId: string; key: string }) => {
	app.clock.advance(ms);
	await endUnclaimedSites(app);
	const shown = await call(`GET /sites/${siteId}`, { headers: { "x-api-key": key } });
	const isActive = shown.json().data.is_active;
	assert.equal((await app.inject({ url: `/t.js?id=${siteId}` })).statusCode, isActive ? 200 : 404);
	return isActive;
};

test("the mailed token sets the password, verifies the address and signs in", async () => {
	const { email, siteId, token } = await provisioned();
	const signIn = () => call("POST /auth/token", { body: { email, password } });
	assert.equal((await signIn()).json().error.code, "invalid_credentials");
	const response = await claim(token, { name: "Cleo" });
	assert.equal(response.headers["cache-control"], "no-store");
	const { data } = response.json();
	assert.deepEqual([data.verified, data.token_type, data.expires_in], [true, "bearer", 900]);
	const { email: address, name, account_ids, email_verified_at } = data.user;
	assert.deepEqual([address, name, account_ids, email_verified_at], [email, "Cleo", [siteId], START]);
	const cookies = response.cookies.map((cookie) => cookie.name).sort();
	assert.deepEqual(cookies, ["svc_access_token", "svc_csrf_token", "svc_refresh_token"]);
	assert.equal((await signIn()).statusCode, 200);
});

test("the page takes name and password and signs in; programs that open the link use nothing up", async () => {
	const { email, siteId, token, resend } = await provisioned();
	const [link, resendLink] = [`/claim?token=${token}`, `/claim?resend=${resend}`];
	for (let i = 0; i < 30; i++) assert.equal((await app.inject({ url: link })).statusCode, 200);
	const page = await browser.open(link);
	assert.equal(page.headers["referrer-policy"], "no-referrer");
	assert.equal(page.body.includes(email), false);
	const refused = await browser.submit("/claim", { name: "", password: `my name is ${email.split("@")[0]}, so what` });
	assert.equal(refused.statusCode, 422);
	assert.match(refused.body, /id="password-fault">The password must not contain the email address\./);
	assert.equal(refused.body.includes("so what"), false);
	assert.match((await browser.submit("/claim")).body, /The password is required\./);
	const done = await browser.submit("/claim", { name: "Cleo C.", password });
	assert.match(done.body, /The site is now yours/);
	assert.ok(done.body.includes(`signed in as <strong><bdi>${email}</bdi>`));
	const { data: user } = (await call("GET /auth/me", { cookies: sessionOf(browser) })).json();
	assert.deepEqual([user.email, user.name, user.account_ids], [email, "Cleo C.", [siteId]]);
	for (const used of [link, resendLink]) await isDead(used);
});

test("a token works once, and a claimed site stays active after 90 days", async () => {
	const site = await provisioned();
	assert.equal((await claim(site.token)).json().data.user.name, "Cat Shop");
	assert.equal(await claimed(site.token, { password: "another good password" }), 400);
	assert.equal(await activeAfter(91 * DAY_MS, site), true);
});

test("a token that is made up, of the other kind, a week old or of a user who was shut out is refused", async () => {
	const { token, resend } = await provisioned();
	for (const bad of ["x".repeat(43), resend]) {
		assert.deepEqual(codeOf(await claim(bad)), [400, "bad_request"]);
		await isDead(`/claim?token=${bad}`);
	}
	for (const url of [`/claim?resend=${token}`, "/claim", "/claim?token=x", "/claim?resend=x"]) await isDead(url);
	app.clock.advance(7 * DAY_MS - 1);
	await browser.open(`/claim?token=${token}`);
	app.clock.advance(1);
	assert.equal(await claimed(token), 400);
	assert.equal((await browser.submit("/claim", { password })).statusCode, 400);
	assert.equal((await browser.open(`/claim?resend=${resend}`)).statusCode, 200);
	app.clock.set(START);
	app.clock.advance(7 * DAY_MS - 1);
	assert.equal(await claimed(token), 200);
	const shut = await provisioned();
	await tables(app.metadata).updateTable("users").set({ is_active: 0 }).where("email", "=", shut.email).execute();
	assert.deepEqual([await claimed(shut.token), await resent(shut.resend)], [400, 400]);
});

test("the answered token's page mails a new link without the key by a button, says nothing of whose it is, and dies with the claim", async () => {
	const { email, token, resend, key } = await provisioned();
	const resendLink = `/claim?resend=${resend}`;
	for (let i = 0; i < 5; i++) await app.inject({ url: resendLink, headers: { "x-forwarded-for": freshAddress() } });
	assert.equal((await mailbox(app).to(email)).length, 1);
	const page = await browser.open(resendLink);
	const sent = await browser.submit("/claim/resend");
	assert.match(sent.body, /Check your email/);
	assert.equal(`${page.body}${sent.body}`.includes(email), false);
	const [, mail, ...others] = await mailbox(app).to(email);
	assert.deepEqual([mail?.text.includes(key), others], [false, []]);
	assert.equal(await claimed(token), 400, "the new link ends the one before");
	assert.equal(await claimed(tokenOf(mail?.links[0])), 200);
	assert.deepEqual([await resent(resend), await resent("y".repeat(43))], [400, 400]);
});

test("API and page together send three mails an hour of a token, from whatever address", async () => {
	const { email, resend } = await provisioned();
	const { data } = (await postClaim(app, "/claim/resend", { token: resend })).json();
	assert.deepEqual([data, await resent(resend)], [{ message: "Email sent" }, 200]);
	await browser.open(`/claim?resend=${resend}`);
	assert.equal((await browser.submit("/claim/resend")).statusCode, 200);
	const other = pageClient(app.inject, freshAddress());
	await other.open(`/claim?resend=${resend}`);
	const refused = await other.submit("/claim/resend");
	assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "3600"]);
	assert.match(refused.body, /Too many requests\. Try again in 3600 seconds\.<.*Resend email/s);
	assert.deepEqual([await resent(resend), (await mailbox(app).to(email)).length], [429, 4]);
});

test("90 days without a claim make the site inactive; a late claim or a mailed reset brings it back", async () => {
	const site = await provisioned();
	assert.equal(await activeAfter(90 * DAY_MS - 1, site), true);
	assert.equal(await resent(site.resend), 200);
	const token = await mailedToken(site.email);
	assert.equal(await activeAfter(1, site), false);
	assert.equal(await claimed(token), 200);
	assert.equal(await activeAfter(0, site), true);
	const other = await provisioned();
	assert.equal(await activeAfter(91 * DAY_MS, other), false);
	await resetByMail(other.email);
	assert.equal(await activeAfter(0, other), true);
});

test("a reset of a password that was set wakes no site that its owner put to sleep", async () => {
	const site = await provisioned();
	const { access_token: token } = (await claim(site.token)).json().data;
	await activeAfter(91 * DAY_MS, site);
	app.clock.set(START);
	await call(`DELETE /sites/${site.siteId}`, { headers: { authorization: `Bearer ${token}` } });
	await resetByMail(site.email);
	assert.equal(await activeAfter(0, site), false);
});

test("a password set by a mailed reset link counts as a claim, and ends the claim link", async () => {
	const site = await provisioned();
	await resetByMail(site.email);
	assert.equal(await claimed(site.token, { password: "somebody else's password" }), 400);
	assert.equal(await activeAfter(91 * DAY_MS, site), true);
});
