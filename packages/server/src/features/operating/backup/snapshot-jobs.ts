import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { findKeyedJob } from "../../../platform/jobs/job-overview.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { BackupError } from "./manifest.ts";
import { openSnapshot, SNAPSHOT_JOB, type Snapshot, type SnapshotDeps, takeSnapshot } from "./snapshot.ts";

/** How long a service that runs may take to begin. */
const BEGIN_MS = 30_000;
const LOOK_MS = 100;

interface SnapshotWish {
	readonly id: string;
}

/** Lets commands ask this process for snapshots. */
export function registerSnapshots(jobs: Pick<Jobs, "register">, deps: SnapshotDeps): void {
	const take = async ({ id }: SnapshotWish) => {
		try {
			await takeSnapshot(deps, id);
		} catch (error) {
			throw new JobFailure(reasonOf(error), { isFinal: true, cause: error });
		}
	};
	jobs.register(SNAPSHOT_JOB, take, { maxAttempts: 1, concurrency: 1, leaseMs: 10 * MINUTE_MS });
}

/** Why no snapshot could be taken, for the operator. */
export function reasonOf(error: unknown): string {
	if (error instanceof BackupError) return error.message;
	const [cause] = describeCause(error);
	return `The data could not be held still (${cause?.code ?? cause?.name ?? "unknown"})`;
}

interface AskDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly jobs: Pick<Jobs, "enqueue" | "withdraw">;
	readonly dataDir: string;
}

/** Has the running service take a snapshot. Throws a `BackupError` when it does not, or cannot. */
export async function askSnapshot({ metadata, clock, jobs, dataDir }: AskDeps, id: string): Promise<Snapshot> {
	const job = { kind: SNAPSHOT_JOB, uniqueKey: id };
	// At once, whatever the service's clock says.
	const wish = { ...job, runAt: 0, payload: { id } satisfies SnapshotWish };
	await metadata.transaction().execute((trx) => jobs.enqueue(trx, wish));
	const began = clock.monotonic();
	for (;;) {
		const found = await findKeyedJob(metadata, job);
		if (found?.state === "done") return openSnapshot(dataDir, id);
		if (found?.state === "failed") throw new BackupError(found.last_error ?? "The service took no snapshot");
		if (found?.state === "pending" && clock.monotonic() - began > BEGIN_MS) {
			await metadata.transaction().execute((trx) => jobs.withdraw(trx, job));
			throw new BackupError("The running service did not begin: one of its processes needs the role `jobs`");
		}
		await clock.sleep(LOOK_MS);
	}
}
