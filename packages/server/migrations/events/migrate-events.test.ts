import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { canonicalPath } from "../../src/analytics/attribution/canonical-path.ts";
import { derivedColumns, eventColumns } from "../../src/analytics/model/event-columns.ts";
import { openTestStore, type TestStore } from "../../test/support/test-store.ts";
import { eventMigrations, migrateEvents } from "./index.ts";
import type { EventMigration } from "./migration.ts";

let open: TestStore;
before(async () => {
	open = await openTestStore();
	assert.deepEqual(await migrateEvents(open.store), ["events", "bot-hits", "canonical-paths", "paid-conversions"]);
});
after(() => open.remove());

test("the table has the columns of the model in their order, and a second run finds nothing to do", async () => {
	const columns = await open.store.query<{ name: string; type: string }>({
		sql: "SELECT name, type FROM system.columns WHERE table = 'events' AND database = currentDatabase() ORDER BY position",
	});
	assert.deepEqual(
		columns.map(({ name, type }) => [name, type]),
		Object.entries({ ...eventColumns, ...derivedColumns }).map(([name, type]) => [
			name,
			type.split(" MATERIALIZED ")[0],
		]),
	);
	assert.deepEqual(await migrateEvents(open.store), []);
	for (const [index, { version }] of eventMigrations.entries()) assert.equal(version, index + 1);
});

test("a step that a crash cut off is repeated as a whole; a store written by a newer release is refused", async () => {
	const withNext = (last: string): readonly EventMigration[] => {
		const statements = () => ["CREATE TABLE IF NOT EXISTS half (a UInt8) ENGINE = Memory", last];
		return [...eventMigrations, { version: eventMigrations.length + 1, name: "next", statements }];
	};
	await assert.rejects(migrateEvents(open.store, {}, withNext("CREATE TABLE broken")));
	const repaired = withNext("CREATE TABLE IF NOT EXISTS whole (a UInt8) ENGINE = Memory");
	assert.deepEqual(await migrateEvents(open.store, {}, repaired), ["next"]);
	assert.deepEqual(await migrateEvents(open.store, {}, repaired), []);
	await assert.rejects(migrateEvents(open.store, {}, eventMigrations), /start a newer release/);
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
	assert.deepEqual(
		rows,
		paths.map((path) => {
			const one = canonicalPath(path);
			return { path: one, landing: one, missing: one, n: path };
		}),
	);
});

test("the statements of both forms, one server and a cluster, are what the engine's parser accepts", async () => {
	const statements = [{}, { cluster: "main-1" }].flatMap((topology) =>
		eventMigrations.flatMap((migration) => migration.statements(topology)),
	);
	for (const sql of statements) await open.store.command(`EXPLAIN AST ${sql}`);
	await assert.rejects(open.store.command("EXPLAIN AST CREATE TABLE x (a UInt8) ENGINE ="));
	assert.throws(() => eventMigrations[0]?.statements({ cluster: "a b" }), /cluster's name/);
});
