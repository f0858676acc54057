import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { DAY, watchSites } from "../../../../test/support/watched-sites.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

const watched = watchSites();
let people = 0;

/** Somebody who is asked for a site of their own; answers the path of their link. */
async function asked(): Promise<{ site: string; email: string; path: string }> {
	const site = await watched.site();
	const email = `person${++people}@elsewhere.example`;
	await watched.rule(site, { email_recipients: [email] });
	const [question] = await mailbox(watched.app).to(email);
	const link = question?.links[0] ?? "";
	return { site, email, path: link.slice(link.indexOf("/mail-recipients")) };
}

const look = (url: string) => watched.app.inject({ method: "GET", url });
const say = (url: string, payload: string) => watched.app.inject({ method: "POST", url, headers: form, payload });

/** The status that a report of the site shows for the address. */
async function statusOf({ site, email }: { site: string; email: string }): Promise<string> {
	const body = { frequency: "weekly", recipients: [email] };
	const { data } = await watched.call("POST", `/mail-reports?account_id=${site}`, body);
	await watched.call("DELETE", `/mail-reports/${data.id}?account_id=${site}`);
	return data.recipients[0].status;
}

test("looking at the page answers nothing, and its address names nobody", async () => {
	const person = await asked();
	const page = await look(person.path);
	assert.equal(page.statusCode, 200);
	assert.match(page.body, /Yes, send me mails/);
	assert.equal(page.headers["referrer-policy"], "no-referrer");
	assert.ok(!decodeURIComponent(person.path).includes("@"));
	assert.equal(await statusOf(person), "unconfirmed");
});

test("yes and no are kept, and whoever said no is not asked again", async () => {
	const person = await asked();
	assert.match((await say(person.path, "answer=yes")).body, /You get mails about a site/);
	assert.equal(await statusOf(person), "active");
	assert.match((await say(person.path, "answer=no")).body, /You get no mails/);
	assert.equal(await statusOf(person), "unsubscribed");
	watched.app.clock.advance(30 * DAY);
	assert.equal(await statusOf(person), "unsubscribed");
	assert.equal((await mailbox(watched.app).to(person.email)).length, 1);
	assert.match((await say(person.path, "answer=yes")).body, /You get mails about a site/, "they may change their mind");
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
	const rows = await watched.app.metadata
		.withTables<Tables>()
		.selectFrom("mail_recipients")
		.select("email")
		.where("email", "in", [silent.email, agreed.email])
		.execute();
	assert.deepEqual(rows, [{ email: agreed.email }]);
});
