import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { signIn } from "../../../../test/support/accounts.ts";
import { openAssistantSite } from "../../../../test/support/assistant-site.ts";
import { askToDelete, finishDeletions, removeFilesAtOnce } from "../../../../test/support/deletions.ts";
import { organizationEndings } from "../../../composition/organization-endings.ts";
import { systemActor } from "../../auditing/audit-log/index.ts";
import { findUser } from "../../people/users/index.ts";
import { purgeSite } from "../../tenancy/data-keeping/purge-site.ts";
import { findSite } from "../../tenancy/sites/index.ts";
import { deleteUser } from "../../tenancy/user-removal/index.ts";
import { endGrantsOf } from "../oauth/index.ts";
import { forgetConversationsOf, forgetOldConversations } from "./index.ts";

const DAY = 86_400_000;
const site = await openAssistantSite();
site.model.does(() => ({ say: "Two visits." }));
await removeFilesAtOnce(site.app);
after(() => site.close());

/** Titles of the conversations that are stored, and how many messages there are. */
async function stored() {
	const { metadata } = site.app;
	const titles = sql<{ title: string }>`select title from assistant_conversations order by title`;
	const [count] = (await sql<{ n: number }>`select count(*) as n from assistant_messages`.execute(metadata)).rows;
	return [(await titles.execute(metadata)).rows.map(({ title }) => title), Number(count?.n)];
}

test("conversations end 90 days after their last answer", async () => {
	const { conversation_id } = (await site.ask("Used again")).body.data;
	await site.ask("Left alone");
	const before = site.app.clock.now() - 91 * DAY;
	await sql`update assistant_conversations set updated_at = ${before}`.execute(site.app.metadata);
	await site.ask("Again", { conversation_id });
	assert.equal(await forgetOldConversations(site.app), 1);
	assert.deepEqual(await stored(), [["Used again"], 4]);
	assert.equal(await forgetOldConversations(site.app), 0);
});

test("with days of the site its conversations go, and what is answered meanwhile is not kept; those of other sites stay", async () => {
	await site.ask("Of the other", { account_id: "other" }, site.bob.headers);
	site.model.does(async () => {
		await askToDelete(site.app, site.ann, "shop", { to: "2026-11-19" });
		await finishDeletions(site.app);
		return { say: "Two visits." };
	});
	const { status, body } = await site.ask("While it is deleted");
	assert.deepEqual([status, body.error.code], [409, "conflict"]);
	assert.deepEqual(await stored(), [["Of the other"], 2]);
	site.model.does(() => ({ say: "Two visits." }));
	site.app.clock.advance(1);
	await site.ask("After it");
	assert.deepEqual(await stored(), [["After it", "Of the other"], 4]);
});

test("conversations end with the site's retention, counted from their last use", async () => {
	const now = site.app.clock.now();
	const forgetting = { deletionId: 0, site: { id: "shop", timezone: "UTC" }, rowsDeletedAt: now };
	await forgetConversationsOf(site.app, { ...forgetting, period: { from: 0, until: now - DAY } });
	assert.deepEqual((await stored())[0], ["After it", "Of the other"]);
	await forgetConversationsOf(site.app, { ...forgetting, period: { from: 0, until: now + DAY } });
	assert.deepEqual((await stored())[0], ["Of the other"]);
});

test("with a user their conversations go, with a site all of it and what it has asked", async () => {
	await site.ask("Of ann");
	const root = await signIn(site.app, { email: "root@example.com", name: "Root", role: "superadmin" });
	await site.ask("Of root", {}, root.headers);
	const user = (await findUser(site.app.metadata, site.bob.userId)) ?? assert.fail();
	await deleteUser({ ...site.app, endings: organizationEndings, endGrantsOf }, user, systemActor);
	assert.deepEqual(await stored(), [["Of ann", "Of root"], 4]);
	const shop = (await findSite(site.app.metadata, "shop")) ?? assert.fail();
	await site.app.metadata.transaction().execute((trx) => purgeSite(trx, shop, site.app.clock.now()));
	assert.deepEqual(await stored(), [[], 0]);
	const usage = await sql`select * from assistant_usage where site_id = 'shop'`.execute(site.app.metadata);
	assert.deepEqual(usage.rows, []);
});
