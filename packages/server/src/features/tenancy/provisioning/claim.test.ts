import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { sharedTestApp } from "../../../../test/support/accounts.ts";
import { apiCall } from "../../../../test/support/accounts-app.ts";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { mailedLink } from "../../../../test/support/page-client.ts";
import { freshAddress, postClaim, provision, provisionEnv, tokenOf } from "../../../../test/support/provisioning.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";
import { endUnclaimedSites } from "./unclaimed-sites.ts";

const DAY_MS = 86_400_000;
const password = "nine lives of a cat";
const START = "2026-11-21T12:00:00.000Z";

describe("claiming", () => {
	const app = sharedTestApp({ env: provisionEnv });
	const call = (...request: Parameters<ReturnType<typeof apiCall>>) => apiCall(app)(...request);
	let count = 0;

	/** A site that was just set up, with the token of its mail. */
	async function provisioned() {
		app.clock.set(START);
		const email = `owner${++count}@example.com`;
		const { data } = (await provision(app, { email, domain: "cats.example" })).json();
		return { email, siteId: data.account_id, resend: tokenOf(data.claim_url), token: await mailedToken(email), data };
	}
	async function mailedToken(email: string): Promise<string> {
		const mails = await mailbox(app).to(email);
		return tokenOf(mails.at(-1)?.links.find((link) => link.includes("token=")));
	}
	async function resetByMail(email: string): Promise<void> {
		await call("POST /auth/forgot-password", { headers: { "x-forwarded-for": freshAddress() }, body: { email } });
		const body = { token: await mailedToken(email), new_password: password };
		const done = await call("POST /auth/reset-password", { body });
		assert.equal(done.statusCode, 200, done.body);
	}
	const claim = (token: string, more: object = {}, ip?: string) =>
		postClaim(app, "/claim", { token, password, ...more }, ip);
	const claimed = async (...given: Parameters<typeof claim>) => (await claim(...given)).statusCode;
	const resent = async (token: string, ip?: string) =>
		(await postClaim(app, "/claim/resend", { token }, ip)).statusCode;
	/** Whether the site is active after some time, for its key and for its tracker. */
	const activeAfter = async (ms: number, site: { siteId: string; data: { api_key: string } }) => {
		app.clock.advance(ms);
		await endUnclaimedSites(app);
		const shown = await call(`GET /sites/${site.siteId}`, { headers: { "x-api-key": site.data.api_key } });
		const isActive = shown.json().data.is_active;
		assert.equal((await app.inject({ url: `/t.js?id=${site.siteId}` })).statusCode, isActive ? 200 : 404);
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

	test("a token works once, and a claimed site stays active after 90 days", async () => {
		const site = await provisioned();
		assert.equal((await claim(site.token)).json().data.user.name, "Cat Shop");
		assert.equal(await claimed(site.token, { password: "another good password" }), 400);
		assert.equal(await activeAfter(91 * DAY_MS, site), true);
	});

	test("a token that is made up, of the other kind, a week old or of a user who was shut out is refused", async () => {
		const { token, resend } = await provisioned();
		for (const bad of ["x".repeat(43), resend]) assert.deepEqual(codeOf(await claim(bad)), [400, "bad_request"]);
		app.clock.advance(7 * DAY_MS);
		assert.equal(await claimed(token), 400);
		app.clock.set(START);
		app.clock.advance(7 * DAY_MS - 1);
		assert.equal(await claimed(token), 200);
		const shut = await provisioned();
		await tables(app.metadata).updateTable("users").set({ is_active: 0 }).where("email", "=", shut.email).execute();
		assert.deepEqual([await claimed(shut.token), await resent(shut.resend)], [400, 400]);
	});

	test("a password that the policy refuses is named and leaves the token alive", async () => {
		const { email, token } = await provisioned();
		for (const bad of ["short", "x".repeat(129), `${email.split("@")[0]} and more`]) {
			assert.deepEqual(fieldsOf(await claim(token, { password: bad })), [422, "body.password"]);
		}
		assert.deepEqual(fieldsOf(await postClaim(app, "/claim", {})), [422, "body.password", "body.token"]);
		assert.equal(await claimed(token), 200);
	});

	test("the answer's token has the mail sent again with a new link and without the key, and dies with the claim", async () => {
		const { email, token, resend, data } = await provisioned();
		const response = await postClaim(app, "/claim/resend", { token: resend });
		assert.deepEqual(response.json().data, { message: "Email sent" });
		const [, mail, ...others] = await mailbox(app).to(email);
		assert.deepEqual([mail?.text.includes(data.api_key), others], [false, []]);
		assert.equal(await claimed(token), 400, "the new link ends the one before");
		assert.equal(await claimed(tokenOf(mail?.links[0])), 200);
		assert.deepEqual([await resent(resend), await resent("y".repeat(43))], [400, 400]);
	});

	test("three mails an hour: of an address, and of a token from anywhere", async () => {
		const { resend } = await provisioned();
		const statuses = [];
		for (let index = 0; index < 4; index++) statuses.push(await resent(resend));
		const ip = freshAddress();
		for (let index = 0; index < 4; index++) statuses.push(await resent(`${index}`.repeat(43), ip));
		assert.deepEqual(statuses, [200, 200, 200, 429, 400, 400, 400, 429]);
	});

	test("twenty wrong tokens in 15 minutes from an address are enough, and right ones do not count", async () => {
		const { token } = await provisioned();
		const ip = freshAddress();
		const wrong = (index: number) => `${index}`.padEnd(43, "x");
		for (let index = 0; index < 20; index++) assert.equal(await claimed(wrong(index), {}, ip), 400);
		assert.deepEqual([await claimed(wrong(20), {}, ip), await claimed(token, {}, ip)], [429, 429]);
		assert.equal(await claimed(token), 200);
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
});

appOnBothEngines("provisioning and claims at once", (open) => {
	const app = sharedTestApp({ env: provisionEnv }, open);

	const statuses = (answers: readonly { readonly statusCode: number }[]) =>
		answers.map(({ statusCode }) => statusCode).sort();
	test("of two for one address one is served", async () => {
		const both = await Promise.all([1, 2].map(() => provision(app, { email: "oli@example.com" })));
		assert.deepEqual(statuses(both), [200, 409]);
		const made = (await auditTrail(app, "site.created", "user.created")).map(({ action }) => action).sort();
		assert.deepEqual(made, ["site.created", "user.created"]);
	});

	test("of two claims with one token one succeeds", async () => {
		await provision(app, { email: "rita@example.com" });
		const token = tokenOf(`https://x${await mailedLink(app, "rita@example.com", "/claim")}`);
		const both = await Promise.all([1, 2].map(() => postClaim(app, "/claim", { token, password })));
		assert.deepEqual(statuses(both), [200, 400]);
	});
});
