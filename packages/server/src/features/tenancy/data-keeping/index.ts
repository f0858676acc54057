/** How long the data of sites are kept, and how they are deleted. */

import type { App } from "../../../platform/http/app.ts";
import type { KeepingDeps } from "./deps.ts";
import { applyRetention, purgeDeletedSites } from "./keep.ts";
import { registerRoutes } from "./routes.ts";
import { DELETION_JOB, runDeletion } from "./run-deletion.ts";
import { deletions } from "./store.ts";

export type { DataEnding, Forgetting, KeepingDeps } from "./deps.ts";
export { askPurge, repeatDeletion } from "./run-deletion.ts";
export { collectorsDone, type DeletionRow, noteForgotten, selectUnforgotten } from "./store.ts";

/** A store that is away for a night holds up a deletion, but does not end it. */
const ATTEMPTS = 100;

/** A process without a sign of life for this long has abandoned its deletion, which another process continues. */
const LEASE_MS = 20_000;

/** Routes on deleting, and the work behind them. */
export function registerDataKeeping(app: App, deps: KeepingDeps): void {
	registerRoutes(app, deps);
	const { jobs, metadata } = deps;
	jobs.register<{ deletionId: number }>(
		DELETION_JOB,
		({ deletionId }, context) => runDeletion(deps, deletionId, context),
		{
			maxAttempts: ATTEMPTS,
			leaseMs: LEASE_MS,
			concurrency: 1,
			onGivenUp: async (trx, { deletionId }) => {
				const failed = { status: "failed", error_message: "The data could not be deleted" } as const;
				await deletions.update(trx, { id: deletionId }, failed);
			},
		},
	);
	jobs.schedule("data-retention", "11 4 * * *", async ({ signal }) => void (await applyRetention(deps, signal)));
	jobs.schedule("site-purge", "29 4 * * *", async () => void (await purgeDeletedSites({ ...deps, metadata })));
}
