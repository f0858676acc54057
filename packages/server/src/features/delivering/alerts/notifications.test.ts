import assert from "node:assert/strict";
import { createServer, type Server } from "node:https";
import { after, before, test } from "node:test";
import { letAgree } from "../../../../test/support/agreed-recipients.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { testCertificate } from "../../../../test/support/test-certificate.ts";
import { insertTestUser } from "../../../../test/support/test-users.ts";
import { HOUR, views, type WatchedSites, watchedSites } from "../../../../test/support/watched-sites.ts";

const START = Date.parse("2026-11-22T12:00:00.000Z");
const above = { condition_type: "absolute_threshold", threshold_value: 5 };

interface Received {
	readonly path: string;
	readonly body: Readonly<Record<string, unknown>> & { readonly data?: Readonly<Record<string, unknown>> };
}

let watched: WatchedSites;
let server: Server;
let url: string;
let received: Received[];
let status: number;
/** The answer to `/slow` waits for the request of `/quick`. */
const quick = Promise.withResolvers<void>();

before(async () => {
	const certificate = await testCertificate();
	received = [];
	status = 200;
	server = createServer(certificate, (request, response) => {
		let text = "";
		request.on("data", (chunk) => {
			text += chunk;
		});
		request.on("end", async () => {
			received.push({ path: request.url ?? "", body: JSON.parse(text) });
			if (request.url === "/quick") quick.resolve();
			if (request.url === "/slow") await quick.promise;
			response.writeHead(status).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	url = `https://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
	const outbound = { extraCertificates: [certificate.cert] };
	watched = await watchedSites({ env: { WEBHOOK_ALLOW_PRIVATE: "true" }, outbound });
});
after(async () => {
	await watched.app.close();
	server.close();
});

/** A site with a rule that fires. */
async function fired(body: object): Promise<{ site: string; id: number }> {
	received = [];
	const site = await watched.site();
	const id = await watched.rule(site, { ...above, ...body });
	await watched.store(views(site, START, START + HOUR, 8));
	await watched.look(START + HOUR);
	return { site, id };
}

test("without recipients the owners of the organization get the mail, once", async () => {
	const { site } = await fired({ name: "Many <b>", description: "Look at the shop" });
	const mails = await mailbox(watched.app).to("ann@example.com");
	assert.equal(mails.length, 1);
	const [mail] = mails;
	assert.match(mail?.subject ?? "", /^\[warning\] Shop \d+: Many <b>$/);
	assert.match(mail?.text ?? "", /Page views: 8 in the last hour, threshold 5\n\nLook at the shop/);
	assert.ok(!mail?.html.includes("<b>"));
	const [alert] = await watched.history(site);
	assert.deepEqual([alert?.notification_sent, alert?.notification_channels], [true, ["email"]]);
	await watched.look(START + HOUR);
	assert.equal((await mailbox(watched.app).to("ann@example.com")).length, 1);
});

test("recipients get it in place of the owners", async () => {
	await insertTestUser(watched.app, { email: "ops@example.com", name: "Ops", role: "superadmin" });
	await fired({ email_recipients: ["OPS@example.com", "ops@example.com"] });
	assert.equal((await mailbox(watched.app).to("ops@example.com")).length, 1);
	assert.equal((await mailbox(watched.app).to("ann@example.com")).length, 1, "the one of before");
});

test("Slack gets a line in which names are no markup", async () => {
	const slack = { notify_email: false, notify_slack: true, slack_webhook_url: `${url}/services/T/B/secret` };
	const { site, id } = await fired({ name: "<!channel> & co", ...slack });
	const [post, ...others] = received;
	assert.deepEqual([post?.path, others.length], ["/services/T/B/secret", 0]);
	assert.match(
		String(post?.body.text),
		/^\[warning\] Shop \d+: &lt;!channel&gt; &amp; co\nPage views: 8 in the last hour/,
	);
	const [alert] = await watched.history(site);
	assert.deepEqual(alert?.notification_channels, ["slack"]);
	const rows = (await watched.call("GET", `/audit/logs?resource_type=alert_rule&account_id=${site}`)).data.logs;
	assert.ok(rows.length > 0 && !JSON.stringify(rows).includes("secret"), "the log does not hold the address");
	assert.ok(!watched.app.logLines.join("").includes("secret"));
	const rule = await watched.call("GET", `/alerts/rules/${id}?account_id=${site}`);
	assert.equal(rule.slack_webhook_url, `${url}/…`);
});

test("the address of a rule gets the events of that rule alone, with their ids", async () => {
	const webhook = { notify_email: false, notify_webhook: true, custom_webhook_url: `${url}/hook` };
	const { site, id } = await fired({ ...webhook, comparison_window: "1h" });
	await watched.call("DELETE", `/alerts/rules/${await watched.rule(site, above)}?account_id=${site}`);
	await watched.look(START + 3 * HOUR);
	await watched.look(START + 4 * HOUR);
	assert.deepEqual(
		received.map(({ body }) => [body.event, body.account_id, body.data?.rule_name]),
		[
			["alert.triggered", site, "Watch"],
			["alert.resolved", site, "Watch"],
		],
	);
	assert.deepEqual(
		received.map(({ body }) => body.event_id),
		watched.events(site).map((event) => event.id),
	);
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
	assert.deepEqual(
		[alert?.notification_sent, alert?.notification_channels, alert?.notification_error],
		[false, [], "slack: no attempt succeeded"],
	);
});

test("a receiver that keeps one site waiting holds up no other site's message to the same host", async () => {
	const sites = [await watched.site(), await watched.site()];
	for (const [at, site] of sites.entries()) {
		const slack_webhook_url = `${url}${["/slow", "/quick"][at]}`;
		await watched.rule(site, { ...above, notify_email: false, notify_slack: true, slack_webhook_url });
		await watched.store(views(site, START, START + HOUR, 8));
	}
	await watched.look(START + HOUR);
	const sent = await Promise.all(sites.map(async (site) => (await watched.history(site))[0]?.notification_channels));
	assert.deepEqual(sent, [["slack"], ["slack"]]);
});

test("each channel has its own error, which goes when a later message arrives, and a refusal is no error of the service", async () => {
	status = 404;
	const lines = watched.app.logLines.length;
	const both = {
		notify_slack: true,
		slack_webhook_url: `${url}/gone`,
		notify_webhook: true,
		custom_webhook_url: `${url}/gone-too`,
	};
	const { site } = await fired({ ...both, email_recipients: ["stranger@example.com"] });
	const error = async () => (await watched.history(site))[0]?.notification_error;
	assert.equal(
		await error(),
		"email: 1 of 1 recipients may not be mailed; slack: no attempt succeeded; webhook: no attempt succeeded",
	);
	const given = watched.app.logLines.slice(lines).filter((line) => line.includes("A job was given up"));
	assert.deepEqual(
		given.map((line) => JSON.parse(line).level),
		[40, 40],
	);
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
	const channels = {
		notify_slack: true,
		slack_webhook_url: `${url}/s`,
		notify_webhook: true,
		custom_webhook_url: `${url}/w`,
	};
	received = [];
	const site = await watched.site();
	const id = await watched.rule(site, { ...above, ...channels, email_recipients: ["test@example.com"] });
	await letAgree(watched.app, site, ["test@example.com"]);
	await watched.store(views(site, START, START + HOUR, 8));
	watched.app.clock.set(new Date(START + HOUR + 5000).toISOString());
	const test = (body?: object) => watched.call("POST", `/alerts/rules/${id}/test?account_id=${site}`, body);
	assert.deepEqual(await test(), {
		success: true,
		current_value: 8,
		baseline_value: null,
		would_trigger: true,
		change_percentage: null,
		severity: "warning",
		notification_sent: true,
		message: "Page views: 8 in the last hour, threshold 5",
	});
	const tests = async (to: string) =>
		(await mailbox(watched.app).to(to)).filter(({ subject }) => subject.startsWith("Test: [warning]")).length;
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
});
