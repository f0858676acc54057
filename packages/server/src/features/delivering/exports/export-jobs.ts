import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { ExportDeps } from "./deps.ts";
import { cleanUpExports } from "./expire-exports.ts";
import { REMOVE_FILE_JOB } from "./remove-file.ts";
import { EXPORT_JOB, failExport, runExport } from "./run-export.ts";

/** A process without a sign of life for this long has left its export, which is begun again three times at most. */
const LEASE_MS = 10 * MINUTE_MS;
const ATTEMPTS = 4;
/** Fewer than the event store has places for streams: the other one is for downloads of reports. */
const EXPORTS_AT_ONCE = 3;

/** Says how exports are made in the background and how their files go. */
export function registerExportJobs(deps: ExportDeps): void {
	const { jobs, files } = deps;
	jobs.register<{ jobId: string }>(
		EXPORT_JOB,
		async ({ jobId }, { signal }) => void (await runExport(deps, jobId, { signal })),
		{
			maxAttempts: ATTEMPTS,
			leaseMs: LEASE_MS,
			concurrency: EXPORTS_AT_ONCE,
			// The plan of an organization limits its exports at work. The next free place is for an organization that has none.
			perLane: EXPORTS_AT_ONCE,
			onGivenUp: async (trx, { jobId }) => void (await failExport(deps, trx, jobId, "The export could not be made")),
		},
	);
	jobs.register<{ fileName: string }>(REMOVE_FILE_JOB, ({ fileName }) => files.remove(fileName));
	jobs.schedule("export-expiry", "*/5 * * * *", () => cleanUpExports(deps));
}
