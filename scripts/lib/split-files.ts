import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { reaches } from "./reaches.ts";
import { root } from "./root.ts";

/** Makers of a test's service, in either form. */
const TEST_APP = new Set([resolve(root, "packages/server/test/support/test-app.ts")]);

const COMMAND = "calls commands on the SQLite file of DATA_DIR";
const ITSELF = "asks what one process tells of itself: its health, figures or memory, log lines or TLS server";
const PROCESSES = "starts and kills processes of its own on one directory";
const AWAY = "starts a service while a server is away, which a collector bears and an API waits for";
const TWO = "makes two services on servers that they share, and so is of that form already";
const SQLITE = "damages or fills SQLite's file";
const MEMORY = "restarts a service and looks for what its memory or files had, which here is in Redis";
const ALONE = "is about a service that has no collector";

/** Test files that are left out, and why. */
const exceptions: readonly (readonly [file: string, reason: string])[] = [
	["server/src/cli/backup.test.ts", COMMAND],
	["server/src/cli/operator.test.ts", COMMAND],
	["server/src/cli/server-backup.test.ts", COMMAND],
	["server/src/cli/doctor.test.ts", COMMAND],
	["server/src/cli/export.test.ts", COMMAND],
	["server/src/features/collecting/collect/refused-hits.test.ts", ITSELF],
	["server/src/features/operating/metrics/metrics.test.ts", ITSELF],
	["server/src/features/operating/system/system.test.ts", ITSELF],
	["server/src/listen.test.ts", ITSELF],
	["server/src/platform/tracing/tracing.test.ts", ITSELF],
	["server/test/real-time/broken-off-requests.test.ts", ITSELF],
	["server/test/faults/redis-away.test.ts", ITSELF],
	["server/test/real-time/data-deletion.test.ts", PROCESSES],
	["server/test/faults/export-phases.test.ts", MEMORY],
	["server/test/real-time/move.test.ts", PROCESSES],
	["server/src/cli/move.test.ts", COMMAND],
	["server/test/real-time/process.test.ts", PROCESSES],
	["server/test/real-time/split-servers.test.ts", TWO],
	["server/src/features/operating/server-secret/server-secret.test.ts", TWO],
	["server/test/real-time/event-store-away.test.ts", AWAY],
	["server/test/faults/postgres-away.test.ts", AWAY],
	["server/test/faults/data-directory.test.ts", SQLITE],
	["server/test/faults/full-disk.test.ts", SQLITE],
	["server/test/roles.test.ts", ITSELF],
	["server/test/limits.test.ts", MEMORY],
	["server/src/features/collecting/collect/restore-sessions.test.ts", MEMORY],
	["server/test/faults/restart.test.ts", MEMORY],
	["server/test/release-before.test.ts", MEMORY],
	["server/src/features/delivering/alerts/without-collector.test.ts", ALONE],
];

/**
 * Test files that use the service over HTTP only, so that they also apply to a collector, an API and a worker: those
 * that make a service by `testApp`, directly or through the tests' support.
 */
export function splitFiles(files: readonly string[]): readonly string[] {
	const left = new Set(exceptions.map(([file]) => `packages/${file}`));
	for (const file of left) if (!existsSync(resolve(root, file))) throw new Error(`There is no ${file} to leave out`);
	// Browsers see the same pages by the same API in both forms.
	const asks = (file: string) => /^packages\/(server|client)\//.test(file) && reaches(resolve(root, file), TEST_APP);
	return files.filter((file) => !left.has(file) && asks(file));
}
