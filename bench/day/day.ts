// Days of a service within minutes: its clock is moved by five minutes at a time through every hourly and daily job, a change of salt and
// backups, with hits of each hour. `npm run bench:day -- [hours]`, 50 when absent: a day of warm-up and one that is judged. It fails when
// memory, open files or files beside the events grow, when a job fails, or when a day's report is not what its hits amount to.

import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSite, signIn, signInAgain } from "../../packages/server/test/support/accounts.ts";
import { sendHits, type TestHit } from "../../packages/server/test/support/hits.ts";
import { wholeApp } from "../../packages/server/test/support/whole-app.ts";
import { type Sample, takeSample } from "../soak/sample.ts";
import { judge, printTable } from "../soak/verdict.ts";
import { describeMachine } from "../support/machine.ts";

const STEP_MS = 5 * 60_000;
const STEPS_AN_HOUR = 12;
const BEGIN = Date.parse("2026-11-20T22:00:00.000Z");
const FIRST_BACKUP = Date.parse("2026-11-21T02:17:00.000Z");
const DAY_MS = 86_400_000;
const VISITORS = 20;
const BACKUPS_KEPT = 2;

/** Figures that a report of a day must have: each visitor views two pages an hour and buys one thing at 2.5. */
interface Expected {
	entrances: number;
	page_views: number;
	conversions: number;
	revenue: number;
}

const hours = Number(process.argv[2] ?? 50);
if (!(hours >= 4)) throw new Error("npm run bench:day -- [hours]");
console.log(describeMachine());
const directory = mkdtempSync(join(tmpdir(), "footfall-day-"));
const [dataDir, backups] = [join(directory, "data"), join(directory, "backups")];
const app = await wholeApp({
	dataDir,
	now: new Date(BEGIN).toISOString(),
	env: { BACKUP_TO: backups, BACKUP_KEEP: String(BACKUPS_KEPT), LOG_LEVEL: "warn" },
});
const expected = new Map<string, Expected>();
const samples: Sample[] = [];
try {
	const owner = await signIn(app, { role: "superadmin" });
	const site = await createSite(app, owner, { timezone: "UTC" });
	const service = { pid: process.pid, storePid: () => app.storeProcess() };
	for (let hour = 0; hour < hours; hour++) {
		const day = new Date(app.clock.now()).toISOString().slice(0, 10);
		const sums = expected.get(day) ?? { entrances: 0, page_views: 0, conversions: 0, revenue: 0 };
		await sendHits(app, Array.from({ length: VISITORS }, (_, visitor) => hitsOf(site, hour, visitor)).flat());
		sums.entrances += VISITORS;
		sums.page_views += 2 * VISITORS;
		sums.conversions += VISITORS;
		sums.revenue += 2.5 * VISITORS;
		expected.set(day, sums);
		for (let step = 0; step < STEPS_AN_HOUR; step++) {
			app.clock.advance(STEP_MS);
			await app.jobs.runDue();
			await app.catchUp();
		}
		samples.push(takeSample(dataDir, service, app.clock.now() - BEGIN));
	}
	printTable(samples);
	const { headers } = await signInAgain(app, owner);
	for (const [day, sums] of expected) {
		const url = `/api/v1/stats/overview?site_id=${site}&start_date=${day}&end_date=${day}`;
		const { data } = (await app.inject({ url, headers })).json();
		const { traffic, conversions } = data;
		report(`report of ${day}`, sameSums(sums, { ...traffic, ...conversions }), JSON.stringify(sums));
	}
	for (const { name, holds, says } of judge(samples)) report(name, holds, says);
	const made = existsSync(backups) ? readdirSync(backups).filter((name) => name.startsWith("backup-")).length : 0;
	const nights = Math.floor((app.clock.now() - FIRST_BACKUP) / DAY_MS) + 1;
	report("backups", made === Math.min(BACKUPS_KEPT, nights), `${made} of ${nights} nights are kept`);
	const failed = app.logLines.filter((line) => JSON.parse(line).level >= 50);
	report("log", failed.length === 0, `${failed.length} errors ${failed[0] ?? ""}`);
} finally {
	await app.close();
	rmSync(directory, { recursive: true, force: true });
}

/** Two pages and a purchase of a visitor, who comes back each hour. */
function hitsOf(site: string, hour: number, visitor: number): TestHit[] {
	const from = { site, ip: `203.0.113.${visitor}` };
	const url = `https://shop.example/hour-${hour}`;
	return [
		{ ...from, url },
		{ ...from, url: `${url}/next` },
		{ ...from, url, event: "purchase", amount: 2.5 },
	];
}

function sameSums(sums: Expected, found: Readonly<Record<string, unknown>>): boolean {
	const isSame = Object.entries(sums).every(([name, value]) => found[name] === value);
	if (!isSame) console.log(JSON.stringify(found));
	return isSame;
}

function report(name: string, holds: boolean, says: string): void {
	console.log(`${holds ? "holds " : "MISSED"} ${name}: ${says}`);
	if (!holds) process.exitCode = 1;
}
