import { metadataMigrations } from "../../migrations/metadata/index.ts";
import packageInfo from "../../package.json" with { type: "json" };
import { registerSnapshots, type SnapshotDeps, scheduleBackups } from "../features/operating/backup/index.ts";
import { superadminAddresses } from "../features/people/users/index.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import type { HoldWrites } from "../platform/event-store/hold-writes.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Clock } from "../platform/lib/clock.ts";
import type { Log } from "../platform/log/log.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { migrateMetadata } from "../platform/metadata/migrate-metadata.ts";
import type { Mailer } from "../platform/outbound/mail/mailer.ts";

interface ScheduleDeps {
	readonly config: ReadyConfig;
	readonly metadata: Metadata;
	readonly jobs: Jobs;
	readonly mailer: Mailer;
	readonly log: Log;
}

/** Lets commands ask for snapshots, and makes backups at the times of the settings. */
export function openBackups(deps: ScheduleDeps, snapshots: SnapshotDeps): void {
	const { config, metadata, jobs } = deps;
	// Elsewhere a command takes them by itself.
	if (config.clickhouseUrl === undefined) registerSnapshots(jobs, snapshots);
	if (config.backupTo === undefined) return;
	const operators = () => superadminAddresses(metadata);
	const when = { target: config.backupTo, cron: config.backupAt, keep: config.backupKeep };
	scheduleBackups({ ...deps, ...when, snapshots, operators });
}

interface Around {
	readonly config: SnapshotDeps["config"];
	readonly clock: Clock;
	readonly holdWrites: HoldWrites | undefined;
}

/** Dependencies of snapshots. */
export const snapshotDeps = ({ config, clock, holdWrites }: Around): SnapshotDeps => ({
	config,
	clock,
	version: packageInfo.version,
	holdWrites,
	makeTables: async (metadata) => void (await migrateMetadata(metadata, metadataMigrations, clock.now())),
});
