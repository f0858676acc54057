import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { isQuestion, letAgree } from "../../../../test/support/agreed-recipients.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import { insertTestUser } from "../../../../test/support/test-users.ts";
import { watchSites } from "../../../../test/support/watched-sites.ts";
import { askStrangers } from "./index.ts";

const watched = watchSites();

const questionsTo = async (address: string) => (await mailbox(watched.app).to(address)).filter(isQuestion);

async function account(name: string, role: "user" | "superadmin", isActive: boolean): Promise<string> {
	const email = `${name}@accounts.example`;
	const { id } = await insertTestUser(watched.app, { email, name, role });
	await watched.app.metadata
		.withTables<Tables>()
		.updateTable("users")
		.set({ is_active: isActive ? 1 : 0 })
		.where("id", "=", id)
		.execute();
	return email;
}

test("a report does not tell accounts from other addresses, whatever they are", async () => {
	const site = await watched.site();
	const recipients = [
		await account("user", "user", true),
		await account("root", "superadmin", true),
		await account("shut", "user", false),
		await account("shut-root", "superadmin", false),
		"nobody@accounts.example",
	];
	const url = `/mail-reports?account_id=${site}`;
	const { data } = await watched.call("POST", url, { frequency: "weekly", recipients });
	const statuses = data.recipients.map(({ status }: { status: string }) => status);
	assert.deepEqual(
		statuses,
		recipients.map(() => "unconfirmed"),
	);
	const asked = await Promise.all(recipients.map(async (email) => (await questionsTo(email)).length));
	assert.deepEqual(asked, [1, 1, 0, 0, 1], "nothing goes to accounts that were shut");
});

test("an account that was shut gets nothing, even when its address has agreed", async () => {
	const site = await watched.site();
	const recipients = [await account("agreed", "user", false)];
	await letAgree(watched.app, site, recipients);
	const url = `/mail-reports?account_id=${site}`;
	const { data } = await watched.call("POST", url, { frequency: "weekly", recipients });
	assert.equal(data.recipients[0].status, "deactivated");
});

for (const onPostgres of [false, true]) {
	describe(`questions at once on ${onPostgres ? "PostgreSQL" : "SQLite"}`, { skip: onPostgres && postgresSkip }, () => {
		const watched = watchSites({ onPostgres });

		test("sites that ask an address at once ask it no more often than one after the other", async () => {
			const sites: string[] = [];
			for (let count = 0; count < 8; count++) sites.push(await watched.site());
			const { app } = watched;
			const { secretKey, secretKeyPrevious } = app.config;
			const deps = { ...app, rootUrl: "https://stats.example", secretKey, secretKeyPrevious };
			const emails = ["wanted@elsewhere.example"];
			await Promise.all(
				sites.map((siteId) => app.metadata.transaction().execute((trx) => askStrangers(deps, trx, { siteId, emails }))),
			);
			const questions = (await mailbox(app).to("wanted@elsewhere.example")).filter(isQuestion);
			assert.equal(questions.length, 3);
		});
	});
}
