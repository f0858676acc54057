import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "kysely";
import { tables } from "../../../migrations/metadata/tables/index.ts";
import { password, type SignedIn, sharedAccountsApp, userForEach } from "../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../test/support/audit-trail.ts";
import { enableTwoFactor, wrongCode } from "../../../test/support/authenticator.ts";
import { mailbox } from "../../../test/support/mailbox.ts";
import { metadataSnapshot } from "../../../test/support/metadata-snapshot.ts";
import { askForAccess } from "../../../test/support/oauth-flow.ts";
import { mailedLink } from "../../../test/support/page-client.ts";
import { provision, provisionEnv } from "../../../test/support/provisioning.ts";
import { codeOf, fieldsOf } from "../../../test/support/refusals.ts";
import { findUserByEmail, listUsers } from "../people/users/index.ts";
import { siteMembers } from "./sites/index.ts";

const DAY = 86_400_000;
const app = sharedAccountsApp({ env: { ...provisionEnv, RATE_LIMIT_ENABLED: "false" } });
const userOf = (email: string) => findUserByEmail(app.metadata, email);
const isActive = (site: string) => app.sites.get(site)?.isActive;
const give = (user: SignedIn, siteId: string, role: "admin" | "editor" | "viewer") =>
	siteMembers.insert(app.metadata, { site_id: siteId, user_id: user.id, role, created_at: 0 });

describe("users", () => {
	const root = userForEach(app, "Root", "superadmin");
	const ann = userForEach(app, "Ann");
	const bob = userForEach(app, "Bob");

	const create = (body: object) => app.call("POST /users", { as: root, body });
	const change = (userId: number, body: object) => app.call(`PATCH /users/${userId}`, { as: root, body });
	const remove = (userId: number) => app.call(`DELETE /users/${userId}`, { as: root });
	const get = (path: string, as = root) => app.call(`GET /users${path}`, { as });
	const list = async (query: string) => (await get(`?${query}`)).json().data;
	const newUser = { email: "Cleo@Example.com", name: "Cleo", password };
	/** What the superadmin is recorded to have done to users, with their ids. */
	const trail = async () => {
		const entries = await auditTrail(app, "user.created", "user.updated", "user.activated", "user.deactivated");
		return entries
			.filter(({ user }) => user === root.id)
			.map(({ action, resource, details }) => [action, Number(resource), details]);
	};
	const statusOf = async (path: string, headers: Readonly<Record<string, string>>) =>
		(await app.call(`GET ${path}`, { headers })).statusCode;
	const erase = ({ id, email }: Pick<SignedIn, "id" | "email">) =>
		app.call(`DELETE /admin/users/${id}`, { as: root, body: { email } });
	const close = (body: object, as = ann) => app.call("DELETE /users/me", { as, body });
	const must = async (route: string, as: SignedIn, body: object) => {
		const made = await app.call(route, { as, body });
		assert.equal(made.statusCode, 201, made.body);
		return made.json().data;
	};

	test("active users are listed by page, oldest first, with the sites that each reaches, and inactive ones on request", async () => {
		const [left, guest] = [await app.user("Left"), await app.user("Guest")];
		for (const name of ["Shop", "Blog"]) await app.site(ann, { name });
		await app.site(left, { name: "Gone" });
		await must("POST /organizations/ann/members", root, { user_id: bob.id, role: "admin" });
		await give(bob, "blog", "viewer");
		for (const site of ["shop", "gone"]) await give(guest, site, "viewer");
		const db = tables(app.metadata);
		await db.updateTable("sites").set({ is_active: 0 }).where("id", "=", "blog").execute();
		await db.updateTable("organizations").set({ is_active: 0 }).where("slug", "=", "left").execute();
		const shown = async (query: string) => {
			const { users, total } = await list(query);
			const lineOf = ({ name, account_ids: ids }: { name: string; account_ids: string[] }) =>
				[name, ...ids.sort()].join(" ");
			return [total, ...users.map(lineOf)];
		};
		const [first, others] = [
			["Root blog gone shop", "Ann blog shop"],
			["Left", "Guest shop"],
		];
		assert.deepEqual(await shown(""), [5, ...first, "Bob blog shop", ...others]);
		await remove(bob.id);
		assert.deepEqual(await shown(""), [4, ...first, ...others]);
		const { users, total } = await list("page=2&page_size=2&include_inactive=true");
		assert.deepEqual([total, users[0].id, users[0].is_active], [5, bob.id, false]);
		assert.deepEqual((await list("page=9")).users, []);
		assert.deepEqual(codeOf(await get("/999")), [404, "user_not_found"]);
	});

	test("users are found by a part of their name or address, in any case", async () => {
		const odd = "Odd 100%_\\";
		await app.user(odd);
		for (const [q = "", ...names] of [
			[" aNN", "Ann"],
			["ROOT@", "Root"],
			["example.com", "Root", "Ann", "Bob", odd],
			["nobody"],
			...["%", "_", "\\", "100%_\\"].map((sign) => [sign, odd]),
		]) {
			const { users, total } = await list(`q=${encodeURIComponent(q)}`);
			assert.deepEqual([total, ...users.map(({ name }: { name: string }) => name)], [names.length, ...names], q);
		}
	});

	test("a created user signs in, reads the named sites and no others, and is recorded", async () => {
		const site = await app.site(ann);
		await app.site(ann, { name: "Other" });
		assert.deepEqual(codeOf(await create({ ...newUser, email: "ANN@example.com" })), [409, "duplicate_entry"]);
		assert.deepEqual(codeOf(await create({ ...newUser, account_ids: ["nowhere"] })), [404, "account_not_found"]);
		const { id, ...user } = (await create({ ...newUser, account_ids: [site, site] })).json().data;
		assert.deepEqual(user, {
			...{ email: "cleo@example.com", name: "Cleo", role: "user", account_ids: [site], is_active: true },
			...{ email_verified_at: "2026-11-21T12:00:00.000Z", created_at: "2026-11-21T12:00:00.000Z" },
			...{ last_login_at: null, two_factor_enabled: false, two_factor_enabled_at: null },
		});
		const as = await app.signIn("cleo@example.com");
		const { sites } = (await app.call("GET /sites", { as })).json().data;
		assert.deepEqual([sites.length, sites[0].id], [1, site]);
		assert.equal((await app.call(`PATCH /sites/${site}`, { as, body: { name: "X" } })).statusCode, 403);
		assert.deepEqual(await trail(), [["user.created", id, { role: "user", account_ids: [site] }]]);
	});

	test("name and role change at once and are recorded with what they were", async () => {
		const changed = await change(ann.id, { name: "Anna", role: "superadmin", email: "other@example.com" });
		const { name, role, email } = changed.json().data;
		assert.deepEqual([name, role, email], ["Anna", "superadmin", ann.email]);
		assert.equal((await get("", ann)).statusCode, 200);
		await change(ann.id, { role: "user" });
		assert.equal((await get("", ann)).statusCode, 403);
		await change(ann.id, { role: "user", name: "Anna" });
		assert.deepEqual(codeOf(await change(999, { name: "X" })), [404, "user_not_found"]);
		assert.deepEqual(await trail(), [
			["user.updated", ann.id, { name: ["Ann", "Anna"], role: ["user", "superadmin"] }],
			["user.updated", ann.id, { role: ["superadmin", "user"] }],
		]);
	});

	test("deleting deactivates: sessions, keys and sign-in end at once; activation brings the user back", async () => {
		const { token } = await must("POST /api-tokens", ann, { name: "key" });
		assert.deepEqual((await remove(ann.id)).json().data, { deleted: true, user_id: ann.id });
		assert.equal(await statusOf("/users/me", ann.headers), 401);
		assert.equal(await statusOf("/api-tokens/scopes", { "x-api-key": token }), 401);
		const signIn = () => app.call("POST /auth/token", { body: { email: ann.email, password } });
		assert.deepEqual(codeOf(await signIn()), [401, "invalid_credentials"]);
		assert.equal((await remove(ann.id)).statusCode, 200);
		assert.equal((await change(ann.id, { is_active: true })).json().data.is_active, true);
		assert.equal((await signIn()).statusCode, 200);
		assert.equal(await statusOf("/users/me", ann.headers), 401);
		assert.deepEqual(await trail(), [
			["user.deactivated", ann.id, {}],
			["user.activated", ann.id, {}],
		]);
	});

	test("the own role and the own account are safe from oneself, the own name is not", async () => {
		for (const refused of [
			await change(root.id, { role: "user" }),
			await change(root.id, { is_active: false }),
			await remove(root.id),
			await erase(root),
			await close({ password }, root),
		]) {
			assert.deepEqual(codeOf(refused), [409, "conflict"]);
		}
		assert.match((await close({ password }, root)).json().error.message, /last active superadmin/);
		assert.equal((await change(root.id, { name: "Boss", role: "superadmin" })).json().data.name, "Boss");
	});

	test("a user is deleted for good only with the address written out: everything held ends, and the address is free", async () => {
		assert.deepEqual(codeOf(await erase({ ...bob, email: ann.email })), [400, "bad_request"]);
		assert.deepEqual(codeOf(await erase({ ...bob, id: 999_999 })), [404, "user_not_found"]);
		const kept = await app.site(ann, { name: "Kept" });
		const lost = await app.site(bob, { name: "Bobs" });
		const key = { "x-api-key": (await must("POST /api-tokens", bob, { name: "CI", scopes: ["sites:read"] })).token };
		assert.equal(await statusOf("/sites", key), 200);
		const erased = await erase({ ...bob, email: "Bob@Example.com" });
		assert.deepEqual(erased.json().data, { deleted: true, user_id: bob.id, organizations: ["bob"] });
		assert.deepEqual([isActive(lost), isActive(kept)], [false, true]);
		assert.deepEqual([await statusOf("/users/me", bob.headers), await statusOf("/sites", key)], [401, 401]);
		const { name, email, is_active } = (await get(`/${bob.id}`)).json().data;
		assert.deepEqual([name, email, is_active], ["deleted user", `deleted-${bob.id}@deleted.invalid`, false]);
		const listed = await list("include_inactive=true");
		assert.deepEqual([listed.total, listed.users.length], [2, 2]);
		assert.deepEqual(await trail(), [["user.deactivated", bob.id, { reason: "the account was deleted" }]]);
		const log = await app.call(`GET /audit/logs?page_size=100&user_id=${bob.id}`, { as: root });
		const names = log.json().data.logs.map((entry: { user_name: string }) => entry.user_name);
		assert.deepEqual([...new Set(names)], ["deleted user"]);
		assert.doesNotMatch(log.body, /bob@/);
		assert.equal((await create({ email: bob.email, name: "Bob again", password })).statusCode, 201);
	});

	test("no session, accepted invitation, list of recipients or view of its own names the person any more", async () => {
		const site = await app.site(ann);
		await must("POST /organizations/ann/invitations", ann, { email: bob.email });
		await sql`update invitations set accepted_by = ${bob.id}, is_active = 0`.execute(app.metadata);
		const report = { frequency: "weekly", recipients: [bob.email, ann.email] };
		await must(`POST /mail-reports?account_id=${site}`, ann, report);
		await give(bob, site, "editor");
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

	test("a user who closes the own account with password and second factor is gone at once, is told so, and a waiting address too", async () => {
		await app.site(ann);
		await app.call("POST /users/me/email", { as: ann, body: { new_email: "anna@example.org", password } });
		assert.equal((await close({ password: "wrong horse battery 9" })).statusCode, 400);
		const { secret, backupCodes } = await enableTwoFactor(app, ann);
		assert.deepEqual(fieldsOf(await close({ password })), [422, "body.code"]);
		assert.equal((await close({ password, code: wrongCode(secret, app.clock.now()) })).statusCode, 400);
		assert.notEqual(await userOf(ann.email), undefined);
		const closed = await close({ password, code: backupCodes[0] });
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

	test("a closed account takes its own organization with its site along, and no other", async () => {
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
		const found = told.map(({ action, details }) => [action, details.reason ?? details.name]);
		assert.deepEqual(found, [
			["organization.deleted", "New"],
			["user.deactivated", "the address was not confirmed"],
		]);
	});

	test("an account that was set up for somebody waits for its owner", async () => {
		await pass(0);
		await provision(app, { email: "owner@example.com" });
		await pass(41);
		assert.equal((await userOf("owner@example.com"))?.is_active, 1);
	});
});
