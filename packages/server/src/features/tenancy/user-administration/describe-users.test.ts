import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { KyselyPlugin } from "kysely";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { type AccountsApp, accountsApp } from "../../../../test/support/accounts-app.ts";
import { createTeam, type Team } from "../../../../test/support/team.ts";
import { reachableSites } from "../../../access/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { listUsers, type UserRow } from "../../people/users/index.ts";
import { describeUsers } from "./describe-users.ts";

/** The number of statements that some work asks the store. */
async function countStatements(metadata: Metadata, work: (counted: Metadata) => Promise<unknown>): Promise<number> {
	let statements = 0;
	const counter: KyselyPlugin = {
		transformQuery: ({ node }) => node,
		transformResult: async ({ result }) => {
			statements++;
			return result;
		},
	};
	await work(metadata.withPlugin(counter));
	return statements;
}

describe("the records of several users", () => {
	let app: AccountsApp;
	let team: Team;
	before(async () => {
		app = await accountsApp();
		team = await createTeam(app);
	});
	after(() => app.close());

	const store = () => tables(app.metadata);
	const give = (userId: number, siteId: string, role: "admin" | "viewer") =>
		store().insertInto("site_members").values({ site_id: siteId, user_id: userId, role, created_at: 0 }).execute();
	const reachOf = async ({ id }: UserRow) => (await reachableSites(app.metadata, id)).map((site) => site.id);

	test("name the sites that each reaches, whatever the role comes from", async () => {
		const guest = await app.user("Guest");
		const root = await app.user("Root", "superadmin");
		const left = await app.user("Left");
		await app.user("Nobody");
		await app.site(left, { name: "Gone" });
		await give(guest.id, "shop", "viewer");
		await give(guest.id, "gone", "viewer");
		await give(team.bob.id, "blog", "admin");
		await give(root.id, "far", "viewer");
		await store().updateTable("sites").set({ is_active: 0 }).where("id", "=", "blog").execute();
		const gone = store().selectFrom("sites").select("organization_id").where("id", "=", "gone");
		await store().updateTable("organizations").set({ is_active: 0 }).where("id", "in", gone).execute();

		const users = await listUsers(app.metadata);
		const described = await describeUsers(app.metadata, users);
		assert.deepEqual(
			described.map(({ name, account_ids: siteIds }) => [name, siteIds]),
			[
				["Ann", ["blog", "shop"]],
				["Bob", ["blog", "shop"]],
				["Cleo", []],
				["Stranger", ["far"]],
				["Guest", ["shop"]],
				["Root", ["blog", "far", "gone", "shop"]],
				["Left", []],
				["Nobody", []],
			],
		);
		assert.deepEqual(
			described.map(({ account_ids: siteIds }) => siteIds),
			await Promise.all(users.map(reachOf)),
		);
		assert.deepEqual(await describeUsers(app.metadata, []), []);
	});

	test("take as many statements for thirty as for three", async () => {
		const users = await listUsers(app.metadata);
		const [ann] = users;
		assert.ok(ann !== undefined);
		const row = { ...ann, updated_at: 0 };
		const more = Array.from({ length: 30 }, (_, at) => ({ ...row, id: 1000 + at, email: `user-${at}@example.com` }));
		await store().insertInto("users").values(more).execute();
		const count = (number: number) =>
			countStatements(app.metadata, (counted) => describeUsers(counted, more.slice(0, number)));
		assert.deepEqual([await count(3), await count(30)], [1, 1]);
	});
});
