import assert from "node:assert/strict";
import { test } from "node:test";
import { letAgree } from "../../../../../test/support/agreed-recipients.ts";
import { insightsOf, lookAt, visitsOn } from "../../../../../test/support/lens.ts";
import { mailsTo } from "../../../../../test/support/mail-reports.ts";
import { watchSites } from "../../../../../test/support/watched-sites.ts";

const watched = watchSites();
let people = 0;

const NOON = "T12:00:00Z";
const owner = "ann@example.com";

/** A site that lost 40 % of its visits in the week before a Monday, with its settings. */
async function shop(settings: object = {}, timezone = "UTC"): Promise<string> {
	watched.app.clock.set("2026-11-22T12:00:00Z");
	const site = await watched.site(timezone);
	if (Object.keys(settings).length > 0) await watched.call("PATCH", `/lens/settings?account_id=${site}`, settings);
	await watched.store([...visitsOn(site, `2026-11-23${NOON}`, 7, 180), ...visitsOn(site, `2026-11-16${NOON}`, 7, 300)]);
	return site;
}

/** Somebody from outside who agreed to mails about the site. */
async function boss(site: string): Promise<string> {
	const email = `boss${++people}@example.com`;
	await letAgree(watched.app, site, [email]);
	return email;
}
const nameOf = async (site: string): Promise<string> => (await watched.call("GET", `/sites/${site}`)).data.name;
const digests = async (to: string, site: string) => {
	const name = await nameOf(site);
	return (await mailsTo(watched.app, to)).filter(({ subject }) => subject.startsWith(`${name}:`));
};

test("a red insight is mailed to the owners, once, with a way to it and a way out", async () => {
	const site = await shop();
	await lookAt(watched, "2026-11-23T06:00:00Z");
	await lookAt(watched, "2026-11-23T18:00:00Z");
	const [mail, ...others] = await digests(owner, site);
	assert.ok(mail);
	assert.equal(others.length, 0);
	assert.equal(mail.subject, `${await nameOf(site)}: Visits fell by 40 %`);
	assert.ok(mail.text.includes("Visits: 1,260 in the last 7 days, 2,100 in the 7 before."));
	assert.ok(
		mail.links.some((link) => link.endsWith(`/sites/${site}/why?from=2026-11-16&to=2026-11-22&metric=entrances`)),
	);
	const out = mail.links.find((link) => link.includes("/mail-reports/unsubscribe"));
	assert.ok(out);
	await watched.store(visitsOn(site, `2026-11-24${NOON}`, 1, 180));
	await lookAt(watched, "2026-11-24T06:00:00Z");
	assert.equal((await digests(owner, site)).length, 1, "what lasts is not told again");
});

test("whoever unsubscribed, or never agreed, gets none; of yellow ones nobody hears unless it is wished", async () => {
	const [agreed, left, stranger] = ["agreed@a.example", "left@a.example", "stranger@a.example"];
	const site = await shop({ email_recipients: [agreed, left, stranger] });
	await letAgree(watched.app, site, [agreed, left]);
	const out = async () => {
		const [mail] = await digests(left, site);
		const link = mail?.links.find((one) => one.includes("/mail-reports/unsubscribe")) ?? "";
		return link.slice(link.indexOf("/mail-reports"));
	};
	await lookAt(watched, "2026-11-23T06:00:00Z");
	const sent = async () =>
		Promise.all([agreed, left, stranger, owner].map(async (email) => (await digests(email, site)).length));
	// The insight, and the report of the week.
	assert.deepEqual(await sent(), [2, 2, 0, 0]);
	const headers = { "content-type": "application/x-www-form-urlencoded" };
	const answer = await watched.app.inject({ method: "POST", url: await out(), headers, payload: "" });
	assert.equal(answer.statusCode, 200);
	await watched.store(visitsOn(site, `2026-11-30${NOON}`, 7, 140));
	await lookAt(watched, "2026-11-30T06:00:00Z");
	assert.deepEqual(await sent(), [3, 2, 0, 0], "the report of the next week; a fall of 22 % is yellow");

	const curious = await shop({ notify_on_yellow: true, notify_on_red: false });
	const to = await boss(curious);
	await watched.call("PATCH", `/lens/settings?account_id=${curious}`, { email_recipients: [to] });
	await watched.store(visitsOn(curious, `2026-11-23${NOON}`, 7, 50));
	await lookAt(watched, "2026-11-23T06:00:00Z");
	const subjects = (await digests(to, curious)).map(({ subject }) => subject.replace(/^[^:]*: /, ""));
	assert.deepEqual(subjects.sort(), ["Visits fell by 23.3 %", "the week 2026-11-16 to 2026-11-22"]);
});

test("sites are looked at at six of their own clock; a morning that was missed is made up for once", async () => {
	const site = await shop({}, "Asia/Tokyo");
	await lookAt(watched, "2026-11-22T20:59:00Z");
	assert.equal((await insightsOf(watched, site)).length, 0);
	await lookAt(watched, "2026-11-22T21:00:00Z");
	assert.equal((await insightsOf(watched, site)).length, 1);
	const late = await shop();
	await lookAt(watched, "2026-11-25T23:00:00Z");
	const [insight] = await insightsOf(watched, late);
	assert.equal(insight.metadata.last_found_on, "2026-11-24", "as of Wednesday's morning");
});

test("a site is looked at as often as its settings say, or not at all", async () => {
	const off = await shop({ is_enabled: false });
	const manual = await shop({ analysis_frequency: "manual" });
	const weekly = await shop({ analysis_frequency: "weekly" });
	const count = async (site: string) => (await insightsOf(watched, site)).length;
	const reports = async (site: string) => (await watched.call("GET", `/lens/reports?account_id=${site}`)).total;
	await lookAt(watched, "2026-11-23T06:00:00Z");
	assert.deepEqual(await Promise.all([off, manual, weekly].map(count)), [0, 0, 1]);
	assert.deepEqual(await Promise.all([off, manual, weekly].map(reports)), [0, 0, 1]);
	await lookAt(watched, "2026-11-25T06:00:00Z");
	const [insight] = await insightsOf(watched, weekly);
	assert.equal(insight.metadata.last_found_on, "2026-11-22", "next on Monday");
	const report = await watched.call("POST", `/lens/reports/generate?account_id=${manual}`, { report_type: "weekly" });
	assert.equal(report.status, "completed");
	assert.equal(await count(manual), 1, "who asks for a report asks for a look");
});

test("settings have their defaults, change by parts, and say who may read the addresses", async () => {
	const site = await shop();
	const url = `/lens/settings?account_id=${site}`;
	const usual = {
		account_id: site,
		is_enabled: true,
		notify_email: true,
		notify_on_red: true,
		notify_on_yellow: false,
		notify_on_green: false,
		email_recipients: [],
		analysis_frequency: "daily",
		created_at: null,
		updated_at: null,
	};
	assert.deepEqual((await watched.call("GET", url)).data, usual);
	const { data } = await watched.call("PATCH", url, { notify_on_green: true, email_recipients: ["A@b.example"] });
	const { created_at: since, updated_at: until, ...changed } = data;
	assert.deepEqual(changed, {
		...Object.fromEntries(Object.entries(usual).slice(0, -2)),
		notify_on_green: true,
		email_recipients: ["a@b.example"],
	});
	assert.equal(since, until);
	const bad = await watched.ask("PATCH", url, { analysis_frequency: "hourly" });
	assert.equal(bad.json().error.detail[0].field, "body.analysis_frequency");
});
