import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { sharedTestApp } from "../../../../test/support/accounts.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { freshAddress, postClaim, provision, provisionEnv, tokenOf } from "../../../../test/support/provisioning.ts";
import { codeOf } from "../../../../test/support/refusals.ts";
import { endUnclaimedSites } from "./unclaimed-sites.ts";

const DAY_MS = 86_400_000;
const password = "nine lives of a cat";
const START = "2026-11-21T12:00:00.000Z";

describe("claiming", () => {
	const app = sharedTestApp({ env: provisionEnv });
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
		await app.inject({
			method: "POST",
			url: "/api/v1/auth/forgot-password",
			headers: { "x-forwarded-for": freshAddress() },
			payload: { email },
		});
		const payload = { token: await mailedToken(email), new_password: password };
		const done = await app.inject({ method: "POST", url: "/api/v1/auth/reset-password", payload });
		assert.equal(done.statusCode, 200, done.body);
	}
	const claim = (token: string, more: object = {}) => postClaim(app, "/claim", { token, password, ...more });
	const resend = (token: string, ip?: string) => postClaim(app, "/claim/resend", { token }, ip);
	const isActive = async (siteId: string, key: string) =>
		(await app.inject({ method: "GET", url: `/api/v1/sites/${siteId}`, headers: { "x-api-key": key } })).json().data
			.is_active;

	test("the mailed token sets the password, verifies the address and signs in", async () => {
		const { email, siteId, token } = await provisioned();
		const signIn = () => app.inject({ method: "POST", url: "/api/v1/auth/token", payload: { email, password } });
		assert.equal((await signIn()).json().error.code, "invalid_credentials");
		const response = await claim(token, { name: "Cleo" });
		assert.equal(response.statusCode, 200, response.body);
		assert.equal(response.headers["cache-control"], "no-store");
		const { data } = response.json();
		assert.deepEqual([data.verified, data.token_type, data.expires_in], [true, "bearer", 900]);
		assert.deepEqual([data.user.email, data.user.name, data.user.account_ids], [email, "Cleo", [siteId]]);
		assert.equal(data.user.email_verified_at, START);
		assert.deepEqual(response.cookies.map(({ name }) => name).sort(), [
			"svc_access_token",
			"svc_csrf_token",
			"svc_refresh_token",
		]);
		assert.equal((await signIn()).statusCode, 200);
	});

	test("a token works once, and a claimed site stays active after 90 days", async () => {
		const { siteId, token, data } = await provisioned();
		assert.equal((await claim(token)).json().data.user.name, "Cat Shop");
		assert.equal((await claim(token, { password: "another good password" })).statusCode, 400);
		app.clock.advance(91 * DAY_MS);
		await endUnclaimedSites(app);
		assert.equal(await isActive(siteId, data.api_key), true);
	});

	test("a token that is made up, of the other kind or a week old is refused", async () => {
		const { token, resend: other } = await provisioned();
		for (const bad of ["x".repeat(43), other]) {
			const response = await claim(bad);
			assert.deepEqual(codeOf(response), [400, "bad_request"]);
		}
		app.clock.advance(7 * DAY_MS);
		assert.equal((await claim(token)).statusCode, 400);
		app.clock.set(START);
		app.clock.advance(7 * DAY_MS - 1);
		assert.equal((await claim(token)).statusCode, 200);
	});

	test("a password that the policy refuses is named and leaves the token alive", async () => {
		const { email, token } = await provisioned();
		for (const bad of ["short", "x".repeat(129), `${email.split("@")[0]} and more`]) {
			const response = await claim(token, { password: bad });
			assert.equal(response.statusCode, 422);
			assert.equal(response.json().error.detail[0].field, "body.password");
		}
		const fields = (await postClaim(app, "/claim", {}))
			.json()
			.error.detail.map(({ field }: { field: string }) => field);
		assert.deepEqual(fields.sort(), ["body.password", "body.token"]);
		assert.equal((await claim(token)).statusCode, 200);
	});

	test("the answer's token has the mail sent again, with a new link that ends the one before and without the key", async () => {
		const { email, token, resend: resendToken, data } = await provisioned();
		const response = await resend(resendToken);
		assert.deepEqual(response.json().data, { message: "The mail is on its way" });
		const mails = await mailbox(app).to(email);
		assert.equal(mails.length, 2);
		assert.ok(!mails[1]?.text.includes(data.api_key));
		assert.equal((await claim(token)).statusCode, 400);
		assert.equal((await claim(tokenOf(mails[1]?.links[0]))).statusCode, 200);
	});

	test("the answer's token claims nothing, and dies with the claim", async () => {
		const { token, resend: resendToken } = await provisioned();
		assert.equal((await claim(resendToken)).statusCode, 400);
		await claim(token);
		assert.equal((await resend(resendToken)).statusCode, 400);
		assert.equal((await resend("y".repeat(43))).statusCode, 400);
	});

	test("three mails an hour: of an address, and of a token from anywhere", async () => {
		const { resend: resendToken } = await provisioned();
		const statuses = [];
		for (let index = 0; index < 4; index++) statuses.push((await resend(resendToken)).statusCode);
		assert.deepEqual(statuses, [200, 200, 200, 429]);
		const ip = freshAddress();
		const others = [];
		for (let index = 0; index < 4; index++) others.push((await resend(`${index}`.repeat(43), ip)).statusCode);
		assert.deepEqual(others, [400, 400, 400, 429]);
	});

	test("90 days without a claim make the site inactive; a late claim brings it back", async () => {
		const { email, siteId, resend: resendToken, data } = await provisioned();
		app.clock.advance(90 * DAY_MS - 1);
		await endUnclaimedSites(app);
		assert.equal(await isActive(siteId, data.api_key), true);
		assert.equal((await resend(resendToken)).statusCode, 200);
		const token = await mailedToken(email);
		app.clock.advance(1);
		await endUnclaimedSites(app);
		assert.equal(await isActive(siteId, data.api_key), false);
		const tracker = await app.inject({ method: "GET", url: `/t.js?id=${siteId}` });
		assert.equal(tracker.statusCode, 404);
		assert.equal((await claim(token)).statusCode, 200);
		assert.equal(await isActive(siteId, data.api_key), true);
	});

	test("twenty wrong tokens in 15 minutes from an address are enough, and right ones do not count", async () => {
		const { token } = await provisioned();
		const ip = freshAddress();
		const tryOne = (index: number) => postClaim(app, "/claim", { token: `${index}`.padEnd(43, "x"), password }, ip);
		for (let index = 0; index < 20; index++) assert.equal((await tryOne(index)).statusCode, 400);
		assert.equal((await tryOne(20)).statusCode, 429);
		assert.equal((await postClaim(app, "/claim", { token, password }, ip)).statusCode, 429);
		assert.equal((await claim(token)).statusCode, 200);
	});

	test("a late claim by a mailed reset link brings the site back too", async () => {
		const { email, siteId, data } = await provisioned();
		const tracker = async () => (await app.inject({ method: "GET", url: `/t.js?id=${siteId}` })).statusCode;
		app.clock.advance(91 * DAY_MS);
		await endUnclaimedSites(app);
		assert.deepEqual([await isActive(siteId, data.api_key), await tracker()], [false, 404]);
		await resetByMail(email);
		assert.deepEqual([await isActive(siteId, data.api_key), await tracker()], [true, 200]);
	});

	test("a reset of a password that was set wakes no site that its owner put to sleep", async () => {
		const { email, siteId, token, data } = await provisioned();
		const { access_token: accessToken } = (await claim(token)).json().data;
		app.clock.advance(91 * DAY_MS);
		await endUnclaimedSites(app);
		app.clock.set(START);
		const headers = { authorization: `Bearer ${accessToken}` };
		await app.inject({ method: "DELETE", url: `/api/v1/sites/${siteId}`, headers });
		await resetByMail(email);
		assert.equal(await isActive(siteId, data.api_key), false);
	});

	test("a password set by a mailed reset link counts as a claim, and ends the claim link", async () => {
		const { email, siteId, token, data } = await provisioned();
		await resetByMail(email);
		assert.equal((await claim(token, { password: "somebody else's password" })).statusCode, 400);
		app.clock.advance(91 * DAY_MS);
		await endUnclaimedSites(app);
		assert.equal(await isActive(siteId, data.api_key), true);
	});

	test("a user who was shut out claims nothing", async () => {
		const { email, token, resend: resendToken } = await provisioned();
		await app.metadata
			.withTables<Tables>()
			.updateTable("users")
			.set({ is_active: 0 })
			.where("email", "=", email)
			.execute();
		assert.equal((await claim(token)).statusCode, 400);
		assert.equal((await resend(resendToken)).statusCode, 400);
	});
});
