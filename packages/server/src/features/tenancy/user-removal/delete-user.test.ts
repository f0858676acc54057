import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "kysely";
import { password, type SignedIn, sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { askForAccess } from "../../../../test/support/ask-for-access.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { enableTwoFactor, wrongCode } from "../../../../test/support/authenticator.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { metadataSnapshot } from "../../../../test/support/metadata-snapshot.ts";
import { mailedLink } from "../../../../test/support/page-client.ts";
import { provision, provisionEnv } from "../../../../test/support/provisioning.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";
import { findUserByEmail, listUsers } from "../../people/users/index.ts";
import { insertSiteMember } from "../sites/index.ts";

const DAY = 86_400_000;
const app = sharedAccountsApp({ env: { ...provisionEnv, RATE_LIMIT_ENABLED: "false" } });
const userOf = (email: string) => findUserByEmail(app.metadata, email);
const isActive = (site: string) => app.sites.get(site)?.isActive;

describe("removing a user", () => {
	const root = userForEach(app, "Root", "superadmin");
	const ann = userForEach(app, "Ann");
	const bob = userForEach(app, "Bob");

	const statusOf = async (path: string, headers: Readonly<Record<string, string>>) =>
		(await app.call(`GET ${path}`, { headers })).statusCode;
	const erase = ({ id, email }: SignedIn) => app.call(`DELETE /admin/users/${id}`, { as: root, body: { email } });
	const close = (body: object, as = ann) => app.call("DELETE /users/me", { as, body });
	const must = async (route: string, as: SignedIn, body: object) => {
		const made = await app.call(route, { as, body });
		assert.equal(made.statusCode, 201, made.body);
		return made.json().data;
	};

	test("everything the account held ends at once, its own organization too, and the address is free", async () => {
		const kept = await app.site(ann, { name: "Kept" });
		const lost = await app.site(bob, { name: "Bobs" });
		const { token } = await must("POST /api-tokens", bob, { name: "CI", scopes: ["sites:read"] });
		assert.equal(await statusOf("/sites", { "x-api-key": token }), 200);
		assert.deepEqual((await erase(bob)).json().data.organizations, ["bob"]);
		assert.deepEqual([isActive(lost), isActive(kept)], [false, true]);
		assert.equal(await statusOf("/users/me", bob.headers), 401);
		assert.equal(await statusOf("/sites", { "x-api-key": token }), 401);
		assert.equal((await app.user("Bob")).email, bob.email);
		const log = await app.call(`GET /audit/logs?page_size=100&user_id=${bob.id}`, { as: root });
		const names = log.json().data.logs.map((entry: { user_name: string }) => entry.user_name);
		assert.deepEqual([...new Set(names)], ["deleted user"]);
		assert.doesNotMatch(log.body, /bob@/);
	});

	test("no session, accepted invitation, list of recipients or view of its own names the person any more", async () => {
		const site = await app.site(ann);
		await must("POST /organizations/ann/invitations", ann, { email: bob.email });
		await sql`update invitations set accepted_by = ${bob.id}, is_active = 0`.execute(app.metadata);
		const report = { frequency: "weekly", recipients: [bob.email, ann.email] };
		await must(`POST /mail-reports?account_id=${site}`, ann, report);
		await insertSiteMember(app.metadata, { siteId: site, userId: bob.id, role: "editor", nowMs: 0 });
		for (const isShared of [true, false]) {
			const view = { kind: "report", name: `For all: ${isShared}`, definition: {}, is_shared: isShared };
			await must(`POST /saved-views?account_id=${site}`, bob, view);
		}
		await sql`insert into ip_allowlist_attempts (site_id, user_id, ip_address, auth_type, access_granted, created_at)
			values (${site}, ${bob.id}, '203.0.113.7', 'jwt', 0, 0)`.execute(app.metadata);
		await erase(bob);
		assert.match((await app.call(`GET /saved-views?account_id=${site}`, { as: ann })).body, /For all: true/);
		const snapshot = await metadataSnapshot(app.metadata, ["audit_log", "jobs"]);
		assert.equal(snapshot.saved_views?.length, 1);
		const naming = Object.keys(snapshot).filter((table) => snapshot[table]?.some((row) => row.includes(bob.email)));
		assert.deepEqual(naming, []);
		for (const table of ["sessions", "ip_allowlist_attempts"]) {
			assert.ok(!snapshot[table]?.some((row) => row.includes(`["user_id",${bob.id}]`)), table);
		}
		assert.ok(snapshot.mail_report_recipients?.some((row) => row.includes(ann.email)));
	});

	test("the only owner of an organization with other members stays until another one owns it, and is told which", async () => {
		const site = await app.site(ann);
		await must("POST /organizations/ann/members", root, { user_id: bob.id, role: "member" });
		for (const refused of [await erase(ann), await close({ password })]) {
			assert.deepEqual(codeOf(refused), [409, "conflict"]);
			assert.match(refused.json().error.message, /only owner of the organization ann/);
		}
		assert.equal(await statusOf("/users/me", ann.headers), 200);
		await app.call(`PATCH /organizations/ann/members/${bob.id}`, { as: ann, body: { role: "owner" } });
		assert.deepEqual((await erase(ann)).json().data.organizations, []);
		assert.equal(isActive(site), true);
		assert.equal(await statusOf(`/sites/${site}`, bob.headers), 200);
	});

	test("the last active superadmin cannot be deleted", async () => {
		assert.match((await close({ password }, root)).json().error.message, /last active superadmin/);
		assert.equal(await statusOf("/users/me", root.headers), 200);
	});

	test("who closes the own account with the password is gone at once, is told so, and a waiting address with it", async () => {
		await app.site(ann);
		await app.call("POST /users/me/email", { as: ann, body: { new_email: "anna@example.org", password } });
		assert.equal((await close({ password: "wrong horse battery 9" })).statusCode, 400);
		assert.notEqual(await userOf(ann.email), undefined);
		const closed = await close({ password });
		assert.deepEqual(closed.json().data, { message: "The account was closed", organizations_deleted: ["ann"] });
		const emptied = closed.cookies.filter(({ value }) => value === "").map(({ name }) => name);
		assert.deepEqual(emptied, ["svc_access_token", "svc_refresh_token", "svc_csrf_token"]);
		assert.deepEqual([await userOf(ann.email), isActive("shop")], [undefined, false]);
		assert.equal(await statusOf("/users/me", ann.headers), 401);
		assert.equal((await mailbox(app).to(ann.email)).at(-1)?.subject, "Your account was closed");
		assert.equal((await auditTrail(app, "user.deactivated"))[0]?.user, ann.id);
		const link = await mailedLink(app, "anna@example.org", "/change-address");
		assert.equal((await app.inject({ url: link })).statusCode, 400);
	});

	test("a second factor is asked too; a backup code does", async () => {
		const { secret, backupCodes } = await enableTwoFactor(app, ann);
		assert.deepEqual(fieldsOf(await close({ password })), [422, "body.code"]);
		assert.equal((await close({ password, code: wrongCode(secret, app.clock.now()) })).statusCode, 400);
		assert.notEqual(await userOf(ann.email), undefined);
		assert.equal((await close({ password, code: backupCodes[0] })).statusCode, 200);
		assert.equal(await userOf(ann.email), undefined);
	});
});

describe("accounts whose address nobody confirms", () => {
	const person = { name: "New", password, accept_terms: true };
	const register = (email: string) => app.call("POST /auth/register", { body: { ...person, email } });
	/** Goes to the next tick of the daily schedule after some days. */
	const pass = async (days: number) => {
		app.clock.advance(days * DAY);
		await app.jobs.runDue();
	};

	test("they are removed after 30 days, and the address can be registered again", async () => {
		await pass(0);
		await register("late@example.com");
		await register("prompt@example.com");
		const link = await mailedLink(app, "prompt@example.com", "/verify-email");
		await app.call("POST /email/verify", { body: { token: link.split("token=")[1] } });
		await pass(29);
		assert.notEqual(await userOf("late@example.com"), undefined);
		await pass(1);
		await pass(1);
		assert.equal(await userOf("late@example.com"), undefined);
		assert.notEqual(await userOf("prompt@example.com"), undefined);
		const gone = (await listUsers(app.metadata)).find(({ name }) => name === "deleted user");
		const { email, is_active, password_hash } = gone ?? {};
		assert.deepEqual([email, is_active, password_hash], [`deleted-${gone?.id}@deleted.invalid`, 0, null]);
		assert.equal((await register("late@example.com")).statusCode, 200);
		assert.equal((await mailbox(app).to("late@example.com")).at(-1)?.subject, "Confirm your email address");
	});

	test("what they signed up for goes with them: their organization with its site, and nobody else's", async () => {
		await pass(0);
		await app.site(await app.user("Ann"));
		const { requestId } = await askForAccess(app);
		const body = { ...person, email: "later@example.com", request_id: requestId, site_name: "Late shop" };
		const signedUp = await app.call("POST /oauth/onboarding", { body });
		const cookies = Object.fromEntries(signedUp.cookies.map(({ name, value }) => [name, value]));
		const decided = await app.call(`POST /oauth/consent/${requestId}/decision`, {
			cookies,
			headers: { "x-csrf-token": cookies.svc_csrf_token ?? "" },
			body: { decision: "approve", site_id: "late-shop" },
		});
		assert.equal(decided.statusCode, 200, decided.body);
		assert.equal(isActive("late-shop"), true);
		await pass(31);
		assert.deepEqual([isActive("late-shop"), isActive("shop")], [false, true]);
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
		await pass(0);
		await provision(app, { email: "owner@example.com" });
		await pass(41);
		assert.equal((await userOf("owner@example.com"))?.is_active, 1);
	});
});
