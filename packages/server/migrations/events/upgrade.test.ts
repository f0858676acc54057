import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { oracleApp } from "../../test/support/oracle-app.ts";
import { openTestStore, type TestStore } from "../../test/support/test-store.ts";
import { eventMigrations, migrateEvents } from "./index.ts";

const folder = join(import.meta.dirname, "frozen");
const frozen = (name: string) => readFileSync(join(folder, name), "utf8");

/** What the first release wrote: its steps, a table of its own for their versions, and the rows of a small site. */
const firstSteps = ["0001-events", "0002-bot-hits"];
const site = { id: "shop", timezone: "Europe/Madrid" };
const days = "start_date=2026-11-18&end_date=2026-11-20";

const questions = [
	`/stats/overview?${days}&granularity=daily`,
	`/stats/overview?${days}&imports=exclude`,
	`/stats/sources?${days}&include_totals=true&include[]=visitors&include[]=visit_duration`,
	`/stats/sources?${days}&country=ES`,
	`/stats/pages?${days}&page_size=5`,
	`/stats/landing-pages?${days}&page_size=5&include_utm=true&device_type=mobile`,
	`/stats/channels?${days}`,
	`/stats/geo/countries?${days}&page_size=5`,
	`/stats/devices?${days}`,
	`/stats/conversions?${days}`,
	`/stats/microconversions?${days}&page_size=2`,
	`/stats/conversions/raw?${days}&page_size=3`,
	`/stats/properties/keys?${days}`,
];
const body = {
	date_from: "2026-11-18",
	date_to: "2026-11-20",
	dimensions: ["hour"],
	metrics: ["entrances", "visitors", "visit_duration"],
	order_by: [{ field: "hour", direction: "asc" }],
};

let open: TestStore;
before(async () => {
	open = await openTestStore();
});
after(() => open.remove());

/** The statements of one server. */
function statementsOf(name: string): string[] {
	const [single = ""] = frozen(`${name}.sql`).split("\n-- Cluster\n");
	return single
		.replace("-- One server\n", "")
		.trim()
		.split(/;\n+|;$/)
		.filter((statement) => statement !== "");
}

async function writeFirstStore(): Promise<void> {
	for (const name of ["0000-versions", ...firstSteps]) {
		for (const sql of statementsOf(name)) await open.store.command(sql);
	}
	const versions = firstSteps.map((name, index) => `${index + 1}\t${name.slice(5)}\n`).join("");
	const tables = { event_migrations: `version\tname\n${versions}`, events: frozen("0002-events.tsv") };
	for (const [table, text] of Object.entries(tables)) {
		const head = text.slice(0, text.indexOf("\n"));
		const tsv = Buffer.from(text.slice(head.length + 1));
		await open.store.insert({ table, columns: head.split("\t"), tsv, deduplicationToken: "first" });
	}
}

async function answers(): Promise<Record<string, unknown>> {
	const app = await oracleApp(open.store, new Map([[site.id, site]]));
	try {
		const found: Record<string, unknown> = {};
		const query = { method: "POST" as const, url: "/stats/query?site_id=shop", payload: body };
		for (const request of [
			...questions.map((url) => ({ method: "GET" as const, url: `${url}&site_id=shop` })),
			query,
		]) {
			const response = await app.inject(request);
			assert.equal(response.statusCode, 200, response.body);
			const { timestamp, ...answer } = response.json();
			found[request.url] = answer;
		}
		return found;
	} finally {
		await app.close();
	}
}

/** Every field that was there is there, with the same value; later releases may add fields. */
function assertHolds(actual: unknown, expected: unknown, path: string): void {
	if (typeof expected !== "object" || expected === null) {
		assert.equal(actual, expected, path);
		return;
	}
	assert.ok(typeof actual === "object" && actual !== null, path);
	if (Array.isArray(expected)) assert.equal((actual as unknown[]).length, expected.length, path);
	const fields = new Map(Object.entries(actual));
	for (const [name, value] of Object.entries(expected)) assertHolds(fields.get(name), value, `${path}.${name}`);
}

test("a store that the first release wrote gives the same reports after all steps since", async () => {
	await writeFirstStore();
	const later = eventMigrations.slice(firstSteps.length).map(({ name }) => name);
	assert.deepEqual(await migrateEvents(open.store), later);
	const found = await answers();
	const file = join(folder, "0002-reports.json");
	if (process.env.UPDATE_SNAPSHOTS === "1" && !existsSync(file)) {
		writeFileSync(file, `${JSON.stringify(found, undefined, "\t")}\n`);
	}
	assertHolds(found, JSON.parse(readFileSync(file, "utf8")), "");
});
