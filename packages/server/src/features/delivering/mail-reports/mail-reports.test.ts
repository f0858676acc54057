import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../../../test/support/accounts.ts";
import { letAgree } from "../../../../test/support/agreed-recipients.ts";
import { addReport, mailsTo as mailsOf, sendReportsAt } from "../../../../test/support/mail-reports.ts";
import { giveSiteRole, shutAccount, takeSiteRole } from "../../../../test/support/site-roles.ts";
import { DAY, HOUR, views, watchSites } from "../../../../test/support/watched-sites.ts";

const watched = watchSites();
let addresses = 0;

const newAddress = () => `boss${++addresses}@example.com`;
const mailsTo = (address: string) => mailsOf(watched.app, address);
const at = (moment: string) => sendReportsAt(watched.app, moment);
const create = (site: string, body: Parameters<typeof addReport>[2]) => addReport(watched, site, body);

/** 12 visits with 2 sales in the week of Monday 9 November 2026, and half of the visits in the week before. */
async function twoWeeks(site: string): Promise<void> {
	const monday = Date.parse("2026-11-09T10:00:00Z");
	await watched.store([
		...views(site, monday, monday + HOUR, 12, {
			entrance: 1,
			path: "/%C3%A9t%C3%A9",
			utm_source: "google",
			country: "ES",
		}),
		...views(site, monday, monday + HOUR, 6, { path: "/<b>" }),
		...views(site, monday, monday + HOUR, 2, { page_view: 0, kind: "conversion", conversion: 1, revenue: 617.25 }),
		...views(site, monday - 7 * DAY, monday - 7 * DAY + HOUR, 6, { entrance: 1 }),
	]);
}

test("the week goes out on Monday at seven of the site's clock, with its figures and those of the week before", async () => {
	watched.app.clock.set("2026-11-10T12:00:00Z");
	const site = await watched.site("Asia/Tokyo");
	const boss = newAddress();
	await create(site, { recipients: [boss] });
	await twoWeeks(site);
	// Monday 16 November, 06:59 and 07:00 in Tokyo.
	await at("2026-11-15T21:59:00Z");
	assert.equal((await mailsTo(boss)).length, 0);
	await at("2026-11-15T22:00:00Z");
	const [mail, ...others] = await mailsTo(boss);
	assert.ok(mail);
	assert.equal(others.length, 0);
	assert.match(mail.subject, /^Shop \d+: the week 2026-11-09 to 2026-11-15$/);
	for (const line of [
		"Visits:  12  +100 %",
		"Page views:  18  +200 %",
		"Conversions:  2  new",
		"Conversion rate:  16.67 %  +16.67 points",
		"Revenue:  1,234.50 EUR  new",
		"/été:  12",
		"/<b>:  6",
		"google:  12",
		"Spain:  12",
	]) {
		assert.ok(mail.text.includes(line), `${line}\n${mail.text}`);
	}
	assert.ok(mail.html.includes("/&lt;b&gt;") && !mail.html.includes("<b>"), "names are no markup");
	await at("2026-11-16T22:00:00Z");
	assert.equal((await mailsTo(boss)).length, 1, "once");
});

test("a revenue after refunds is told by its difference", async () => {
	watched.app.clock.set("2026-11-10T12:00:00Z");
	const site = await watched.site();
	const boss = newAddress();
	await create(site, { recipients: [boss] });
	const monday = Date.parse("2026-11-09T10:00:00Z");
	const sale = { page_view: 0, kind: "conversion", conversion: 1 } as const;
	await watched.store([
		...views(site, monday, monday + HOUR, 1, { entrance: 1 }),
		...views(site, monday, monday + HOUR, 1, { ...sale, revenue: 120 }),
		...views(site, monday - 7 * DAY, monday - 7 * DAY + HOUR, 1, { ...sale, revenue: -80 }),
	]);
	await at("2026-11-16T07:00:00Z");
	const [mail] = await mailsTo(boss);
	assert.match(mail?.text ?? "", /Revenue: {2}120\.00 EUR {2}\+200\.00 EUR/);
});

test("the month goes out on its first day, and a morning that was missed is made up for", async () => {
	watched.app.clock.set("2026-11-10T12:00:00Z");
	const site = await watched.site("America/New_York");
	const boss = newAddress();
	await create(site, { frequency: "monthly", recipients: [boss] });
	await twoWeeks(site);
	await at("2026-12-01T11:59:00Z");
	assert.equal((await mailsTo(boss)).length, 0, "06:59 in New York");
	await at("2026-12-04T12:00:00Z");
	const [mail] = await mailsTo(boss);
	assert.match(mail?.subject ?? "", /the month 2026-11-01 to 2026-11-30$/);
});

test("a site without visits sends nothing, nor does a report that is off, nor one made in its own period", async () => {
	watched.app.clock.set("2026-11-16T09:00:00Z");
	const [empty, busy] = [await watched.site(), await watched.site()];
	await twoWeeks(busy);
	const [one, two, three] = [newAddress(), newAddress(), newAddress()];
	await create(empty, { recipients: [one] });
	await create(busy, { recipients: [two], is_active: false });
	await create(busy, { recipients: [three] });
	await at("2026-11-16T10:00:00Z");
	assert.equal((await mailsTo(three)).length, 0, "the next one is the first");
	await at("2026-11-23T08:00:00Z");
	assert.deepEqual(
		[(await mailsTo(one)).length, (await mailsTo(two)).length, (await mailsTo(three)).length],
		[0, 0, 1],
	);
});

test("one click ends the mails, without a sign-in, and the address cannot be added back by others", async () => {
	const { app, call } = watched;
	app.clock.set("2026-11-10T12:00:00Z");
	const site = await watched.site();
	const [boss, other] = [newAddress(), newAddress()];
	const { id } = await create(site, { recipients: [boss, other] });
	await twoWeeks(site);
	await at("2026-11-16T08:00:00Z");
	const [mail] = await mailsTo(boss);
	assert.equal(mail?.headers["list-unsubscribe-post"], "List-Unsubscribe=One-Click");
	const url = /^<(http[^>]+)>$/.exec((mail?.headers["list-unsubscribe"] ?? "").replaceAll(/\s/g, ""))?.[1] ?? "";
	assert.equal(url, mail?.links.at(-1));
	const path = url.slice(url.indexOf("/mail-reports"));
	assert.ok(!decodeURIComponent(path).includes("@"), "the address of the page names nobody");

	const asked = await app.inject({ method: "GET", url: path });
	assert.equal(asked.statusCode, 200);
	assert.match(asked.body, /Send me no more/);
	assert.equal(asked.headers["referrer-policy"], "no-referrer");
	const statuses = async () =>
		(await call("GET", `/mail-reports/${id}?account_id=${site}`)).data.recipients.map(
			({ status }: { status: string }) => status,
		);
	assert.deepEqual(await statuses(), ["active", "active"], "looking changes nothing");

	const form = { "content-type": "application/x-www-form-urlencoded" };
	const clicked = await app.inject({ method: "POST", url: path, headers: form, payload: "List-Unsubscribe=One-Click" });
	assert.equal(clicked.statusCode, 200);
	assert.deepEqual(await statuses(), ["unsubscribed", "active"]);
	await call("PATCH", `/mail-reports/${id}?account_id=${site}`, { recipients: [boss, other] });
	assert.deepEqual(await statuses(), ["unsubscribed", "active"]);
	await at("2026-11-23T08:00:00Z");
	assert.deepEqual([(await mailsTo(boss)).length, (await mailsTo(other)).length], [1, 2]);

	await app.inject({ method: "POST", url: path, headers: form, payload: "again=yes" });
	assert.deepEqual(await statuses(), ["active", "active"]);
	const multipart = { "content-type": "multipart/form-data; boundary=x" };
	const body = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
	assert.equal((await app.inject({ method: "POST", url: path, headers: multipart, payload: body })).statusCode, 200);
	assert.deepEqual(await statuses(), ["unsubscribed", "active"]);
});

test("a link that was changed unsubscribes nobody", async () => {
	for (const token of ["", "x", "A".repeat(80)]) {
		for (const method of ["GET", "POST"] as const) {
			const answer = await watched.app.inject({ method, url: `/mail-reports/unsubscribe?token=${token}` });
			assert.equal(answer.statusCode, 404, `${method} ${token}`);
		}
	}
});

test("who lost the site, whose account is shut and who did not agree get nothing", async () => {
	const { app, call } = watched;
	app.clock.set("2026-11-10T12:00:00Z");
	const site = await watched.site();
	await twoWeeks(site);
	const recipients = ["leaver@example.com", "shut@example.com", "client@example.com", "silent@example.com"];
	const [leaver, shut] = await Promise.all(
		recipients.slice(0, 2).map(async (email) => (await signIn(app, { email, name: email })).userId),
	);
	assert.ok(leaver !== undefined && shut !== undefined);
	for (const id of [leaver, shut]) await giveSiteRole(app, site, id, "viewer");
	const url = `/mail-reports?account_id=${site}`;
	const { id } = (await call("POST", url, { frequency: "weekly", recipients })).data;
	await letAgree(app, site, ["client@example.com"]);
	const statuses = async () => {
		const { data } = await call("GET", `/mail-reports/${id}?account_id=${site}`);
		return Object.fromEntries(
			data.recipients.map(({ email, status }: { email: string; status: string }) => [email.split("@")[0], status]),
		);
	};
	assert.deepEqual(await statuses(), { client: "active", leaver: "active", shut: "active", silent: "unconfirmed" });
	await takeSiteRole(app, site, leaver);
	await shutAccount(app, shut);
	const after = { client: "active", leaver: "no_access", shut: "deactivated", silent: "unconfirmed" };
	assert.deepEqual(await statuses(), after);
	await at("2026-11-16T08:00:00Z");
	const counts = await Promise.all(recipients.map(async (to) => (await mailsTo(to)).length));
	assert.deepEqual(counts, [0, 0, 1, 0]);
	app.clock.set("2026-11-17T12:00:01Z");
	assert.equal((await statuses()).silent, "no_access", "after seven days");
});

test("a test mail goes to the caller alone", async () => {
	const { call } = watched;
	watched.app.clock.set("2026-11-17T12:00:00Z");
	const site = await watched.site();
	await twoWeeks(site);
	const boss = newAddress();
	const { id } = await create(site, { recipients: [boss] });
	const { data } = await call("POST", `/mail-reports/${id}/test?account_id=${site}`);
	assert.deepEqual(data, { sent_to: "ann@example.com" });
	const [mail] = (await mailsTo("ann@example.com")).filter(({ subject }) => subject.startsWith("Test: "));
	assert.match(mail?.text ?? "", /Visits: {2}12/);
	assert.equal((await mailsTo(boss)).length, 0);
});

test("visits that somebody made up put no link into a mail", async () => {
	watched.app.clock.set("2026-11-10T12:00:00Z");
	const site = await watched.site();
	const boss = newAddress();
	await create(site, { recipients: [boss] });
	const monday = Date.parse("2026-11-09T10:00:00Z");
	const madeUp = { entrance: 1, path: "/https://evil.example/a", utm_source: "evil.example/b" } as const;
	await watched.store([
		...views(site, monday, monday + HOUR, 3, madeUp),
		...views(site, monday, monday + HOUR, 2, { path: "/www.evil.example" }),
		...views(site, monday, monday + HOUR, 1, { path: "/index.php/news" }),
	]);
	await at("2026-11-16T08:00:00Z");
	const [mail] = await mailsTo(boss);
	assert.ok(mail);
	assert.ok(!`${mail.text}${mail.html}`.includes("evil"), mail.text);
	for (const line of ["/[link]:  3", "/index.php/news:  1", "[link]:  3"]) assert.ok(mail.text.includes(line), line);
});

test("what is wrong is named", async () => {
	const site = await watched.site();
	const url = `/mail-reports?account_id=${site}`;
	const refused = async (body: object) => (await watched.ask("POST", url, body)).json().error.detail[0].field;
	assert.equal(await refused({ frequency: "daily", recipients: ["a@example.com"] }), "body.frequency");
	assert.equal(await refused({ frequency: "weekly", recipients: [] }), "body.recipients");
	assert.equal(await refused({ frequency: "weekly", recipients: ["nobody"] }), "body.recipients.0");
	for (let count = 0; count < 20; count++) await create(site, { recipients: [newAddress()] });
	const last = await watched.ask("POST", url, { frequency: "weekly", recipients: ["a@example.com"] });
	assert.equal(last.json().error.code, "conflict");
});
