import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import { createSite, type Session, sharedTestApp, signIn } from "../../../../test/support/accounts.ts";
import { apiCall } from "../../../../test/support/accounts-app.ts";
import { metadataSnapshot } from "../../../../test/support/metadata-snapshot.ts";
import { organizationEndings } from "../../../composition/organization-endings.ts";
import { systemActor } from "../../auditing/audit-log/index.ts";
import { endGrantsOf } from "../../connecting/oauth/index.ts";
import { findUser } from "../../people/users/index.ts";
import { insertSiteMember } from "../sites/index.ts";
import { deleteUser } from "./index.ts";

describe("deleting a user", () => {
	const app = sharedTestApp();
	let root: Session;
	let ann: Session;
	let bob: Session;
	let runs = 0;
	before(async () => {
		root = await signIn(app, { email: "root@example.com", name: "Root", role: "superadmin" });
	});
	beforeEach(async () => {
		runs += 1;
		ann = await signIn(app, { email: `ann${runs}@example.com`, name: `Ann${runs}` });
		bob = await signIn(app, { email: `bob${runs}@example.com`, name: `Bob${runs}` });
	});

	const call = (...request: Parameters<ReturnType<typeof apiCall>>) => apiCall(app)(...request);
	const erase = async ({ userId }: Session) => {
		const user = await findUser(app.metadata, userId);
		assert.ok(user);
		return deleteUser({ ...app, endings: organizationEndings, endGrantsOf }, user, systemActor);
	};
	const statusOf = async (path: string, headers: Record<string, string>) =>
		(await call(`GET ${path}`, { headers })).statusCode;

	test("everything the account held ends at once, its own organization too, and the address is free", async () => {
		const kept = await createSite(app, ann, { name: "Kept" });
		const lost = await createSite(app, bob, { name: "Bobs" });
		const body = { name: "CI", scopes: ["sites:read"] };
		const key = (await call("POST /api-tokens", { as: bob, body })).json().data.token as string;
		assert.equal(await statusOf("/sites", { "x-api-key": key }), 200);
		const { organizations } = await erase(bob);
		assert.equal(organizations.length, 1);
		assert.deepEqual([app.sites.get(lost)?.isActive, app.sites.get(kept)?.isActive], [false, true]);
		assert.equal(await statusOf("/users/me", bob.headers), 401);
		assert.equal(await statusOf("/sites", { "x-api-key": key }), 401);
		assert.equal((await signIn(app, { email: bob.email, name: "Bob II" })).email, bob.email);
		const log = await call(`GET /audit/logs?page_size=100&user_id=${bob.userId}`, { as: root });
		const names = log.json().data.logs.map((entry: { user_name: string }) => entry.user_name);
		assert.deepEqual([...new Set(names)], ["deleted user"]);
		assert.doesNotMatch(log.body, /bob\d+@/);
	});

	test("no session, accepted invitation, list of recipients or view of its own names the person any more", async () => {
		const site = await createSite(app, ann);
		const invitations = `/organizations/ann${runs}/invitations`;
		assert.equal((await call(`POST ${invitations}`, { as: ann, body: { email: bob.email } })).statusCode, 201);
		await sql`update invitations set accepted_by = ${bob.userId}, is_active = 0`.execute(app.metadata);
		const report = { frequency: "weekly", recipients: [bob.email, ann.email] };
		assert.equal((await call(`POST /mail-reports?account_id=${site}`, { as: ann, body: report })).statusCode, 201);
		await insertSiteMember(app.metadata, { siteId: site, userId: bob.userId, role: "editor", nowMs: 0 });
		for (const isShared of [true, false]) {
			const view = { kind: "report", name: `For all: ${isShared}`, definition: {}, is_shared: isShared };
			const made = await call(`POST /saved-views?account_id=${site}`, { as: bob, body: view });
			assert.equal(made.statusCode, 201, made.body);
		}
		await erase(bob);
		assert.match((await call(`GET /saved-views?account_id=${site}`, { as: ann })).body, /For all: true/);
		const snapshot = await metadataSnapshot(app.metadata, ["audit_log", "jobs"]);
		assert.deepEqual(snapshot.saved_views?.length, 1);
		const naming = Object.keys(snapshot).filter((table) => snapshot[table]?.some((row) => row.includes(bob.email)));
		assert.deepEqual(naming, []);
		assert.equal(snapshot.sessions?.filter((row) => row.includes(`["user_id",${bob.userId}]`)).length, 0);
		assert.ok(snapshot.mail_report_recipients?.some((row) => row.includes(ann.email)));
	});

	test("the only owner of an organization with other members stays until another one owns it", async () => {
		const site = await createSite(app, ann);
		const members = `/organizations/ann${runs}/members`;
		const seat = await call(`POST ${members}`, { as: root, body: { user_id: bob.userId, role: "member" } });
		assert.equal(seat.statusCode, 201, seat.body);
		await assert.rejects(erase(ann), new RegExp(`only owner of the organization ann${runs}`));
		assert.equal(await statusOf("/users/me", ann.headers), 200);
		await call(`PATCH ${members}/${bob.userId}`, { as: ann, body: { role: "owner" } });
		assert.deepEqual(await erase(ann), { organizations: [] });
		assert.equal(app.sites.get(site)?.isActive, true);
		assert.equal(await statusOf(`/sites/${site}`, bob.headers), 200);
	});

	test("the last active superadmin cannot be deleted", async () => {
		await assert.rejects(erase(root), /last active superadmin/);
		assert.equal(await statusOf("/users/me", root.headers), 200);
	});
});
