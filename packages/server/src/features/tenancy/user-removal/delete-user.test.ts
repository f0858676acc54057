import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { metadataSnapshot } from "../../../../test/support/metadata-snapshot.ts";
import { giveSiteRole } from "../../../../test/support/site-roles.ts";
import type { TestApp } from "../../../../test/support/test-app.ts";
import { organizationEndings } from "../../../composition/organization-endings.ts";
import { systemActor } from "../../auditing/audit-log/index.ts";
import { endGrantsOf } from "../../connecting/oauth/index.ts";
import { findUser } from "../../people/users/index.ts";
import { deleteUser } from "./index.ts";

async function erase(app: TestApp, { userId }: Session) {
	const user = await findUser(app.metadata, userId);
	assert.ok(user);
	return deleteUser({ ...app, endings: organizationEndings, endGrantsOf }, user, systemActor);
}

const post = (app: TestApp, url: string, { headers }: Session, payload: object) =>
	app.inject({ method: "POST", url: `/api/v1${url}`, headers, payload });

const statusOf = async (app: TestApp, url: string, headers: Record<string, string>) =>
	(await app.inject({ url: `/api/v1${url}`, headers })).statusCode;

async function openTeam(app: TestApp) {
	const root = await signIn(app, { email: "root@example.com", name: "Root", role: "superadmin" });
	const ann = await signIn(app);
	const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
	return { root, ann, bob };
}

appOnBothEngines("deleting a user", (open) => {
	test("everything the account held ends at once, its own organization too, and the address is free", async (t) => {
		const app = await open();
		t.after(() => app.close());
		const { root, ann, bob } = await openTeam(app);
		await createSite(app, ann, { name: "Kept" });
		await createSite(app, bob, { name: "Bobs" });
		const key = (await post(app, "/api-tokens", bob, { name: "CI", scopes: ["sites:read"] })).json().data
			.token as string;
		assert.equal(await statusOf(app, "/sites", { "x-api-key": key }), 200);

		const { organizations } = await erase(app, bob);
		assert.equal(organizations.length, 1);
		assert.deepEqual([app.sites.get("bobs")?.isActive, app.sites.get("kept")?.isActive], [false, true]);
		assert.equal(await statusOf(app, "/users/me", bob.headers), 401);
		assert.equal(await statusOf(app, "/sites", { "x-api-key": key }), 401);
		assert.equal((await signIn(app, { email: "bob@example.com", name: "Bob II" })).email, "bob@example.com");

		const log = (await app.inject({ url: "/api/v1/audit/logs?page_size=100", headers: root.headers })).json().data.logs;
		const names = new Set(
			log
				.filter(({ user_id: id }: { user_id: number }) => id === bob.userId)
				.map((entry: { user_name: string }) => entry.user_name),
		);
		assert.deepEqual([...names], ["deleted user"]);
		assert.doesNotMatch(
			JSON.stringify(log.filter(({ user_id: id }: { user_id: number }) => id === bob.userId)),
			/bob@/,
		);
	});

	test("nothing names the person any more: no session, no accepted invitation, no list of recipients, no view of its own", async (t) => {
		const app = await open();
		t.after(() => app.close());
		const { ann, bob } = await openTeam(app);
		const site = await createSite(app, ann);
		const { slug } = (await app.inject({ url: "/api/v1/organizations", headers: ann.headers })).json().data
			.organizations[0];
		await post(app, `/organizations/${slug}/invitations`, ann, { email: bob.email });
		await sql`update invitations set accepted_by = ${bob.userId}, is_active = 0`.execute(app.metadata);
		const report = { frequency: "weekly", recipients: [bob.email, ann.email] };
		assert.equal((await post(app, `/mail-reports?account_id=${site}`, ann, report)).statusCode, 201);
		await giveSiteRole(app, site, bob.userId, "editor");
		for (const isShared of [true, false]) {
			const view = { kind: "report", name: `For all: ${isShared}`, definition: {}, is_shared: isShared };
			const made = await post(app, `/saved-views?account_id=${site}`, bob, view);
			assert.equal(made.statusCode, 201, made.body);
		}
		await erase(app, bob);
		const views = await app.inject({ url: `/api/v1/saved-views?account_id=${site}`, headers: ann.headers });
		assert.match(views.body, /For all: true/);
		const snapshot = await metadataSnapshot(app.metadata, ["audit_log", "jobs"]);
		assert.deepEqual(snapshot.saved_views?.length, 1);
		const naming = Object.keys(snapshot).filter((table) => snapshot[table]?.some((row) => row.includes(bob.email)));
		assert.deepEqual(naming, []);
		assert.equal(snapshot.sessions?.filter((row) => row.includes(`["user_id",${bob.userId}]`)).length, 0);
		assert.ok(snapshot.mail_report_recipients?.some((row) => row.includes(ann.email)));
	});

	test("the only owner of an organization with other members stays until another one owns it", async (t) => {
		const app = await open();
		t.after(() => app.close());
		const { root, ann, bob } = await openTeam(app);
		await createSite(app, ann);
		const { slug } = (await app.inject({ url: "/api/v1/organizations", headers: ann.headers })).json().data
			.organizations[0];
		const seat = await post(app, `/organizations/${slug}/members`, root, { user_id: bob.userId, role: "member" });
		assert.equal(seat.statusCode, 201, seat.body);
		await assert.rejects(erase(app, ann), new RegExp(`only owner of the organization ${slug}`));
		assert.equal(await statusOf(app, "/users/me", ann.headers), 200);
		const members = `/api/v1/organizations/${slug}/members/${bob.userId}`;
		await app.inject({ method: "PATCH", url: members, headers: ann.headers, payload: { role: "owner" } });
		assert.deepEqual(await erase(app, ann), { organizations: [] });
		assert.equal(app.sites.get("shop")?.isActive, true);
		assert.equal(await statusOf(app, "/sites/shop", bob.headers), 200);
	});

	test("the last active superadmin cannot be deleted", async (t) => {
		const app = await open();
		t.after(() => app.close());
		const { root } = await openTeam(app);
		await assert.rejects(erase(app, root), /last active superadmin/);
		assert.equal(await statusOf(app, "/users/me", root.headers), 200);
	});
});
