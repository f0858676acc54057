import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { addReport, mailsTo, sendReportsAt } from "../../../../test/support/mail-reports.ts";
import { mailServers } from "../../../../test/support/mail-servers.ts";
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

/** Mornings that are not where one would look for them, and the days of the report that goes out then. */
const mornings = [
	["weekly", "Europe/Madrid", "summer time ends", "2026-10-26T06:00:00Z", "2026-10-19 to 2026-10-25"],
	["weekly", "Europe/Madrid", "summer time begins", "2027-03-29T05:00:00Z", "2027-03-22 to 2027-03-28"],
	["monthly", "America/New_York", "summer time ends", "2026-11-01T12:00:00Z", "2026-10-01 to 2026-10-31"],
	["monthly", "Pacific/Kiritimati", "London has the day before", "2026-11-30T17:00:00Z", "2026-11-01 to 2026-11-30"],
	["monthly", "Pacific/Honolulu", "Tokyo has the day after", "2026-12-01T17:00:00Z", "2026-11-01 to 2026-11-30"],
] as const;

const watched = watchSites();
let recipients = 0;

/** A report of a site with hits of the days before a morning; answers whom it goes to. */
async function reported(
	watched: WatchedSites,
	morning: string,
	{ frequency = "weekly", timezone = "UTC" } = {},
): Promise<string> {
	const from = Date.parse(morning) - 5 * DAY;
	watched.app.clock.set(new Date(from).toISOString());
	const site = await watched.site(timezone);
	const boss = `boss${++recipients}@example.com`;
	await addReport(watched, site, { frequency, recipients: [boss] });
	await watched.store(views(site, from, from + HOUR, 5, { entrance: 1 }));
	return boss;
}

for (const [frequency, timezone, where, morning, days] of mornings) {
	test(`a ${frequency} report goes out at seven of the clocks of ${timezone}, where ${where}`, async () => {
		const boss = await reported(watched, morning, { frequency, timezone });
		await sendReportsAt(watched.app, new Date(Date.parse(morning) - MINUTE).toISOString());
		assert.deepEqual(await mailsTo(watched.app, boss), []);
		await sendReportsAt(watched.app, morning);
		const [mail, ...others] = await mailsTo(watched.app, boss);
		assert.deepEqual([mail?.subject.slice(-days.length), others.length], [days, 0]);
	});
}

test("an address that its mail server refuses for good gets no further report, others do", async () => {
	const servers = mailServers();
	const { received, port } = await servers.smtp({
		onRcptTo: ({ address }, _session, done) =>
			done(
				address.startsWith("gone@") ? Object.assign(new Error("no such mailbox"), { responseCode: 550 }) : undefined,
			),
	});
	const watched = await watchedSites({ env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "ops@stats.example" } });
	const { app, call } = watched;
	try {
		app.clock.set("2026-11-10T12:00:00Z");
		const site = await watched.site();
		const recipients = ["client@example.com", "gone@example.com"];
		const { id } = await addReport(watched, site, { recipients });
		await app.jobs.runDue();
		received.splice(0);
		const monday = Date.parse("2026-11-09T10:00:00Z");
		await watched.store(
			[monday, monday + 7 * DAY].flatMap((from) => views(site, from, from + HOUR, 5, { entrance: 1 })),
		);
		const statuses = async () => {
			const { data } = await call("GET", `/mail-reports/${id}?account_id=${site}`);
			return data.recipients.map(({ status }: { status: string }) => status);
		};
		assert.deepEqual(await statuses(), ["active", "active"]);
		await sendReportsAt(app, "2026-11-16T08:00:00Z");
		assert.deepEqual(await statuses(), ["active", "bounced"]);
		await sendReportsAt(app, "2026-11-23T08:00:00Z");
		assert.deepEqual(
			received.map(({ to }) => to),
			[["client@example.com"], ["client@example.com"]],
		);
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
			assert.equal((await mailsTo(app, boss)).length, 1);
		});
	});
}
