import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { isQuestion, letAgree } from "../../../../test/support/agreed-recipients.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { codeOf } from "../../../../test/support/refusals.ts";
import { insertTestUser } from "../../../../test/support/test-users.ts";
import { DAY, HOUR, runJobAt, views, watchSites } from "../../../../test/support/watched-sites.ts";
import { openWebhookReceiver } from "../../../../test/support/webhook-receiver.ts";

const START = Date.parse("2026-11-22T12:00:00.000Z");
const form = { "content-type": "application/x-www-form-urlencoded" };
const above = { condition_type: "absolute_threshold", threshold_value: 5 };

const receiver = await openWebhookReceiver();
after(() => receiver.close());
const outbound = { extraCertificates: [receiver.certificate] };
const watched = watchSites({ env: { WEBHOOK_ALLOW_PRIVATE: "true" }, outbound });
const calls = (path: string) => receiver.received.filter((call) => call.path === path);
const bodies = (path: string) => calls(path).map(({ body }) => JSON.parse(body));

const mailsTo = (address: string) => mailbox(watched.app).to(address);

const slackTo = (path: string) => ({ notify_slack: true, slack_webhook_url: receiver.url + path });
const webhookTo = (path: string) => ({ notify_webhook: true, custom_webhook_url: receiver.url + path });

/** A site with a rule that fires. */
async function fired(body: object): Promise<{ site: string; id: number }> {
	const site = await busySite();
	const id = await watched.rule(site, { ...above, ...body });
	await watched.look(START + HOUR);
	return { site, id };
}

/** A site with hits that let a rule fire once. */
async function busySite(): Promise<string> {
	watched.app.clock.set(new Date(START).toISOString());
	const site = await watched.site();
	await watched.store(views(site, START, START + HOUR, 8));
	return site;
}

test("without recipients the owners of the organization get the mail, once; recipients get it in their place", async () => {
	const { site } = await fired({ name: "Many <b>", description: "Look at the shop" });
	const [mail] = await mailsTo("ann@example.com");
	assert.match(mail?.subject ?? "", /^\[warning\] Shop \d+: Many <b>$/);
	assert.match(mail?.text ?? "", /Page views: 8 in the last hour, threshold 5\n\nLook at the shop/);
	assert.ok(!mail?.html.includes("<b>"));
	const [alert] = await watched.history(site);
	assert.deepEqual([alert?.notification_sent, alert?.notification_channels], [true, ["email"]]);
	await watched.look(START + HOUR);
	await insertTestUser(watched.app, { email: "ops@example.com", name: "Ops", role: "superadmin" });
	await fired({ email_recipients: ["OPS@example.com", "ops@example.com"] });
	const counts = await Promise.all(["ann", "ops"].map(async (name) => (await mailsTo(`${name}@example.com`)).length));
	assert.deepEqual(counts, [1, 1]);
});

test("Slack gets a line in which names are no markup", async () => {
	const { site } = await fired({ name: "<!channel> & co", notify_email: false, ...slackTo("/services/T/B/secret") });
	const [post, ...others] = bodies("/services/T/B/secret");
	assert.deepEqual(others, []);
	assert.match(String(post?.text), /^\[warning\] Shop \d+: &lt;!channel&gt; &amp; co\nPage views: 8 in the last hour/);
	assert.deepEqual((await watched.history(site))[0]?.notification_channels, ["slack"]);
	assert.ok(!watched.app.logLines.join("").includes("secret"));
});

test("the address of a rule gets the events of that rule alone, with their ids", async () => {
	const { site, id } = await fired({ notify_email: false, ...webhookTo("/hook"), comparison_window: "1h" });
	await watched.call("DELETE", `/alerts/rules/${await watched.rule(site, above)}?account_id=${site}`);
	for (const hours of [3, 4]) await watched.look(START + hours * HOUR);
	const [one, two] = watched.events(site);
	const got = bodies("/hook").map(({ event, account_id, event_id, data }) =>
		[event, account_id, event_id, data.rule_name, data.current_value].join(" "),
	);
	assert.deepEqual(got, [`alert.triggered ${site} ${one?.id} Watch 8`, `alert.resolved ${site} ${two?.id} Watch 0`]);
	const [alert] = await watched.history(site);
	assert.deepEqual([alert?.notification_channels, alert?.rule_id], [["webhook"], id]);
});

test("a receiver that refuses is asked again, and what came of it is told", async () => {
	receiver.answers("/down", { status: 500 });
	const { site } = await fired({ notify_email: false, ...slackTo("/down") });
	for (let attempt = 0; attempt < 6; attempt++) {
		watched.app.clock.advance(2 * HOUR);
		await watched.app.jobs.runDue();
	}
	assert.equal(calls("/down").length, 6);
	const [alert] = await watched.history(site);
	assert.deepEqual([alert?.notification_sent, alert?.notification_error], [false, "slack: no attempt succeeded"]);
});

test("a receiver that keeps one site waiting holds up no other site's message to the same host", async () => {
	const quick = Promise.withResolvers<void>();
	receiver.answers("/slow", async () => {
		await quick.promise;
		return { status: 200 };
	});
	receiver.answers("/quick", async () => {
		quick.resolve();
		return { status: 200 };
	});
	const sites = await Array.fromAsync(["/slow", "/quick"], async (path) => {
		const site = await busySite();
		await watched.rule(site, { ...above, notify_email: false, ...slackTo(path) });
		return site;
	});
	await watched.look(START + HOUR);
	const sent = await Promise.all(sites.map(async (site) => (await watched.history(site))[0]?.notification_channels));
	assert.deepEqual(sent, [["slack"], ["slack"]]);
});

test("each channel has its own error, which goes when a later message arrives, and a refusal is no error of the service", async () => {
	for (const path of ["/gone", "/gone-too"]) receiver.answers(path, { status: 404 });
	const lines = watched.app.logLines.length;
	const channels = { ...slackTo("/gone"), ...webhookTo("/gone-too"), email_recipients: ["stranger@example.com"] };
	const { site } = await fired(channels);
	const told = async () => {
		const [alert] = await watched.history(site);
		return [alert?.notification_channels, alert?.notification_error];
	};
	const errors = "email: 1 of 1 recipients may not be mailed; slack: no attempt succeeded";
	assert.deepEqual(await told(), [[], `${errors}; webhook: no attempt succeeded`]);
	const given = watched.app.logLines.slice(lines).filter((line) => line.includes("A job was given up"));
	assert.ok(given.length === 2 && given.every((line) => JSON.parse(line).level === 40), given.join(""));
	receiver.answers("/gone-too", { status: 200 });
	for (const hours of [3, 4]) await watched.look(START + hours * HOUR);
	assert.deepEqual(await told(), [["webhook"], errors]);
});

test("waiting notifications of a deleted site are not sent", async () => {
	receiver.answers("/late", { status: 500 });
	const { site } = await fired({ notify_email: false, ...slackTo("/late") });
	assert.equal(calls("/late").length, 1);
	await watched.call("DELETE", `/sites/${site}`);
	watched.app.clock.advance(2 * HOUR);
	await watched.app.jobs.runDue();
	assert.equal(calls("/late").length, 1);
});

test("a test tells what would be, goes to the rule's addresses and by mail to the caller alone, and opens nothing", async () => {
	const site = await busySite();
	const channels = { ...slackTo("/s"), ...webhookTo("/w"), email_recipients: ["test@example.com"] };
	const id = await watched.rule(site, { ...above, ...channels });
	await letAgree(watched.app, site, ["test@example.com"]);
	watched.app.clock.set(new Date(START + HOUR + 5000).toISOString());
	const test = (body?: object) => watched.call("POST", `/alerts/rules/${id}/test?account_id=${site}`, body);
	assert.deepEqual(await test(), {
		...{ success: true, would_trigger: true, notification_sent: true, severity: "warning" },
		...{ current_value: 8, baseline_value: null, change_percentage: null },
		message: "Page views: 8 in the last hour, threshold 5",
	});
	const tests = async (to: string) =>
		(await mailsTo(to)).filter(({ subject }) => subject.startsWith("Test: [warning]")).length;
	assert.deepEqual([await tests("ann@example.com"), await tests("test@example.com")], [1, 0]);
	const [event, ...others] = bodies("/w");
	assert.deepEqual([calls("/s").length, others], [1, []]);
	assert.deepEqual(Object.keys(event), ["event", "event_id", "timestamp", "account_id", "data"]);
	assert.equal(event.data.test, true);
	const quiet = { send_notification: false };
	assert.equal((await test(quiet)).notification_sent, false);
	assert.deepEqual([await watched.history(site), watched.events(site)], [[], []]);
	const change = (condition_type: string) =>
		watched.call("PATCH", `/alerts/rules/${id}?account_id=${site}`, { condition_type });
	await change("percentage_change");
	const early = await test(quiet);
	assert.deepEqual([early.would_trigger, early.message], [false, "insufficient_data"]);
	await change("rate_of_change");
	watched.app.clock.set(new Date(START + 1.25 * HOUR + 5000).toISOString());
	assert.equal((await test(quiet)).message, "Page views: 6 in the last hour, 2 in the one before (+200 %)");
});

const agent = "agent@elsewhere.example";
const pathOf = (link = "") => link.slice(link.indexOf("/mail-recipients"));
const say = (url: string, payload: string) => watched.app.inject({ method: "POST", url, headers: form, payload });
const alertsTo = async (address: string) => (await mailsTo(address)).filter((mail) => !isQuestion(mail));

test("a stranger is asked once, gets nothing until they agree, and can end it with one click", async () => {
	const site = await busySite();
	const body = { ...above, email_recipients: [agent], cooldown_minutes: 5 };
	const id = await watched.rule(site, body);
	await watched.call("PATCH", `/alerts/rules/${id}?account_id=${site}`, body);
	const [question, ...others] = await mailsTo(agent);
	assert.deepEqual(others, []);
	assert.match(question?.text ?? "", /You receive nothing unless you agree/);
	await watched.look(START + HOUR);
	assert.deepEqual(await alertsTo(agent), []);
	assert.equal((await say(pathOf(question?.links[0]), "answer=yes")).statusCode, 200);
	await watched.rule(site, { ...body, name: "Again" });
	await watched.look(START + HOUR);
	const [mail] = await alertsTo(agent);
	assert.match(mail?.subject ?? "", /Again$/);
	assert.equal(mail?.headers["list-unsubscribe-post"], "List-Unsubscribe=One-Click");
	assert.equal((await say(pathOf(mail?.links.at(-1)), "List-Unsubscribe=One-Click")).statusCode, 200);
	await watched.rule(site, { ...body, name: "Third" });
	await watched.look(START + HOUR);
	assert.equal((await mailsTo(agent)).length, 2, "no further alert, nor question");
});

test("a site asks at most 30 people in a day", async () => {
	const site = await busySite();
	const ten = (batch: number) =>
		Array.from({ length: 10 }, (_, index) => `p${batch}-${index}@${site}.elsewhere.example`);
	for (const batch of [1, 2, 3]) await watched.rule(site, { email_recipients: ten(batch) });
	const url = `/alerts/rules?account_id=${site}`;
	const refused = await watched.ask("POST", url, { name: "More", email_recipients: ten(4) });
	assert.deepEqual(codeOf(refused), [429, "rate_limit_exceeded"]);
	assert.equal(refused.headers["retry-after"], String(86_400));
	assert.equal((await watched.call("GET", url)).total, 3, "nothing is kept of the refused one");
	assert.deepEqual(await mailsTo(`p4-0@${site}.elsewhere.example`), []);
	watched.app.clock.set(new Date(START + 24 * HOUR).toISOString());
	await watched.rule(site, { email_recipients: ten(4) });
	assert.equal((await mailsTo(`p4-0@${site}.elsewhere.example`)).length, 1);
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
	assert.match(question?.text ?? "", /the site Win at \[link\] or \[link\] evil\[\.\]example added/);
	const mail = (await mailsTo("ann@example.com")).find(({ subject }) => subject.includes("See"));
	assert.match(mail?.subject ?? "", /: See \[link\]$/);
	assert.deepEqual(mail?.links, []);
	assert.ok(!/evil\.example\/|www\.|mailto:/.test(`${mail?.text}${mail?.html}`), mail?.text);
});

let people = 0;

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
	const [question] = await mailsTo(email);
	return { site, email, path: pathOf(question?.links[0]) };
}

const look = (url: string) => watched.app.inject({ method: "GET", url });

/** The state that a new report of the site shows for somebody. */
async function statusOf({ site, email }: Person): Promise<string> {
	const report = { frequency: "weekly", recipients: [email] };
	const { data } = await watched.call("POST", `/mail-reports?account_id=${site}`, report);
	await watched.call("DELETE", `/mail-reports/${data.id}?account_id=${site}`);
	return data.recipients[0].status;
}

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
	assert.equal((await mailsTo(person.email)).length, 1);
	await say(person.path, "answer=yes");
	assert.equal(await statusOf(person), "active", "they may change their mind");
});

test("a link is over after seven days, and when there is a newer question", async () => {
	const person = await asked();
	watched.app.clock.advance(7 * DAY);
	assert.equal((await look(person.path)).statusCode, 404);
	assert.equal((await say(person.path, "answer=yes")).statusCode, 404);
	assert.equal(await statusOf(person), "unconfirmed", "asked anew");
	assert.equal((await mailsTo(person.email)).length, 2);
	assert.equal((await say(person.path, "answer=yes")).statusCode, 404);
	assert.equal(await statusOf(person), "unconfirmed");
});

test("a link that was changed opens nothing", async () => {
	const { path } = await asked();
	for (const token of [
		"",
		"x",
		"A".repeat(120),
		path.slice(path.indexOf("=") + 1).replace(/^./, (first) => (first === "A" ? "B" : "A")),
	]) {
		assert.equal((await look(`/mail-recipients?token=${token}`)).statusCode, 404, token);
		assert.equal((await say(`/mail-recipients?token=${token}`, "answer=yes")).statusCode, 404, token);
	}
});

test("questions that nobody answered are forgotten, answers are not", async () => {
	const [silent, agreed] = [await asked(), await asked()];
	await say(agreed.path, "answer=yes");
	const { clock, metadata } = watched.app;
	await runJobAt(watched.app, "mail-recipients-retention", new Date(clock.now() + 8 * DAY).toISOString());
	const kept = metadata.withTables<Tables>().selectFrom("mail_recipients").select("email");
	const rows = await kept.where("email", "in", [silent.email, agreed.email]).execute();
	assert.deepEqual(rows, [{ email: agreed.email }]);
});
