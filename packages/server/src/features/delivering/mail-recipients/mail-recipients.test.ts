import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { isQuestion, letAgree } from "../../../../test/support/agreed-recipients.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import { insertTestUser } from "../../../../test/support/test-users.ts";
import { DAY, watchSites } from "../../../../test/support/watched-sites.ts";
import { askStrangers } from "./index.ts";

const watched = watchSites();
let people = 0;

const tables = () => watched.app.metadata.withTables<Tables>();
const questionsTo = async (address: string) => (await mailbox(watched.app).to(address)).filter(isQuestion);

interface Person {
	readonly site: string;
	readonly email: string;
	/** Of the link in the question. */
	readonly path: string;
}

/** Somebody who is asked for a site of their own. */
async function asked(): Promise<Person> {
	const site = await watched.site();
	const email = `person${++people}@elsewhere.example`;
	await watched.rule(site, { email_recipients: [email] });
	const [question] = await mailbox(watched.app).to(email);
	const link = question?.links[0] ?? "";
	return { site, email, path: link.slice(link.indexOf("/mail-recipients")) };
}

const look = (url: string) => watched.app.inject({ method: "GET", url });
const say = (url: string, payload: string) =>
	watched.app.inject({
		method: "POST",
		url,
		headers: { "content-type": "application/x-www-form-urlencoded" },
		payload,
	});

/** The states that a report of a site shows for addresses. */
async function statusesOf(site: string, recipients: readonly string[]): Promise<string[]> {
	const { data } = await watched.call("POST", `/mail-reports?account_id=${site}`, { frequency: "weekly", recipients });
	await watched.call("DELETE", `/mail-reports/${data.id}?account_id=${site}`);
	return data.recipients.map(({ status }: { status: string }) => status);
}
const statusOf = async ({ site, email }: Person) => (await statusesOf(site, [email]))[0];

test("looking answers nothing and names nobody; yes and no are kept, and whoever said no is not asked again", async () => {
	const person = await asked();
	const page = await look(person.path);
	assert.deepEqual([page.statusCode, page.headers["referrer-policy"]], [200, "no-referrer"]);
	assert.match(page.body, /Receive emails/);
	assert.ok(!decodeURIComponent(person.path).includes("@"));
	assert.equal(await statusOf(person), "unconfirmed");
	assert.match((await say(person.path, "answer=yes")).body, /You receive emails about a site/);
	assert.equal(await statusOf(person), "active");
	assert.match((await say(person.path, "answer=no")).body, /You receive no emails/);
	assert.equal(await statusOf(person), "unsubscribed");
	watched.app.clock.advance(30 * DAY);
	assert.equal(await statusOf(person), "unsubscribed");
	assert.equal((await mailbox(watched.app).to(person.email)).length, 1);
	assert.match(
		(await say(person.path, "answer=yes")).body,
		/You receive emails about a site/,
		"they may change their mind",
	);
	assert.equal(await statusOf(person), "active");
});

test("a link is over after seven days, and when there is a newer question", async () => {
	const person = await asked();
	watched.app.clock.advance(7 * DAY);
	assert.equal((await look(person.path)).statusCode, 404);
	assert.equal((await say(person.path, "answer=yes")).statusCode, 404);
	assert.equal(await statusOf(person), "unconfirmed", "asked anew");
	assert.equal((await mailbox(watched.app).to(person.email)).length, 2);
	assert.equal((await say(person.path, "answer=yes")).statusCode, 404);
	assert.equal(await statusOf(person), "unconfirmed");
});

test("a link that was changed opens nothing", async () => {
	const { path } = await asked();
	for (const token of ["", "x", "A".repeat(120), `${path.slice(path.indexOf("=") + 1)}A`.replace(/^./, "A")]) {
		assert.equal((await look(`/mail-recipients?token=${token}`)).statusCode, 404, token);
		assert.equal((await say(`/mail-recipients?token=${token}`, "answer=yes")).statusCode, 404, token);
	}
});

test("questions that nobody answered are forgotten, answers are not", async () => {
	const [silent, agreed] = [await asked(), await asked()];
	await say(agreed.path, "answer=yes");
	watched.app.clock.advance(8 * DAY);
	await watched.app.jobs.enqueue(watched.app.metadata, { kind: "mail-recipients-retention" });
	await watched.app.jobs.runDue();
	const kept = tables().selectFrom("mail_recipients").select("email");
	const rows = await kept.where("email", "in", [silent.email, agreed.email]).execute();
	assert.deepEqual(rows, [{ email: agreed.email }]);
});

async function account(name: string, role: "user" | "superadmin", is_active: 0 | 1): Promise<string> {
	const email = `${name}@accounts.example`;
	const { id } = await insertTestUser(watched.app, { email, name, role });
	await tables().updateTable("users").set({ is_active }).where("id", "=", id).execute();
	return email;
}

test("a report does not tell accounts from other addresses; those that were shut get nothing, also when they agreed", async () => {
	const site = await watched.site();
	const recipients = [
		await account("user", "user", 1),
		await account("root", "superadmin", 1),
		await account("shut", "user", 0),
		await account("shut-root", "superadmin", 0),
		"nobody@accounts.example",
	];
	assert.deepEqual([...new Set(await statusesOf(site, recipients))], ["unconfirmed"]);
	const asked = await Promise.all(recipients.map(async (email) => (await questionsTo(email)).length));
	assert.deepEqual(asked, [1, 1, 0, 0, 1]);
	const agreed = [await account("agreed", "user", 0)];
	await letAgree(watched.app, site, agreed);
	assert.deepEqual(await statusesOf(site, agreed), ["deactivated"]);
});

for (const onPostgres of [false, true]) {
	describe(`questions at once on ${onPostgres ? "PostgreSQL" : "SQLite"}`, { skip: onPostgres && postgresSkip }, () => {
		const watched = watchSites({ onPostgres });

		test("sites that ask an address at once send it three questions a day", async () => {
			const sites = await Array.fromAsync({ length: 8 }, () => watched.site());
			const { app } = watched;
			const { secretKey, secretKeyPrevious } = app.config;
			const deps = { ...app, rootUrl: "https://stats.example", secretKey, secretKeyPrevious };
			const emails = ["wanted@elsewhere.example"];
			for (const asked of [3, 6]) {
				await Promise.all(
					sites.map((siteId) =>
						app.metadata.transaction().execute((trx) => askStrangers(deps, trx, { siteId, emails })),
					),
				);
				const questions = (await mailbox(app).to("wanted@elsewhere.example")).filter(isQuestion);
				assert.equal(questions.length, asked);
				app.clock.advance(DAY);
			}
		});
	});
}
