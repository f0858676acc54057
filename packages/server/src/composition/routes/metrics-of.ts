import { sql } from "kysely";
import packageInfo from "../../../package.json" with { type: "json" };
import { countDeliveries } from "../../features/delivering/webhooks/index.ts";
import { selectLastRun } from "../../features/operating/backup/index.ts";
import type { MetricsDeps } from "../../features/operating/metrics/index.ts";
import { diskRoom } from "../../platform/files/disk-room.ts";
import { countJobs, oldestDueJob } from "../../platform/jobs/job-overview.ts";
import { residentBytes } from "../../platform/lib/memory.ts";
import type { RouteDeps } from "../app-deps.ts";

/** Figures of this process and its stores, read at the time of the request. */
export function metricsOf({ config, clock, metadata, collecting, storeProcess, certificates }: RouteDeps): MetricsDeps {
	return {
		version: packageInfo.version,
		roles: config.roles,
		hits: () => collecting?.collector.outcomes,
		spool: () => collecting?.collector.spoolState,
		storeBytes: async () => {
			const pid = storeProcess();
			return pid === undefined ? undefined : residentBytes(pid);
		},
		diskFreeBytes: async () => (await diskRoom(config.dataDir)).freeBytes,
		certificate: () => certificates && { endsAt: certificates.current()?.endsAt, failures: certificates.failures() },
		accountsAnswer: async () => {
			await sql`select 1`.execute(metadata);
		},
		sessionsAway: () => collecting?.sharedSessions.isAway(),
		clockMs: () => clock.now(),
		jobs: () => countJobs(metadata),
		jobDueSeconds: async () => {
			const now = clock.now();
			return Math.max(0, now - ((await oldestDueJob(metadata, now)) ?? now)) / 1000;
		},
		backups: async () => {
			const [last, done] = [await selectLastRun(metadata), await selectLastRun(metadata, "done")];
			return last && { isFailed: last.status === "failed", doneAtMs: done?.ended_at, bytes: done?.bytes ?? undefined };
		},
		deliveries: () => countDeliveries(metadata),
	};
}
