// How long it takes to look at the alert rules of 1,000 sites, and how often rules fire at nothing.
// `npm run bench:alerts -- [rows] [sites]`

import { signIn } from "../../packages/server/test/support/accounts.ts";
import { type TestApp, testApp } from "../../packages/server/test/support/test-app.ts";
import { describeMachine } from "../support/machine.ts";
import { quantile } from "../support/quantile.ts";
import { printFalseAlarms } from "./false-alarms.ts";

const ROWS = Number(process.argv[2] ?? 4_000_000);
const SITES = Number(process.argv[3] ?? 1000);
const [DAYS, RUNS] = [31, 5];
const NOW = "2026-11-21T12:00:10.000Z";

const row = (label: string, value: string) => console.log(`${label.padEnd(56)} ${value}`);
const siteId = (index: number) => `site-${String(index).padStart(4, "0")}`;
const zones = ["UTC", "Europe/Madrid", "America/New_York", "Asia/Tokyo", "Australia/Adelaide"];

async function createSites(app: TestApp, userId: number): Promise<void> {
	const db = app.metadata.withTables<{
		organizations: Record<string, unknown>;
		sites: Record<string, unknown>;
		alert_rules: { id: number; site_id: string };
	}>();
	const organization = {
		id: "bench",
		slug: "bench",
		name: "Bench",
		is_personal: 0,
		is_active: 1,
		plan_tier: "enterprise",
	};
	await db
		.insertInto("organizations")
		.values({ ...organization, created_at: 0, updated_at: 0 })
		.execute();
	for (let index = 0; index < SITES; index++) {
		const settings = {
			currency: "EUR",
			is_active: 1,
			bot_threshold: 80,
			automatic_events: "[]",
			goals: "[]",
			created_by: userId,
			created_at: 0,
		};
		const timezone = zones[index % zones.length] ?? "UTC";
		const site = { id: siteId(index), organization_id: "bench", name: siteId(index), timezone, ...settings };
		await db.insertInto("sites").values(site).execute();
	}
	await app.sites.refresh();
}

async function storeHits(app: TestApp): Promise<void> {
	const seconds = DAYS * 86_400;
	const end = Math.floor(Date.parse(NOW) / 1000);
	await app.eventStore.command(`
		INSERT INTO events (site, date, hour, ts, session, kind, path, landing_path, utm_source, country, device, entrance, page_view)
		SELECT concat('site-', leftPad(toString(number % ${SITES}), 4, '0')) AS site,
			toDate(at, 'UTC'), toHour(at, 'UTC'), at, number, 'pageview', '/p', '/p', 'google', 'ES', 'mobile', number % 3 = 0, 1
		FROM (SELECT number, toDateTime64(${end} - intDiv(number * ${seconds}, ${ROWS}), 3, 'UTC') AS at FROM numbers(${ROWS}))`);
	await app.eventStore.command("OPTIMIZE TABLE events FINAL");
}

/** Gives each site a rule, in place of the one that it had. */
async function watch(app: TestApp, headers: Readonly<Record<string, string>>, rule: object): Promise<void> {
	await app.metadata.withTables<{ alert_rules: { id: number } }>().deleteFrom("alert_rules").execute();
	for (let index = 0; index < SITES; index++) {
		const url = `/api/v1/alerts/rules?account_id=${siteId(index)}`;
		const answer = await app.inject({
			method: "POST",
			url,
			headers: { ...headers },
			payload: { name: "Watch", ...rule },
		});
		if (answer.statusCode !== 201) throw new Error(answer.body);
	}
}

async function timeRounds(app: TestApp): Promise<number[]> {
	const times: number[] = [];
	for (let run = 0; run <= RUNS; run++) {
		await app.jobs.enqueue(app.metadata, { kind: "alert-evaluation" });
		const began = performance.now();
		await app.jobs.runDue();
		times.push(performance.now() - began);
	}
	// The first one also finds when the sites were first visited.
	return times.slice(1).sort((a, b) => a - b);
}

const rules = {
	"the default rule (1h against 7d)": {},
	"24h against 30d": { comparison_window: "24h", baseline_period: "30d" },
	"15m against 24h": { comparison_window: "15m", baseline_period: "24h" },
};

row("machine", describeMachine());
const app = await testApp({ now: NOW });
try {
	const { userId, headers } = await signIn(app, { role: "superadmin" });
	await createSites(app, userId);
	await storeHits(app);
	row("data", `${ROWS} page views of ${SITES} sites in ${DAYS} days`);
	for (const [title, rule] of Object.entries(rules)) {
		await watch(app, headers, rule);
		const times = await timeRounds(app);
		row(
			`one round of ${SITES} rules: ${title}`,
			`p50 ${quantile(times, 0.5).toFixed(0)} ms, most ${times.at(-1)?.toFixed(0)} ms`,
		);
	}
} finally {
	await app.close();
}
printFalseAlarms([240, 1000, 10_000, 100_000]);
