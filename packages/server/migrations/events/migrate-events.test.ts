import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { canonicalPath } from "../../src/analytics/attribution/canonical-path.ts";
import { derivedColumns, eventColumns } from "../../src/analytics/model/event-columns.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { oracleApp } from "../../test/support/oracle-app.ts";
import { openTestStore } from "../../test/support/test-store.ts";
import type { Topology } from "./create-table.ts";
import { eventMigrations, migrateEvents } from "./index.ts";
import { versionTable } from "./migrate-events.ts";
import type { EventMigration } from "./migration.ts";

const { store, remove } = await openTestStore();
after(remove);

test("a new store gets every step once, and the table has the columns of the model in their order", async () => {
	const names = ["events", "bot-hits", "canonical-paths", "paid-conversions"];
	assert.deepEqual(await migrateEvents(store), names);
	assert.deepEqual(await migrateEvents(store), []);
	const wanted = names.map((_, index) => index + 1);
	assert.deepEqual(
		eventMigrations.map(({ version }) => version),
		wanted,
	);
	const columns = await store.query<{ name: string; type: string }>({
		sql: "SELECT name, type FROM system.columns WHERE table = 'events' AND database = currentDatabase() ORDER BY position",
	});
	const expected = Object.entries({ ...eventColumns, ...derivedColumns }).map(([name, type]) => {
		return { name, type: type.split(" MATERIALIZED ")[0] };
	});
	assert.deepEqual(columns, expected);
});

test("a step that a crash cut off is repeated as a whole; a store written by a newer release is refused", async () => {
	const withNext = (last: string): readonly EventMigration[] => {
		const statements = () => ["CREATE TABLE IF NOT EXISTS half (a UInt8) ENGINE = Memory", last];
		return [...eventMigrations, { version: eventMigrations.length + 1, name: "next", statements }];
	};
	await assert.rejects(migrateEvents(store, {}, withNext("CREATE TABLE broken")));
	const repaired = withNext("CREATE TABLE IF NOT EXISTS whole (a UInt8) ENGINE = Memory");
	assert.deepEqual(await migrateEvents(store, {}, repaired), ["next"]);
	assert.deepEqual(await migrateEvents(store, {}, repaired), []);
	await assert.rejects(migrateEvents(store, {}, eventMigrations), /start a newer release/);
});

test("paths that an earlier release stored take the form that hits are stored with", async (t) => {
	const earlier = await openTestStore();
	t.after(() => earlier.remove());
	const steps = eventMigrations.slice(0, 2);
	await migrateEvents(earlier.store, {}, steps);
	const bytes = Array.from({ length: 256 }, (_, byte) => `/%${byte.toString(16).padStart(2, "0")}`);
	const paths = [...bytes, "/été", "/%c3%a9t%C3%A9", "/\u{1F9F6}%e", "/a%", "/30%-off", "/rugs%2Fwool", "/%aé%%41"];
	const tsv = paths.map((path, n) => {
		const at = `2026-11-18 10:00:00.${String(n).padStart(3, "0")}`;
		const properties = `{'path':'${path}','n':'${path}'}`;
		return ["shop", "2026-11-18", at, "microconversion", "404", path, path, properties].join("\t");
	});
	await earlier.store.insert({
		table: "events",
		columns: ["site", "date", "ts", "kind", "event_type", "path", "landing_path", "properties"],
		tsv: Buffer.from(`${tsv.join("\n")}\n`),
		deduplicationToken: "earlier",
	});
	assert.deepEqual(await migrateEvents(earlier.store, {}, eventMigrations.slice(0, 3)), ["canonical-paths"]);
	const rows = await earlier.store.query({
		sql: "SELECT path, landing_path AS landing, properties['path'] AS missing, properties['n'] AS n FROM events ORDER BY ts",
	});
	const expected = paths.map((path) => {
		const one = canonicalPath(path);
		return { path: one, landing: one, missing: one, n: path };
	});
	assert.deepEqual(rows, expected);
});

test("the statements of both forms, one server and a cluster, are what the engine's parser accepts", async () => {
	const statements = [{}, { cluster: "main-1" }].flatMap((topology) =>
		eventMigrations.flatMap((migration) => migration.statements(topology)),
	);
	for (const sql of statements) await store.command(`EXPLAIN AST ${sql}`);
	await assert.rejects(store.command("EXPLAIN AST CREATE TABLE x (a UInt8) ENGINE ="));
	assert.throws(() => eventMigrations[0]?.statements({ cluster: "a b" }), /cluster's name/);
});

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
	const [single = ""] = frozen(`${name}.sql`).replace("-- One server\n\n", "").split("\n-- Cluster\n");
	return single.split(/;\n+/).filter((statement) => statement !== "");
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
	const first = await openTestStore();
	t.after(first.remove);
	await writeFirstStore(first.store);
	const later = eventMigrations.slice(firstSteps.length).map(({ name }) => name);
	assert.deepEqual(await migrateEvents(first.store), later);
	const found = await answers(first.store);
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
