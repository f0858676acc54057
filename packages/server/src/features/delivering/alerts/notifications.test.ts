import assert from "node:assert/strict";
import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { isQuestion, letAgree } from "../../../../test/support/agreed-recipients.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { giveSiteRole, shutAccount, takeSiteRole } from "../../../../test/support/site-roles.ts";
import { testCertificate } from "../../../../test/support/test-certificate.ts";
import { insertTestUser } from "../../../../test/support/test-users.ts";
import { HOUR, views, watchSites } from "../../../../test/support/watched-sites.ts";

const START = Date.parse("2026-11-22T12:00:00.000Z");
const form = { "content-type": "application/x-www-form-urlencoded" };
const above = { condition_type: "absolute_threshold", threshold_value: 5 };

interface Received {
	readonly path: string;
	readonly body: Readonly<Record<string, unknown>> & { readonly data?: Readonly<Record<string, unknown>> };
}

const certificate = await testCertificate();
const outbound = { extraCertificates: [certificate.cert] };
const watched = watchSites({ env: { WEBHOOK_ALLOW_PRIVATE: "true" }, outbound });
let received: Received[] = [];
let status = 200;
/** The answer to `/slow` waits for the request of `/quick`. */
const quick = Promise.withResolvers<void>();
const server = createServer(certificate, async (request, response) => {
	received.push({ path: request.url ?? "", body: JSON.parse(await text(request)) });
	if (request.url === "/quick") quick.resolve();
	if (request.url === "/slow") await quick.promise;
	response.writeHead(status).end();
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
const url = `https://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
after(() => server.close());

const mailsTo = (address: string) => mailbox(watched.app).to(address);

const bothTo = (slack: string, webhook: string) => ({
	notify_slack: true,
	slack_webhook_url: url + slack,
	notify_webhook: true,
	custom_webhook_url: url + webhook,
});

/** A site with a rule that fires. */
async function fired(body: object): Promise<{ site: string; id: number }> {
	received = [];
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
	const slack = { notify_email: false, notify_slack: true, slack_webhook_url: `${url}/services/T/B/secret` };
	const { site } = await fired({ name: "<!channel> & co", ...slack });
	const [post, ...others] = received;
	assert.deepEqual([post?.path, others.length], ["/services/T/B/secret", 0]);
	assert.match(
		String(post?.body.text),
		/^\[warning\] Shop \d+: &lt;!channel&gt; &amp; co\nPage views: 8 in the last hour/,
	);
	const [alert] = await watched.history(site);
	assert.deepEqual(alert?.notification_channels, ["slack"]);
	assert.ok(!watched.app.logLines.join("").includes("secret"));
});

test("the address of a rule gets the events of that rule alone, with their ids", async () => {
	const webhook = { notify_email: false, notify_webhook: true, custom_webhook_url: `${url}/hook` };
	const { site, id } = await fired({ ...webhook, comparison_window: "1h" });
	await watched.call("DELETE", `/alerts/rules/${await watched.rule(site, above)}?account_id=${site}`);
	await watched.look(START + 3 * HOUR);
	await watched.look(START + 4 * HOUR);
	const [one, two] = watched.events(site);
	const got = received.map(({ body: { event, account_id, event_id, data } }) =>
		[event, account_id, event_id, data?.rule_name, data?.current_value].join(" "),
	);
	assert.deepEqual(got, [`alert.triggered ${site} ${one?.id} Watch 8`, `alert.resolved ${site} ${two?.id} Watch 0`]);
	const [alert] = await watched.history(site);
	assert.deepEqual([alert?.notification_channels, alert?.rule_id], [["webhook"], id]);
});

test("a receiver that refuses is asked again, and what came of it is told", async () => {
	status = 500;
	const slack = { notify_email: false, notify_slack: true, slack_webhook_url: `${url}/down` };
	const { site } = await fired(slack);
	for (let attempt = 0; attempt < 6; attempt++) {
		watched.app.clock.advance(2 * HOUR);
		await watched.app.jobs.runDue();
	}
	status = 200;
	assert.equal(received.length, 6);
	const [alert] = await watched.history(site);
	assert.deepEqual([alert?.notification_sent, alert?.notification_error], [false, "slack: no attempt succeeded"]);
});

test("a receiver that keeps one site waiting holds up no other site's message to the same host", async () => {
	const sites = await Array.fromAsync(["/slow", "/quick"], async (path) => {
		const site = await busySite();
		const slack = { notify_email: false, notify_slack: true, slack_webhook_url: url + path };
		await watched.rule(site, { ...above, ...slack });
		return site;
	});
	await watched.look(START + HOUR);
	const sent = await Promise.all(sites.map(async (site) => (await watched.history(site))[0]?.notification_channels));
	assert.deepEqual(sent, [["slack"], ["slack"]]);
});

test("each channel has its own error, which goes when a later message arrives, and a refusal is no error of the service", async () => {
	status = 404;
	const lines = watched.app.logLines.length;
	const { site } = await fired({ ...bothTo("/gone", "/gone-too"), email_recipients: ["stranger@example.com"] });
	const error = async () => (await watched.history(site))[0]?.notification_error;
	assert.equal(
		await error(),
		"email: 1 of 1 recipients may not be mailed; slack: no attempt succeeded; webhook: no attempt succeeded",
	);
	const given = watched.app.logLines.slice(lines).filter((line) => line.includes("A job was given up"));
	assert.ok(given.length === 2 && given.every((line) => JSON.parse(line).level === 40), given.join(""));
	status = 200;
	await watched.look(START + 3 * HOUR);
	await watched.look(START + 4 * HOUR);
	assert.deepEqual(
		[await error(), (await watched.history(site))[0]?.notification_channels],
		["email: 1 of 1 recipients may not be mailed; slack: no attempt succeeded", ["webhook"]],
	);
});

test("what a deleted site still had to say is not said", async () => {
	status = 500;
	const { site } = await fired({ notify_email: false, notify_slack: true, slack_webhook_url: `${url}/late` });
	assert.equal(received.length, 1);
	await watched.call("DELETE", `/sites/${site}`);
	status = 200;
	watched.app.clock.advance(2 * HOUR);
	await watched.app.jobs.runDue();
	assert.equal(received.length, 1);
});

test("a test tells what would be, goes to the rule's addresses and by mail to the caller alone, and opens nothing", async () => {
	received = [];
	const site = await busySite();
	const id = await watched.rule(site, { ...above, ...bothTo("/s", "/w"), email_recipients: ["test@example.com"] });
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
	assert.deepEqual(received.map(({ path }) => path).sort(), ["/s", "/w"]);
	const event = received.find(({ path }) => path === "/w")?.body;
	assert.deepEqual(Object.keys(event ?? {}), ["event", "event_id", "timestamp", "account_id", "data"]);
	assert.equal(event?.data?.test, true);
	assert.equal((await test({ send_notification: false })).notification_sent, false);
	assert.deepEqual([await watched.history(site), watched.events(site)], [[], []]);
	await watched.call("PATCH", `/alerts/rules/${id}?account_id=${site}`, { condition_type: "percentage_change" });
	const early = await test({ send_notification: false });
	assert.deepEqual([early.would_trigger, early.message], [false, "insufficient_data"]);
	await watched.call("PATCH", `/alerts/rules/${id}?account_id=${site}`, { condition_type: "rate_of_change" });
	watched.app.clock.set(new Date(START + 1.25 * HOUR + 5000).toISOString());
	const { message } = await test({ send_notification: false });
	assert.equal(message, "Page views: 6 in the last hour, 2 in the one before (+200 %)");
});

const alertsTo = async (address: string) => (await mailsTo(address)).filter((mail) => !isQuestion(mail));
const pathOf = (link = "") => link.slice(link.indexOf("/mail-recipients"));
const answer = (path: string, payload: string) =>
	watched.app.inject({ method: "POST", url: path, headers: form, payload });

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
	assert.match(question?.text ?? "", /You receive nothing unless you agree/);
	await watched.look(START + HOUR);
	assert.equal((await alertsTo("agent@elsewhere.example")).length, 0);
	const [alert] = await watched.history(site);
	assert.equal(alert?.notification_error, "email: 1 of 1 recipients may not be mailed");

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

test("users of the site get mails unasked; not who lost the site, is shut, or has an address that nobody confirmed", async () => {
	const site = await busySite();
	const emails = ["viewer", "shut", "unproven"].map((name) => `${name}@${site}.example`);
	const [lost = 0, shut = 0, unproven = 0] = await Array.fromAsync(emails, (email) => viewer(site, email));
	const rule = { ...above, email_recipients: ["ann@example.com", ...emails] };
	await watched.rule(site, rule);
	const later = await watched.rule(site, { ...rule, name: "Later", threshold_value: 100 });
	await shutAccount(watched.app, shut);
	const users = watched.app.metadata.withTables<Tables>().updateTable("users");
	await users.set({ email_verified_at: null }).where("id", "=", unproven).execute();
	await watched.look(START + HOUR);
	const [mails, ...others] = await Promise.all(emails.map(mailsTo));
	assert.deepEqual([mails?.length, mails?.[0]?.headers["list-unsubscribe"], ...others], [1, undefined, [], []]);
	await takeSiteRole(watched.app, site, lost);
	await watched.call("PATCH", `/alerts/rules/${later}?account_id=${site}`, { threshold_value: 5 });
	await watched.look(START + HOUR);
	assert.equal((await mailsTo(`viewer@${site}.example`)).length, 1);
	const [newest] = await watched.history(site);
	assert.equal(newest?.notification_error, "email: 3 of 4 recipients may not be mailed");
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
