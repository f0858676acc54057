import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { oracleApp } from "../../test/support/oracle-app.ts";
import { openTestStore } from "../../test/support/test-store.ts";
import type { Topology } from "./create-table.ts";
import { eventMigrations, migrateEvents } from "./index.ts";
import { versionTable } from "./migrate-events.ts";

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
	...["channels", "devices", "conversions", "properties/keys"].map((report) => `/stats/${report}?${days}`),
	`/stats/geo/countries?${days}&page_size=5`,
	`/stats/microconversions?${days}&page_size=2`,
	`/stats/conversions/raw?${days}&page_size=3`,
];
const body = {
	date_from: "2026-11-18",
	date_to: "2026-11-20",
	dimensions: ["hour"],
	metrics: ["entrances", "visitors", "visit_duration"],
	order_by: [{ field: "hour", direction: "asc" }],
};

/** The statements of one server. */
function statementsOf(name: string): string[] {
	const [single = ""] = frozen(`${name}.sql`).split("\n-- Cluster\n");
	return single
		.replace("-- One server\n", "")
		.trim()
		.split(/;\n+|;$/)
		.filter((statement) => statement !== "");
}

async function writeFirstStore(store: EventStore): Promise<void> {
	for (const name of ["0000-versions", ...firstSteps]) {
		for (const sql of statementsOf(name)) await store.command(sql);
	}
	const versions = firstSteps.map((name, index) => `${index + 1}\t${name.slice(5)}\n`).join("");
	const tables = { event_migrations: `version\tname\n${versions}`, events: frozen("0002-events.tsv") };
	for (const [table, text] of Object.entries(tables)) {
		const head = text.slice(0, text.indexOf("\n"));
		const tsv = Buffer.from(text.slice(head.length + 1));
		await store.insert({ table, columns: head.split("\t"), tsv, deduplicationToken: "first" });
	}
}

async function answers(store: EventStore): Promise<Record<string, unknown>> {
	const app = await oracleApp(store, new Map([[site.id, site]]));
	const found: Record<string, unknown> = {};
	const query = { method: "POST" as const, url: "/stats/query?site_id=shop", payload: body };
	const reports = questions.map((url) => ({ method: "GET" as const, url: `${url}&site_id=shop` }));
	for (const request of [...reports, query]) {
		const response = await app.inject(request);
		assert.equal(response.statusCode, 200, response.body);
		const { timestamp, ...answer } = response.json();
		found[request.url] = answer;
	}
	await app.close();
	return found;
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

test("a store that the first release wrote gives the same reports after all steps since", async (t) => {
	const { store, remove } = await openTestStore();
	t.after(remove);
	await writeFirstStore(store);
	const later = eventMigrations.slice(firstSteps.length).map(({ name }) => name);
	assert.deepEqual(await migrateEvents(store), later);
	const found = await answers(store);
	const file = join(folder, "0002-reports.json");
	if (process.env.UPDATE_SNAPSHOTS === "1" && !existsSync(file)) {
		writeFileSync(file, `${JSON.stringify(found, undefined, "\t")}\n`);
	}
	assertHolds(found, JSON.parse(readFileSync(file, "utf8")), "");
});

const text = (statements: (topology: Topology) => readonly string[]) =>
	`-- One server\n\n${joined(statements({}))}\n-- Cluster\n\n${joined(statements({ cluster: "main" }))}`;

const joined = (statements: readonly string[]) => statements.map((statement) => `${statement};\n`).join("\n");

/**
 * Stores were written by these statements, so they stay as they are; a change of the schema is another step. A new step is
 * frozen by `UPDATE_SNAPSHOTS=1`, which writes files that are not there yet and no other.
 */
function assertFrozen(name: string, statements: (topology: Topology) => readonly string[]): void {
	const file = join(folder, `${name}.sql`);
	if (process.env.UPDATE_SNAPSHOTS === "1" && !existsSync(file)) writeFileSync(file, text(statements));
	assert.ok(existsSync(file), `${name} is not frozen: run this test with UPDATE_SNAPSHOTS=1`);
	assert.equal(text(statements), readFileSync(file, "utf8"));
}

test("the table of versions and each step have the statements that stores were written with", () => {
	assertFrozen("0000-versions", versionTable);
	for (const { version, name, statements } of eventMigrations) {
		assertFrozen(`${String(version).padStart(4, "0")}-${name}`, statements);
	}
});
