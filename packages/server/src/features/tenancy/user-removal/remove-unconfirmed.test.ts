import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSite, sharedTestApp, signIn } from "../../../../test/support/accounts.ts";
import { askForAccess } from "../../../../test/support/ask-for-access.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { provision, provisionEnv } from "../../../../test/support/provisioning.ts";
import type { TestApp } from "../../../../test/support/test-app.ts";
import { findUserByEmail, listUsers } from "../../people/users/index.ts";

const DAY = 86_400_000;
const password = "correct horse battery staple 7";
const person = { name: "New", password, accept_terms: true };

const post = (app: TestApp, url: string, payload: object, headers = {}) =>
	app.inject({ method: "POST", url: `/api/v1${url}`, payload, headers });

/** The next tick of the schedule that looks for such accounts. */
async function tick(app: TestApp): Promise<void> {
	app.clock.advance(DAY);
	await app.jobs.runDue();
}

describe("accounts whose address nobody confirms", () => {
	const app = sharedTestApp({ env: { ...provisionEnv, REGISTRATION: "open" } });

	test("they are removed after 30 days, and the address can be registered again", async () => {
		await app.jobs.runDue();
		await post(app, "/auth/register", { ...person, email: "late@example.com" });
		await post(app, "/auth/register", { ...person, email: "prompt@example.com" });
		const [mail] = await mailbox(app).to("prompt@example.com");
		const token = new URL(mail?.links.find((url) => url.includes("token=")) ?? "https://no.link").searchParams.get(
			"token",
		);
		assert.equal((await post(app, "/email/verify", { token })).statusCode, 200);
		app.clock.advance(29 * DAY - DAY);
		await tick(app);
		assert.notEqual(await findUserByEmail(app.metadata, "late@example.com"), undefined);
		await tick(app);
		await tick(app);
		assert.equal(await findUserByEmail(app.metadata, "late@example.com"), undefined);
		assert.notEqual(await findUserByEmail(app.metadata, "prompt@example.com"), undefined);
		const gone = (await listUsers(app.metadata)).find(({ name }) => name === "deleted user");
		assert.deepEqual(
			[gone?.email, gone?.is_active, gone?.password_hash],
			[`deleted-${gone?.id}@deleted.invalid`, 0, null],
		);
		assert.equal((await post(app, "/auth/register", { ...person, email: "late@example.com" })).statusCode, 200);
		assert.equal((await mailbox(app).to("late@example.com")).at(-1)?.subject, "Confirm your e-mail address");
	});

	test("what they signed up for goes with them: their organization with its site, and nobody else's", async () => {
		await app.jobs.runDue();
		const ann = await signIn(app);
		await createSite(app, ann);
		const { requestId } = await askForAccess(app);
		const body = { ...person, email: "later@example.com", request_id: requestId, site_name: "Late shop" };
		const signedUp = await post(app, "/oauth/onboarding", body);
		const cookies = Object.fromEntries(signedUp.cookies.map(({ name, value }) => [name, value]));
		const decided = await app.inject({
			method: "POST",
			url: `/api/v1/oauth/consent/${requestId}/decision`,
			cookies,
			headers: { "x-csrf-token": cookies.svc_csrf_token ?? "" },
			payload: { decision: "approve", site_id: "late-shop" },
		});
		assert.equal(decided.statusCode, 200, decided.body);
		assert.equal(app.sites.get("late-shop")?.isActive, true);
		app.clock.advance(30 * DAY);
		await tick(app);
		assert.deepEqual([app.sites.get("late-shop")?.isActive, app.sites.get("shop")?.isActive], [false, true]);
		const told = (await auditTrail(app)).filter(({ user }) => user === null).slice(-2);
		assert.deepEqual(
			told.map(({ action, details }) => [action, details.reason ?? details.name]),
			[
				["organization.deleted", "New"],
				["user.deactivated", "the address was not confirmed"],
			],
		);
	});

	test("an account that was set up for somebody waits for its owner", async () => {
		await app.jobs.runDue();
		const made = await provision(app, { email: "owner@example.com" });
		assert.equal(made.statusCode, 200, made.body);
		app.clock.advance(40 * DAY);
		await tick(app);
		assert.equal((await findUserByEmail(app.metadata, "owner@example.com"))?.is_active, 1);
	});
});
