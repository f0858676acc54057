import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Topology } from "./create-table.ts";
import { eventMigrations } from "./index.ts";
import { versionTable } from "./migrate-events.ts";

const folder = join(import.meta.dirname, "frozen");

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

test("the table of versions is made as it always was", () => {
	assertFrozen("0000-versions", versionTable);
});

for (const { version, name, statements } of eventMigrations) {
	test(`step ${version}, ${name}, has the statements that stores were written with`, () => {
		assertFrozen(`${String(version).padStart(4, "0")}-${name}`, statements);
	});
}
