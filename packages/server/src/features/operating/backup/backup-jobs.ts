import { fork } from "node:child_process";
import { extname, join } from "node:path";
import { tryLockFolder } from "../../../platform/files/lock-directory.ts";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { findKeyedJob } from "../../../platform/jobs/job-overview.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import { childEnvironment } from "../../../platform/lib/child-environment.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import { BackupError } from "./manifest.ts";
import {
	BACKUP_JOB,
	newBackupId,
	openSnapshot,
	removeSnapshot,
	removeSnapshots,
	SNAPSHOT_JOB,
	type Snapshot,
	type SnapshotDeps,
	snapshotsFolder,
	takeSnapshot,
} from "./snapshot.ts";
import { insertRun, selectLastRun } from "./store.ts";
import type { WrittenBackup } from "./write-backup.ts";

export interface ScheduledDeps {
	readonly snapshots: SnapshotDeps;
	readonly metadata: Metadata;
	readonly jobs: Pick<Jobs, "schedule">;
	readonly mailer: Pick<Mailer, "queue">;
	readonly log: Log;
	/** Addresses of those who run the service. */
	readonly operators: () => Promise<readonly string[]>;
	/** Where backups go, when (cron, UTC), and how many stay. */
	readonly target: string;
	readonly cron: string;
	readonly keep: number;
}

/** Makes scheduled backups. A failed one is retried; the operator is notified of the first failure of several. */
export function scheduleBackups(deps: ScheduledDeps): void {
	deps.jobs.schedule(BACKUP_JOB, deps.cron, async ({ signal }) => {
		const { clock } = deps.snapshots;
		const startedAt = clock.now();
		const id = newBackupId(startedAt);
		try {
			const { bytes, newBytes } = await makeBackup(deps, id, signal);
			const run = { backup_id: id, started_at: startedAt, ended_at: clock.now() };
			await insertRun(deps.metadata, { ...run, status: "done", bytes, new_bytes: newBytes });
			deps.log.info({ backup: id, bytes, newBytes }, "Backup completed");
		} catch (error) {
			if (signal.aborted) throw error;
			const reason = reasonOf(error);
			await noteFailure(deps, { id, startedAt, reason });
			throw new JobFailure(reason, { cause: error });
		}
	});
}

async function makeBackup({ snapshots, target, keep }: ScheduledDeps, id: string, signal: AbortSignal) {
	const { dataDir } = snapshots.config;
	const lock = tryLockFolder(snapshotsFolder(dataDir));
	if (lock === undefined) throw new BackupError("Another backup is running");
	try {
		await removeSnapshots(dataDir);
		await takeSnapshot(snapshots, id, { place: target, signal });
		return await copyApart({ dataDir, id, target, keep }, signal);
	} finally {
		await removeSnapshot(dataDir, id);
		lock.release();
	}
}

async function noteFailure(
	{ metadata, mailer, log, operators, snapshots }: ScheduledDeps,
	{ id, startedAt, reason }: { readonly id: string; readonly startedAt: number; readonly reason: string },
): Promise<void> {
	const last = await selectLastRun(metadata);
	const lastDone = await selectLastRun(metadata, "done");
	const receivers = last?.status === "failed" ? [] : await operators();
	const failed = { backup_id: id, status: "failed" as const, started_at: startedAt, ended_at: snapshots.clock.now() };
	await metadata.transaction().execute(async (trx) => {
		await insertRun(trx, { ...failed, error_message: reason });
		for (const to of receivers) await mailer.queue(trx, { to, ...failureMail(reason, lastDone?.ended_at) });
	});
	if (last?.status !== "failed") log.error({ backup: id, reason }, "Backup failed; retrying");
}

const failureMail = (reason: string, lastMs: number | undefined) => ({
	subject: "Footfall backup failed",
	body: [
		`${reason}.`,
		lastMs === undefined ? "There is no earlier backup." : `The last backup is from ${timestamp(lastMs)}.`,
		"Footfall tries again automatically. You get no further email until a backup has succeeded.",
	],
});

/** In a package the sources are JavaScript. */
const ENTRY = join(import.meta.dirname, `copy-process${extname(import.meta.filename)}`);

export interface CopyWish {
	readonly dataDir: string;
	readonly id: string;
	/** It may hold a secret, so it is sent as a message and not as an argument, which the process list shows. */
	readonly target: string;
	readonly keep: number;
}

export type CopyAnswer = { readonly written: WrittenBackup } | { readonly failure: string };

/** Writes a snapshot to its target in a process of its own. Throws a `BackupError`. */
async function copyApart(wish: CopyWish, signal: AbortSignal): Promise<WrittenBackup> {
	const child = fork(ENTRY, [], {
		execArgv: [],
		stdio: ["ignore", "ignore", "inherit", "ipc"],
		env: childEnvironment(),
	});
	const end = () => child.kill("SIGKILL");
	signal.addEventListener("abort", end, { once: true });
	try {
		const answer = await new Promise<CopyAnswer>((resolve) => {
			child.once("message", (message: CopyAnswer) => resolve(message));
			child.once("error", () => resolve({ failure: "The process that writes the backup did not start" }));
			child.once("close", () => resolve({ failure: "The process that writes the backup was ended" }));
			child.send(wish, () => undefined);
		});
		if ("failure" in answer) throw new BackupError(answer.failure);
		return answer.written;
	} finally {
		signal.removeEventListener("abort", end);
	}
}

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
function reasonOf(error: unknown): string {
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
