import assert from "node:assert/strict";
import { after, test } from "node:test";
import { migrateEvents } from "../../migrations/events/index.ts";
import type { EventMigration } from "../../migrations/events/migration.ts";
import { underMigrationLock } from "../../src/platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { newDirectory } from "../support/new-directory.ts";
import { postgresSkip, testSchema } from "../support/test-schema.ts";
import { openTestStore } from "../support/test-store.ts";

const dataDir = newDirectory();
const open = await openTestStore();
after(() => open.remove());

for (const engine of ["SQLite", "PostgreSQL"] as const) {
	const skip = engine === "PostgreSQL" && postgresSkip;
	test(`two processes that start at once run each step of the event store once (${engine})`, { skip }, async () => {
		const schema = engine === "PostgreSQL" ? await testSchema() : undefined;
		const options = { databaseUrl: schema?.url, dataDir, isForMigrations: true };
		const steps: EventMigration[] = [1, 2].map((n) => ({
			version: (engine === "SQLite" ? 0 : 2) + n,
			name: `step-${n}`,
			statements: () => [
				`CREATE TABLE IF NOT EXISTS ran_${engine} (step UInt8) ENGINE = MergeTree ORDER BY step`,
				`INSERT INTO ran_${engine} VALUES (${n})`,
			],
		}));
		// Migrations recorded by the other engine's run are known here, too.
		const known =
			engine === "SQLite" ? steps : [...steps.map((step) => ({ ...step, version: step.version - 2 })), ...steps];
		const processes = await Promise.all([openMetadata(options), openMetadata(options), openMetadata(options)]);
		try {
			const ran = await Promise.all(
				processes.map((metadata) => migrateEvents(open.store, {}, known, (work) => underMigrationLock(metadata, work))),
			);
			assert.deepEqual(ran.flat(), ["step-1", "step-2"]);
			const rows = await open.store.query({ sql: `SELECT step FROM ran_${engine} ORDER BY step` });
			assert.deepEqual(rows, [{ step: 1 }, { step: 2 }]);
		} finally {
			await Promise.all(processes.map((metadata) => metadata.destroy()));
			await schema?.drop();
		}
	});
}
