import { dropImport } from "../../../analytics/deletion/delete-rows.ts";
import { DAY_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ImportDeps } from "./deps.ts";
import { endImport, failImport, runImport } from "./run-import.ts";
import { type ImportRow, imports } from "./store.ts";
import { REMOVE_FILE_JOB } from "./stored-file.ts";

const IMPORT_JOB = "import";
const DROP_JOB = "import-drop";

const ATTEMPTS = 5;
/** A process without a sign of life for this long has abandoned its import, which another process continues. */
const LEASE_MS = 20_000;
/** Each is a process of its own that reads a file. */
const AT_ONCE = 2;
/** A forgotten file still holds IP addresses of visitors. */
const KEPT_MS = 7 * DAY_MS;
/** By then the store has all rows that a run had sent when it was stopped. */
const LATE_MS = MINUTE_MS;

/** Says how imports are brought on, and how their rows and files go. */
export function registerImportJobs(deps: ImportDeps): void {
	const { jobs, files } = deps;
	jobs.register<{ importId: string }>(IMPORT_JOB, ({ importId }, { signal }) => runImport(deps, importId, signal), {
		maxAttempts: ATTEMPTS,
		leaseMs: LEASE_MS,
		concurrency: AT_ONCE,
		perLane: 1,
		onGivenUp: (trx, { importId }) => failImport(deps, trx, importId, "The import could not be completed"),
	});
	jobs.register<{ siteId: string; importId: string }>(DROP_JOB, ({ siteId, importId }) =>
		dropImport(deps, siteId, importId),
	);
	jobs.register<{ fileName: string }>(REMOVE_FILE_JOB, ({ fileName }) => files.remove(fileName));
	jobs.schedule("import-expiry", "17 * * * *", () => forgetImports(deps));
}

/** Has an import brought on once the transaction has committed; of each organization one at a time. */
export async function runLater(
	{ jobs }: Pick<ImportDeps, "jobs">,
	trx: Metadata,
	{ importId, organizationId }: { readonly importId: string; readonly organizationId: string },
): Promise<void> {
	await jobs.enqueue(trx, { kind: IMPORT_JOB, payload: { importId }, lane: organizationId });
}

/** Has the rows of an import dropped once the transaction has committed, and again when all has come that was on its way. */
export async function dropLater(
	{ jobs, clock }: Pick<ImportDeps, "jobs" | "clock">,
	trx: Metadata,
	{ site_id: siteId, import_id: importId }: ImportRow,
): Promise<void> {
	const job = { kind: DROP_JOB, payload: { siteId, importId } };
	await jobs.enqueueAll(trx, [job, { ...job, runAt: clock.now() + LATE_MS }]);
}

/** Ends dry runs that were not imported within a week, and removes their files. */
async function forgetImports(deps: ImportDeps): Promise<void> {
	const changes = { error_message: "The import was not started within seven days" };
	const forgotten = { status: "validated", created_at: { "<": deps.clock.now() - KEPT_MS } } as const;
	for (const row of await imports.list(deps.metadata, forgotten)) {
		await deps.metadata.transaction().execute((trx) => endImport(deps, trx, row, { to: "cancelled", changes }));
	}
}
