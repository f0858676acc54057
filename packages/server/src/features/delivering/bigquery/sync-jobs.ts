import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { DAY_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { lockOrganization } from "../../tenancy/organizations/index.ts";
import { findSite } from "../../tenancy/sites/index.ts";
import { SYNC_JOB, startSync } from "./ask-sync.ts";
import type { BigQueryDeps } from "./deps.ts";
import { nextTurn } from "./next-turn.ts";
import { failSync, runSync } from "./run-sync.ts";
import { type IntegrationRow, selectDue, takeTurn } from "./store.ts";
import { chunksOf, dueDays, USUAL_CHUNK_DAYS } from "./sync-days.ts";
import { forgetSyncs } from "./sync-store.ts";

/** A process without a sign of life for this long has abandoned its sync, which another process continues. */
const LEASE_MS = MINUTE_MS;
/** The pauses between them make up twenty minutes. */
const ATTEMPTS = 5;
/** More at once would leave reports no place in the engine. */
const SYNCS_AT_ONCE = 2;
const KEPT_MS = 365 * DAY_MS;

/** Says how sites are synced: when their turn comes, when somebody asks, and again after what may pass. */
export function registerSyncJobs(deps: BigQueryDeps): void {
	const { jobs, metadata, clock } = deps;
	jobs.register<{ syncId: string }>(SYNC_JOB, ({ syncId }, { signal }) => runSync(deps, syncId, signal), {
		maxAttempts: ATTEMPTS,
		leaseMs: LEASE_MS,
		concurrency: SYNCS_AT_ONCE,
		// An organization with many sites leaves the other place to others.
		perLane: 1,
		onGivenUp: (trx, { syncId }) => failSync(deps, trx, syncId),
	});
	jobs.schedule("bigquery-turns", "* * * * *", () => startDue(deps));
	jobs.schedule("bigquery-log", "43 4 * * *", () => forgetSyncs(metadata, clock.now() - KEPT_MS));
}

/** Begins the syncs whose turn has come; one that still runs misses it. */
async function startDue(deps: BigQueryDeps): Promise<void> {
	for (const integration of await selectDue(deps.metadata, deps.clock.now())) await startTurn(deps, integration);
}

async function startTurn(deps: BigQueryDeps, integration: IntegrationRow): Promise<void> {
	const { metadata, clock } = deps;
	await metadata.transaction().execute(async (trx) => {
		const site = await findSite(trx, integration.site_id);
		if (site === undefined) return;
		await lockOrganization(trx, site.organization_id);
		const next = nextTurn(site, integration, clock.now());
		if (!(await takeTurn(trx, integration, next)) || site.is_active !== 1) return;
		const days = dueDays(integration, todayIn(site.timezone, clock));
		const synced = { id: site.id, organizationId: site.organization_id };
		const chunks = chunksOf(days, USUAL_CHUNK_DAYS);
		await startSync(deps, trx, { site: synced, integration }, { type: "incremental", chunks });
	});
}
