import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../../../migrations/metadata/tables/index.ts";
import { isQuestion, letAgree } from "../../../test/support/agreed-recipients.ts";
import { addReport, mailsTo as mailsOf, sendReportsAt } from "../../../test/support/mail-reports.ts";
import { mailServers } from "../../../test/support/mail-servers.ts";
import { mailbox } from "../../../test/support/mailbox.ts";
import { giveSiteRole, shutAccount, takeSiteRole } from "../../../test/support/site-roles.ts";
import { insertTestUser } from "../../../test/support/test-users.ts";
import { DAY, HOUR, MINUTE, views, watchedSites, watchSites } from "../../../test/support/watched-sites.ts";
import type { EventRow } from "../../analytics/model/event-row.ts";

const MONDAY = Date.parse("2026-11-09T10:00:00Z");
const sale = { page_view: 0, kind: "conversion", conversion: 1 } as const;

const watched = watchSites();
let addresses = 0;

const form = { "content-type": "application/x-www-form-urlencoded" };
const newAddress = () => `boss${++addresses}@example.com`;
const mailsTo = (address: string) => mailsOf(watched.app, address);
const at = (moment: string) => sendReportsAt(watched.app, moment);
const create = (site: string, body: Parameters<typeof addReport>[2]) => addReport(watched, site, body);

/** A new site in the week of Monday 9 November 2026. */
function newSite(timezone?: string): Promise<string> {
	watched.app.clock.set("2026-11-10T12:00:00Z");
	return watched.site(timezone);
}
const fromGoogle = { utm_source: "google", utm_medium: "organic" } as const;
const visit = { entrance: 1, path: "/%C3%A9t%C3%A9", ...fromGoogle, country: "ES" } as const;
/** 12 visits with 2 sales in that week, and half of the visits in the week before. */
const twoWeeks = (site: string) =>
	watched.store([
		...views(site, MONDAY, MONDAY + HOUR, 12, visit),
		...views(site, MONDAY, MONDAY + HOUR, 6, { path: "/<b>" }),
		...views(site, MONDAY, MONDAY + HOUR, 2, { ...sale, revenue: 617.25 }),
		...views(site, MONDAY - 7 * DAY, MONDAY - 7 * DAY + HOUR, 6, { entrance: 1 }),
	]);
/** The state of each recipient of a report. */
const statuses = async ({ call }: Pick<typeof watched, "call">, site: string, id: number): Promise<string[]> =>
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
	assert.match(mail?.subject ?? "", /^Shop \d+: 12 visits, \+100 %, 9 – 15 Nov 2026$/);
	const text = mail?.text.replace(/^Shop \d+/m, "Shop") ?? "";
	assert.equal(
		text.slice(0, text.indexOf("You get")),
		`12 visits, 100 % more than the week before, most of the growth from google / organic.

Shop, 9 – 15 Nov 2026, compared with 2 – 8 Nov 2026.

Other figures                             Value         Change
Page views                                   18         +200 %
Bounce rate                               100 %          0 pts
Conversions                                   2            new
Conversion rate                         16.67 %     +16.67 pts
Revenue                            1,234.50 EUR            new

Top pages                            Page views         Change
/été                                         12            new
/<b>                                          6            new

Top sources                              Visits         Change
google / organic                             12            new

Top countries                            Visits         Change
Spain                                        12         +100 %

`,
	);
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
	const lines = [
		/^\/\[link\] +3 +new$/m,
		/^\/index.php\/news +1 /m,
		/^\[link\] +3 /m,
		/^Revenue +120.00 EUR +\+200.00 EUR$/m,
	];
	for (const line of lines) assert.match(mail.text, line);
});

const week =
	(start: number) =>
	(visits: number, values: Partial<EventRow> = {}) =>
	(site: string) =>
		views(site, start, start + HOUR, visits, { entrance: 1, ...values });
const [lastWeek, weekBefore] = [week(MONDAY), week(MONDAY - 7 * DAY)];
const longAgo = week(MONDAY - 30 * DAY)(1);

/** Weeks, and the subject and first sentence of their report. */
const weeks: readonly [name: string, rows: readonly ((site: string) => EventRow[])[], subject: string, lead: string][] =
	[
		["no baseline", [lastWeek(12)], "12 visits", "12 visits. No comparison yet: data since 9 Nov 2026."],
		["nothing before", [longAgo, lastWeek(1)], "1 visit", "1 visit, none in the week before."],
		["nothing now", [weekBefore(1)], "no visits", "No visits, 1 the week before."],
		["as many", [weekBefore(1), lastWeek(1)], "1 visit", "1 visit, as many as the week before."],
		["about as many", [weekBefore(400), lastWeek(401)], "401 visits", "401 visits, about as many as the week before."],
		[
			"a source lost",
			[weekBefore(10), weekBefore(1_500, fromGoogle), lastWeek(10), lastWeek(1_230, fromGoogle)],
			"1,240 visits, -18 %",
			"1,240 visits, 18 % fewer than the week before, most of the decline from google / organic.",
		],
		[
			"a source of two mediums",
			[weekBefore(10), lastWeek(10), lastWeek(5, fromGoogle), lastWeek(5, { utm_source: "google", utm_medium: "cpc" })],
			"20 visits, +100 %",
			"20 visits, 100 % more than the week before, most of the growth from google.",
		],
		[
			"no main source",
			[weekBefore(2), lastWeek(2), lastWeek(1, { utm_source: "a" }), lastWeek(1, { utm_source: "b" })],
			"4 visits, +100 %",
			"4 visits, 100 % more than the week before.",
		],
	];

test("subject and first sentence compare the week with the one before, and name the source of most of a change", async () => {
	const reports = await Array.fromAsync(weeks, async (week) => {
		const [site, boss] = [await newSite(), newAddress()];
		await create(site, { recipients: [boss] });
		return { week, site, boss };
	});
	await watched.store(reports.flatMap(({ week: [, rows], site }) => rows.flatMap((rowsOf) => rowsOf(site))));
	await at("2026-11-16T08:00:00Z");
	for (const { week, boss } of reports) {
		const [name, , subject, lead] = week;
		const [mail] = await mailsTo(boss);
		assert.equal(mail?.subject.replace(/^Shop \d+: /, ""), `${subject}, 9 – 15 Nov 2026`, name);
		assert.equal(mail?.text.split("\n")[0], lead);
		assert.equal(mail?.text.includes("Change"), name !== "no baseline", "changes need a baseline");
	}
});

test("a long page has a line of its own in the text, and the subject shortens a long name", async () => {
	const site = await newSite();
	const boss = newAddress();
	await watched.call("PATCH", `/sites/${site}`, { name: "Gardens ".repeat(12).trim() });
	await create(site, { recipients: [boss] });
	await watched.store(lastWeek(3, { path: `/${"long-path/".repeat(10)}` })(site));
	await at("2026-11-16T08:00:00Z");
	const [mail] = await mailsTo(boss);
	assert.equal(mail?.subject, "Gardens Gardens Gardens Gardens Gardens…: 3 visits, 9 – 15 Nov 2026");
	assert.ok(mail?.text.includes(`\n/${"long-path/".repeat(10)}\n${" ".repeat(46)}3\n`), mail?.text);
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

	const post = async (payload: string, headers = form) =>
		(await app.inject({ method: "POST", url: path, headers, payload })).statusCode;
	assert.equal(await post("List-Unsubscribe=One-Click"), 200);
	await call("PATCH", `/mail-reports/${id}?account_id=${site}`, { recipients });
	assert.deepEqual(await statuses(watched, site, id), ["unsubscribed", "active"]);
	await at("2026-11-23T08:00:00Z");
	assert.deepEqual(await Promise.all(recipients.map(async (to) => (await mailsTo(to)).length)), [1, 2]);

	await post("again=yes");
	assert.deepEqual(await statuses(watched, site, id), ["active", "active"]);
	const body = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
	assert.equal(await post(body, { "content-type": "multipart/form-data; boundary=x" }), 200);
	assert.deepEqual(await statuses(watched, site, id), ["unsubscribed", "active"]);
	for (const method of ["GET", "POST"] as const) {
		assert.equal((await app.inject({ method, url: `${path.slice(0, -1)}` })).statusCode, 404, "a changed link");
	}
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
	assert.match(mail?.text ?? "", /^12 visits/);
	assert.deepEqual(await mailsTo(boss), []);
});

/** Mornings that are not where one would look for them, and the days of the report that goes out then. */
const mornings = [
	["weekly", "Europe/Madrid", "summer time ends", "2026-10-26T06:00:00Z", "19 – 25 Oct 2026"],
	["weekly", "Europe/Madrid", "summer time begins", "2027-03-29T05:00:00Z", "22 – 28 Mar 2027"],
	["monthly", "America/New_York", "summer time ends", "2026-11-01T12:00:00Z", "1 – 31 Oct 2026"],
	["monthly", "Pacific/Kiritimati", "London has the day before", "2026-11-30T17:00:00Z", "1 – 30 Nov 2026"],
	["monthly", "Pacific/Honolulu", "Tokyo has the day after", "2026-12-01T17:00:00Z", "1 – 30 Nov 2026"],
] as const;

for (const [frequency, timezone, where, morning, days] of mornings) {
	test(`a ${frequency} report goes out at seven of the clocks of ${timezone}, where ${where}`, async () => {
		const from = Date.parse(morning) - 5 * DAY;
		watched.app.clock.set(new Date(from).toISOString());
		const site = await watched.site(timezone);
		const boss = newAddress();
		await create(site, { frequency, recipients: [boss] });
		await watched.store(views(site, from, from + HOUR, 5, { entrance: 1 }));
		await at(new Date(Date.parse(morning) - MINUTE).toISOString());
		assert.deepEqual(await mailsTo(boss), []);
		await at(morning);
		const subjects = (await mailsTo(boss)).map(({ subject }) => subject.replace(/^.* visits, /, ""));
		assert.deepEqual(subjects, [days]);
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
		await watched.store([MONDAY, MONDAY + 7 * DAY].flatMap((start) => week(start)(5)(site)));
		assert.deepEqual(await statuses(watched, site, id), ["active", "active"]);
		await sendReportsAt(app, "2026-11-16T08:00:00Z");
		assert.deepEqual(await statuses(watched, site, id), ["active", "bounced"]);
		await sendReportsAt(app, "2026-11-23T08:00:00Z");
		const found = received.flatMap(({ to }) => to);
		assert.deepEqual(found, ["client@example.com", "client@example.com"]);
	} finally {
		await app.close();
		servers.close();
	}
});

const tables = () => watched.app.metadata.withTables<Tables>();

/** How each kind of address stands to a site, whether it is asked, and how many mails it gets of a report and an alert. */
const kinds = {
	viewer: ["active", 0, 2],
	lost: ["no_access", 0, 0],
	shut: ["deactivated", 0, 0],
	unproven: ["unconfirmed", 1, 0],
	"agreed-shut": ["deactivated", 0, 0],
	"user-elsewhere": ["unconfirmed", 1, 0],
	"shut-elsewhere": ["unconfirmed", 0, 0],
	superadmin: ["unconfirmed", 1, 0],
	"shut-superadmin": ["unconfirmed", 0, 0],
	nobody: ["unconfirmed", 1, 0],
} as const;
type Kind = keyof typeof kinds;

test("users of a site get its mails unasked; of other accounts nothing shows, and those that are shut get nothing, also when they agreed", async () => {
	const { app } = watched;
	const site = await newSite();
	const noon = app.clock.now();
	const names = Object.keys(kinds) as Kind[];
	const emailOf = (name: Kind) => `${name}@accounts.example`;
	const ids = new Map<string, number>();
	for (const name of names.filter((one) => one !== "nobody")) {
		const role = name.endsWith("superadmin") ? "superadmin" : "user";
		ids.set(name, (await insertTestUser(app, { email: emailOf(name), name, role })).id);
	}
	const idOf = (name: Kind) => ids.get(name) ?? 0;
	for (const name of ["viewer", "lost", "shut", "unproven"] as const) {
		await giveSiteRole(app, site, idOf(name), "viewer");
	}
	const users = tables().updateTable("users");
	await users.set({ email_verified_at: null }).where("id", "=", idOf("unproven")).execute();
	await letAgree(app, site, [emailOf("agreed-shut")]);
	for (const name of ["agreed-shut", "shut-elsewhere", "shut-superadmin"] as const) await shutAccount(app, idOf(name));
	const recipients = names.map(emailOf);
	const report = { frequency: "weekly", recipients };
	const { id } = (await watched.call("POST", `/mail-reports?account_id=${site}`, report)).data;
	const above = { condition_type: "absolute_threshold", threshold_value: 5 };
	await watched.rule(site, { ...above, email_recipients: recipients });
	await takeSiteRole(app, site, idOf("lost"));
	await shutAccount(app, idOf("shut"));
	await watched.store(views(site, noon, noon + HOUR, 8, { entrance: 1 }));
	await watched.look(noon + HOUR);
	await at("2026-11-16T08:00:00Z");
	const statuses = async (): Promise<Map<string, string>> => {
		const { data } = await watched.call("GET", `/mail-reports/${id}?account_id=${site}`);
		return new Map(data.recipients.map(({ email, status }: Record<string, string>) => [email, status]));
	};
	const shown = await statuses();
	const mails = await mailbox(app).all();
	const sent = (name: Kind, asks: boolean) =>
		mails.filter((mail) => mail.to === emailOf(name) && isQuestion(mail) === asks);
	const outcome = (name: Kind) => [shown.get(emailOf(name)), sent(name, true).length, sent(name, false).length];
	assert.deepEqual(Object.fromEntries(names.map((name) => [name, outcome(name)])), kinds);
	assert.equal(sent("viewer", false)[0]?.headers["list-unsubscribe"], undefined);
	assert.equal((await watched.history(site))[0]?.notification_error, "email: 9 of 10 recipients may not be mailed");
	app.clock.set("2026-11-17T12:00:01Z");
	assert.equal((await statuses()).get(emailOf("nobody")), "no_access", "after seven days without an answer");
});
