import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { isQuestion } from "../../../../test/support/agreed-recipients.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { giveSiteRole, shutAccount, takeSiteRole } from "../../../../test/support/site-roles.ts";
import { insertTestUser } from "../../../../test/support/test-users.ts";
import { HOUR, views, watchSites } from "../../../../test/support/watched-sites.ts";

const START = Date.parse("2026-11-22T12:00:00.000Z");
const above = { condition_type: "absolute_threshold", threshold_value: 5 };
const form = { "content-type": "application/x-www-form-urlencoded" };

const watched = watchSites();

const mailsTo = async (address: string) => mailbox(watched.app).to(address);
const alertsTo = async (address: string) => (await mailsTo(address)).filter((mail) => !isQuestion(mail));
const pathOf = (link = "") => link.slice(link.indexOf("/mail-recipients"));
const answer = (path: string, payload: string) =>
	watched.app.inject({ method: "POST", url: path, headers: form, payload });
const people = () => watched.app.metadata.withTables<Tables>();

/** A site with hits that let a rule fire once. */
async function busySite(): Promise<string> {
	watched.app.clock.set(new Date(START).toISOString());
	const site = await watched.site();
	await watched.store(views(site, START, START + HOUR, 8));
	return site;
}

/** Somebody who may see a site. */
async function viewer(site: string, email: string): Promise<number> {
	const { id } = await insertTestUser(watched.app, { email, name: email, role: "user" });
	await giveSiteRole(watched.app, site, id, "viewer");
	return id;
}

test("a stranger is asked once, gets nothing until they agree, and can end it with one click", async () => {
	const site = await busySite();
	const body = { ...above, email_recipients: ["agent@elsewhere.example"], cooldown_minutes: 5 };
	const id = await watched.rule(site, body);
	await watched.call("PATCH", `/alerts/rules/${id}?account_id=${site}`, body);
	const [question, ...others] = await mailsTo("agent@elsewhere.example");
	assert.equal(others.length, 0);
	assert.match(question?.text ?? "", /Nothing is sent to you unless you agree/);
	await watched.look(START + HOUR);
	assert.equal((await alertsTo("agent@elsewhere.example")).length, 0);
	const [alert] = await watched.history(site);
	assert.deepEqual(
		[alert?.notification_sent, alert?.notification_error],
		[false, "email: 1 of 1 recipients may not be mailed"],
	);

	assert.equal((await answer(pathOf(question?.links[0]), "answer=yes")).statusCode, 200);
	await watched.rule(site, { ...body, name: "Again" });
	await watched.look(START + HOUR);
	const [mail] = await alertsTo("agent@elsewhere.example");
	assert.match(mail?.subject ?? "", /Again$/);
	assert.equal(mail?.headers["list-unsubscribe-post"], "List-Unsubscribe=One-Click");
	assert.equal((await answer(pathOf(mail?.links.at(-1)), "List-Unsubscribe=One-Click")).statusCode, 200);
	await watched.rule(site, { ...body, name: "Third" });
	await watched.look(START + HOUR);
	assert.equal((await alertsTo("agent@elsewhere.example")).length, 1);
	assert.equal((await mailsTo("agent@elsewhere.example")).length, 2, "nor are they asked again");
});

test("a user of the site gets mails unasked, and none once they have lost the site", async () => {
	const site = await busySite();
	const userId = await viewer(site, `viewer@${site}.example`);
	const email_recipients = [`viewer@${site}.example`, "ann@example.com"];
	await watched.rule(site, { ...above, email_recipients });
	const later = await watched.rule(site, { ...above, name: "Later", threshold_value: 100, email_recipients });
	await watched.look(START + HOUR);
	const [mail, ...others] = await mailsTo(`viewer@${site}.example`);
	assert.deepEqual([others.length, mail?.headers["list-unsubscribe"]], [0, undefined]);
	await takeSiteRole(watched.app, site, userId);
	await watched.call("PATCH", `/alerts/rules/${later}?account_id=${site}`, { threshold_value: 5 });
	await watched.look(START + HOUR);
	assert.equal((await mailsTo(`viewer@${site}.example`)).length, 1);
	const [newest] = await watched.history(site);
	assert.deepEqual(
		[newest?.rule_name, newest?.notification_sent, newest?.notification_error],
		["Later", true, "email: 1 of 2 recipients may not be mailed"],
	);
});

test("neither a shut account nor one whose address nobody confirmed gets mails", async () => {
	const site = await busySite();
	const shut = await viewer(site, `shut@${site}.example`);
	const unproven = await viewer(site, `unproven@${site}.example`);
	await watched.rule(site, { ...above, email_recipients: [`shut@${site}.example`, `unproven@${site}.example`] });
	await shutAccount(watched.app, shut);
	await people().updateTable("users").set({ email_verified_at: null }).where("id", "=", unproven).execute();
	await watched.look(START + HOUR);
	assert.deepEqual(await Promise.all(["shut", "unproven"].map((name) => mailsTo(`${name}@${site}.example`))), [[], []]);
	assert.equal((await watched.history(site))[0]?.notification_sent, false);
});

test("a site asks at most 30 people in a day", async () => {
	const site = await busySite();
	const ten = (batch: number) =>
		Array.from({ length: 10 }, (_, index) => `p${batch}-${index}@${site}.elsewhere.example`);
	for (const batch of [1, 2, 3]) await watched.rule(site, { email_recipients: ten(batch) });
	const url = `/alerts/rules?account_id=${site}`;
	const refused = await watched.ask("POST", url, { name: "More", email_recipients: ten(4) });
	assert.deepEqual([refused.statusCode, refused.json().error.code], [429, "rate_limit_exceeded"]);
	assert.equal(refused.headers["retry-after"], String(86_400));
	assert.equal((await watched.call("GET", url)).total, 3, "nothing is kept of the refused one");
	assert.deepEqual(await mailsTo(`p4-0@${site}.elsewhere.example`), []);
	watched.app.clock.set(new Date(START + 24 * HOUR).toISOString());
	await watched.rule(site, { email_recipients: ten(4) });
	assert.equal((await mailsTo(`p4-0@${site}.elsewhere.example`)).length, 1);
});

test("many sites together ask an address three times a day", async () => {
	for (let count = 0; count < 4; count++) {
		await watched.rule(await busySite(), { email_recipients: ["wanted@elsewhere.example"] });
	}
	assert.equal((await mailsTo("wanted@elsewhere.example")).length, 3);
});

test("mails hold no link that somebody wrote into a rule or the name of a site", async () => {
	const site = await busySite();
	await watched.call("PATCH", `/sites/${site}`, {
		name: "Win at https://evil.example/a or www.evil.example, evil.example",
	});
	await watched.app.sites.refresh();
	const texts = { name: "See evil.example/login", description: "HTTP://evil.example\nmailto:x@evil.example" };
	await watched.rule(site, { ...above, ...texts, email_recipients: [`who@${site}.example`, "ann@example.com"] });
	await watched.look(START + HOUR);
	const [question] = await mailsTo(`who@${site}.example`);
	assert.match(question?.text ?? "", /the site Win at \[link\] or \[link\] evil\[\.\]example named/);
	const mail = (await mailsTo("ann@example.com")).find(({ subject }) => subject.includes("See"));
	assert.match(mail?.subject ?? "", /: See \[link\]$/);
	assert.deepEqual(mail?.links, []);
	assert.ok(!/evil\.example\/|www\.|mailto:/.test(`${mail?.text}${mail?.html}`), mail?.text);
});
