import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { signIn } from "../../../../test/support/accounts.ts";
import { letAgree } from "../../../../test/support/agreed-recipients.ts";
import { addReport, mailsTo as mailsOf, sendReportsAt } from "../../../../test/support/mail-reports.ts";
import { mailServers } from "../../../../test/support/mail-servers.ts";
import { giveSiteRole, shutAccount, takeSiteRole } from "../../../../test/support/site-roles.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import {
	DAY,
	HOUR,
	MINUTE,
	views,
	type WatchedSites,
	watchedSites,
	watchSites,
} from "../../../../test/support/watched-sites.ts";
import { sendReports } from "./send-reports.ts";

const MONDAY = Date.parse("2026-11-09T10:00:00Z");
const sale = { page_view: 0, kind: "conversion", conversion: 1 } as const;

const watched = watchSites();
let addresses = 0;

const newAddress = () => `boss${++addresses}@example.com`;
const mailsTo = (address: string) => mailsOf(watched.app, address);
const at = (moment: string) => sendReportsAt(watched.app, moment);
const create = (site: string, body: Parameters<typeof addReport>[2]) => addReport(watched, site, body);

/** A new site in the week of Monday 9 November 2026. */
function newSite(timezone?: string): Promise<string> {
	watched.app.clock.set("2026-11-10T12:00:00Z");
	return watched.site(timezone);
}
const visit = { entrance: 1, path: "/%C3%A9t%C3%A9", utm_source: "google", country: "ES" } as const;
/** 12 visits with 2 sales in that week, and half of the visits in the week before. */
const twoWeeks = (site: string) =>
	watched.store([
		...views(site, MONDAY, MONDAY + HOUR, 12, visit),
		...views(site, MONDAY, MONDAY + HOUR, 6, { path: "/<b>" }),
		...views(site, MONDAY, MONDAY + HOUR, 2, { ...sale, revenue: 617.25 }),
		...views(site, MONDAY - 7 * DAY, MONDAY - 7 * DAY + HOUR, 6, { entrance: 1 }),
	]);
/** The state of each recipient of a report. */
const statuses = async ({ call }: Pick<WatchedSites, "call">, site: string, id: number): Promise<string[]> =>
	(await call("GET", `/mail-reports/${id}?account_id=${site}`)).data.recipients.map(
		({ status }: { status: string }) => status,
	);

test("the week goes out on Monday at seven of the site's clock, with its figures and those of the week before", async () => {
	const site = await newSite("Asia/Tokyo");
	const boss = newAddress();
	await create(site, { recipients: [boss] });
	await twoWeeks(site);
	// Monday 16 November, 06:59 and 07:00 in Tokyo.
	await at("2026-11-15T21:59:00Z");
	assert.deepEqual(await mailsTo(boss), []);
	await at("2026-11-15T22:00:00Z");
	const [mail] = await mailsTo(boss);
	assert.match(mail?.subject ?? "", /^Shop \d+: weekly report, 9 – 15 Nov 2026$/);
	for (const line of [
		...["Visits:  12  +100 %", "Page views:  18  +200 %", "Conversions:  2  new"],
		...["Conversion rate:  16.67 %  +16.67 points", "Revenue:  1,234.50 EUR  new"],
		...["/été:  12", "/<b>:  6", "google:  12", "Spain:  12"],
	]) {
		assert.ok(mail?.text.includes(line), `${line}\n${mail?.text}`);
	}
	assert.ok(mail?.html.includes("/&lt;b&gt;") && !mail.html.includes("<b>"), "names are no markup");
	await at("2026-11-16T22:00:00Z");
	assert.equal((await mailsTo(boss)).length, 1, "once");
});

test("a revenue after refunds is told by its difference, and visits that somebody made up put no link into a mail", async () => {
	const site = await newSite();
	const boss = newAddress();
	await create(site, { recipients: [boss] });
	const madeUp = { entrance: 1, path: "/https://evil.example/a", utm_source: "evil.example/b" } as const;
	await watched.store([
		...views(site, MONDAY, MONDAY + HOUR, 3, madeUp),
		...views(site, MONDAY, MONDAY + HOUR, 2, { path: "/www.evil.example" }),
		...views(site, MONDAY, MONDAY + HOUR, 1, { path: "/index.php/news" }),
		...views(site, MONDAY, MONDAY + HOUR, 1, { ...sale, revenue: 120 }),
		...views(site, MONDAY - 7 * DAY, MONDAY - 7 * DAY + HOUR, 1, { ...sale, revenue: -80 }),
	]);
	await at("2026-11-16T08:00:00Z");
	const [mail] = await mailsTo(boss);
	assert.ok(mail && !`${mail.text}${mail.html}`.includes("evil"));
	for (const line of ["/[link]:  3", "/index.php/news:  1", "[link]:  3", "Revenue:  120.00 EUR  +200.00 EUR"]) {
		assert.ok(mail.text.includes(line), line);
	}
});

test("a missed morning is made up for; without visits, when off, paused or in its own week a report sends nothing", async () => {
	watched.app.clock.set("2026-11-16T09:00:00Z");
	const [empty, busy, paused] = [await watched.site(), await watched.site(), await watched.site()];
	for (const site of [busy, paused]) await twoWeeks(site);
	const recipients = [newAddress(), newAddress(), newAddress(), newAddress()] as const;
	await create(empty, { recipients: [recipients[0]] });
	const { id } = await create(busy, { recipients: [recipients[1]], is_active: false });
	await create(paused, { recipients: [recipients[3]] });
	await watched.call("PATCH", `/sites/${paused}`, { is_active: false });
	await create(busy, { recipients: [recipients[2]] });
	const counts = () => Promise.all(recipients.map(async (to) => (await mailsTo(to)).length));
	await at("2026-11-16T10:00:00Z");
	assert.deepEqual(await counts(), [0, 0, 0, 0], "the next one is the first");
	await at("2026-11-25T08:00:00Z");
	assert.deepEqual(await counts(), [0, 0, 1, 0]);
	await watched.call("PATCH", `/mail-reports/${id}?account_id=${busy}`, { is_active: true });
	await at("2026-11-25T09:00:00Z");
	assert.deepEqual(await counts(), [0, 0, 1, 0], "one that is switched on begins with the next week");
});

test("one click ends the mails without a sign-in; others cannot add the address back, and a changed link does nothing", async () => {
	const { app, call } = watched;
	const site = await newSite();
	const recipients = [newAddress(), newAddress()] as const;
	const { id } = await create(site, { recipients });
	await twoWeeks(site);
	await at("2026-11-16T08:00:00Z");
	const [mail] = await mailsTo(recipients[0]);
	assert.equal(mail?.headers["list-unsubscribe-post"], "List-Unsubscribe=One-Click");
	const url = /^<(http[^>]+)>$/.exec((mail?.headers["list-unsubscribe"] ?? "").replaceAll(/\s/g, ""))?.[1] ?? "";
	assert.equal(url, mail?.links.at(-1));
	const path = url.slice(url.indexOf("/mail-reports"));
	assert.ok(!decodeURIComponent(path).includes("@"), "the address of the page names nobody");

	const asked = await app.inject({ method: "GET", url: path });
	assert.deepEqual([asked.statusCode, asked.headers["referrer-policy"]], [200, "no-referrer"]);
	assert.match(asked.body, /Unsubscribe/);
	assert.deepEqual(await statuses(watched, site, id), ["active", "active"], "looking changes nothing");

	const post = async (payload: string, type = "application/x-www-form-urlencoded") =>
		(await app.inject({ method: "POST", url: path, headers: { "content-type": type }, payload })).statusCode;
	assert.equal(await post("List-Unsubscribe=One-Click"), 200);
	await call("PATCH", `/mail-reports/${id}?account_id=${site}`, { recipients });
	assert.deepEqual(await statuses(watched, site, id), ["unsubscribed", "active"]);
	await at("2026-11-23T08:00:00Z");
	assert.deepEqual(await Promise.all(recipients.map(async (to) => (await mailsTo(to)).length)), [1, 2]);

	await post("again=yes");
	assert.deepEqual(await statuses(watched, site, id), ["active", "active"]);
	const body = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
	assert.equal(await post(body, "multipart/form-data; boundary=x"), 200);
	assert.deepEqual(await statuses(watched, site, id), ["unsubscribed", "active"]);
	for (const method of ["GET", "POST"] as const) {
		assert.equal((await app.inject({ method, url: `${path.slice(0, -1)}` })).statusCode, 404, "a changed link");
	}
});

test("who lost the site, whose account is shut and who did not agree get nothing", async () => {
	const { app, call } = watched;
	const site = await newSite();
	await twoWeeks(site);
	const recipients = ["client@example.com", "leaver@example.com", "shut@example.com", "silent@example.com"];
	const users = await Array.fromAsync(recipients.slice(1, 3), async (email) => {
		const { userId } = await signIn(app, { email, name: email });
		await giveSiteRole(app, site, userId, "viewer");
		return userId;
	});
	const url = `/mail-reports?account_id=${site}`;
	const { id } = (await call("POST", url, { frequency: "weekly", recipients })).data;
	await letAgree(app, site, ["client@example.com"]);
	assert.deepEqual(await statuses(watched, site, id), ["active", "active", "active", "unconfirmed"]);
	const [leaver = 0, shut = 0] = users;
	await takeSiteRole(app, site, leaver);
	await shutAccount(app, shut);
	assert.deepEqual(await statuses(watched, site, id), ["active", "no_access", "deactivated", "unconfirmed"]);
	await at("2026-11-16T08:00:00Z");
	const counts = await Promise.all(recipients.map(async (to) => (await mailsTo(to)).length));
	assert.deepEqual(counts, [1, 0, 0, 0]);
	app.clock.set("2026-11-17T12:00:01Z");
	assert.equal((await statuses(watched, site, id)).at(-1), "no_access", "after seven days");
});

test("a test mail goes to the caller alone", async () => {
	const site = await newSite();
	watched.app.clock.set("2026-11-17T12:00:00Z");
	await twoWeeks(site);
	const boss = newAddress();
	const { id } = await create(site, { recipients: [boss] });
	const { data } = await watched.call("POST", `/mail-reports/${id}/test?account_id=${site}`);
	assert.deepEqual(data, { sent_to: "ann@example.com" });
	const [mail] = (await mailsTo("ann@example.com")).filter(({ subject }) => subject.startsWith("Test: "));
	assert.match(mail?.text ?? "", /Visits: {2}12/);
	assert.deepEqual(await mailsTo(boss), []);
});

test("a wrong frequency or recipient is named, and a site has at most 20 reports", async () => {
	const site = await newSite();
	const recipients = ["a@example.com"];
	const refused = async (body: object) => {
		const answer = await watched.ask("POST", `/mail-reports?account_id=${site}`, body);
		const { code, detail } = answer.json().error;
		return detail?.[0].field ?? code;
	};
	assert.equal(await refused({ frequency: "daily", recipients }), "body.frequency");
	assert.equal(await refused({ frequency: "weekly", recipients: [] }), "body.recipients");
	assert.equal(await refused({ frequency: "weekly", recipients: ["nobody"] }), "body.recipients.0");
	for (let count = 0; count < 20; count++) await create(site, { recipients });
	assert.equal(await refused({ frequency: "weekly", recipients }), "conflict");
});

/** Mornings that are not where one would look for them, and the days of the report that goes out then. */
const mornings = [
	["weekly", "Europe/Madrid", "summer time ends", "2026-10-26T06:00:00Z", "19 – 25 Oct 2026"],
	["weekly", "Europe/Madrid", "summer time begins", "2027-03-29T05:00:00Z", "22 – 28 Mar 2027"],
	["monthly", "America/New_York", "summer time ends", "2026-11-01T12:00:00Z", "1 – 31 Oct 2026"],
	["monthly", "Pacific/Kiritimati", "London has the day before", "2026-11-30T17:00:00Z", "1 – 30 Nov 2026"],
	["monthly", "Pacific/Honolulu", "Tokyo has the day after", "2026-12-01T17:00:00Z", "1 – 30 Nov 2026"],
] as const;

/** A report of a site with hits of the days before a morning; answers whom it goes to. */
async function reported(
	watched: WatchedSites,
	morning: string,
	{ frequency = "weekly", timezone = "UTC" } = {},
): Promise<string> {
	const from = Date.parse(morning) - 5 * DAY;
	watched.app.clock.set(new Date(from).toISOString());
	const site = await watched.site(timezone);
	const boss = newAddress();
	await addReport(watched, site, { frequency, recipients: [boss] });
	await watched.store(views(site, from, from + HOUR, 5, { entrance: 1 }));
	return boss;
}

for (const [frequency, timezone, where, morning, days] of mornings) {
	test(`a ${frequency} report goes out at seven of the clocks of ${timezone}, where ${where}`, async () => {
		const boss = await reported(watched, morning, { frequency, timezone });
		await at(new Date(Date.parse(morning) - MINUTE).toISOString());
		assert.deepEqual(await mailsTo(boss), []);
		await at(morning);
		const [mail, ...others] = await mailsTo(boss);
		assert.deepEqual([mail?.subject.replace(/^.* report, /, ""), others.length], [days, 0]);
	});
}

test("an address that its mail server refuses for good gets no further report, others do", async () => {
	const servers = mailServers();
	const refusal = Object.assign(new Error("no such mailbox"), { responseCode: 550 });
	const { received, port } = await servers.smtp({
		onRcptTo: ({ address }, _session, done) => done(address.startsWith("gone@") ? refusal : undefined),
	});
	const watched = await watchedSites({ env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "ops@stats.example" } });
	const { app } = watched;
	try {
		app.clock.set("2026-11-10T12:00:00Z");
		const site = await watched.site();
		const { id } = await addReport(watched, site, { recipients: ["client@example.com", "gone@example.com"] });
		await app.jobs.runDue();
		received.splice(0);
		for (const from of [MONDAY, MONDAY + 7 * DAY]) {
			await watched.store(views(site, from, from + HOUR, 5, { entrance: 1 }));
		}
		assert.deepEqual(await statuses(watched, site, id), ["active", "active"]);
		await sendReportsAt(app, "2026-11-16T08:00:00Z");
		assert.deepEqual(await statuses(watched, site, id), ["active", "bounced"]);
		await sendReportsAt(app, "2026-11-23T08:00:00Z");
		const receivers = received.flatMap(({ to }) => to);
		assert.deepEqual(receivers, ["client@example.com", "client@example.com"]);
	} finally {
		await app.close();
		servers.close();
	}
});

for (const onPostgres of [false, true]) {
	describe(`mail reports on ${onPostgres ? "PostgreSQL" : "SQLite"}`, { skip: onPostgres && postgresSkip }, () => {
		const watched = watchSites({ onPostgres });

		test("a report that two processes find due goes out once", async () => {
			const boss = await reported(watched, "2026-11-16T08:00:00Z");
			const { app } = watched;
			app.clock.set("2026-11-16T08:00:00Z");
			const { secretKey, secretKeyPrevious } = app.config;
			const deps = { ...app, log: app.app.log, rootUrl: "https://stats.example", secretKey, secretKeyPrevious };
			await Promise.all([sendReports(deps), sendReports(deps)]);
			assert.equal((await mailsOf(app, boss)).length, 1);
		});
	});
}
