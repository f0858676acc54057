import { metadataMigrations } from "../../migrations/metadata/index.ts";
import packageInfo from "../../package.json" with { type: "json" };
import {
	type EventServer,
	registerSnapshots,
	type SnapshotDeps,
	scheduleBackups,
} from "../features/operating/backup/index.ts";
import { superadminAddresses } from "../features/people/users/index.ts";
import type { Config } from "../platform/config/config.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import type { EventStore } from "../platform/event-store/event-store.ts";
import type { HoldWrites } from "../platform/event-store/hold-writes.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { type Clock, systemClock } from "../platform/lib/clock.ts";
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
	readonly config: ReadyConfig;
	readonly clock: Clock;
	readonly holdWrites: HoldWrites | undefined;
	/** Undefined where the snapshot is of accounts alone. */
	readonly eventStore?: EventStore | undefined;
}

/** The server that backs up its events by itself, as the settings say. */
function backedUpServer(config: Config, store: EventStore | undefined): SnapshotDeps["server"] {
	const { clickhouseUrl, clickhouseBackupTo: to } = config;
	if (store === undefined || clickhouseUrl === undefined || to === undefined) return undefined;
	return { ...eventServer(config, store), to };
}

/** A ClickHouse server, for its backups. */
export const eventServer = ({ clickhouseCluster: cluster }: Config, store: EventStore): EventServer => ({
	store,
	cluster,
	clock: systemClock,
});

/** Dependencies of snapshots. */
export const snapshotDeps = ({ config, clock, holdWrites, eventStore }: Around): SnapshotDeps => ({
	config,
	clock,
	version: packageInfo.version,
	holdWrites,
	server: backedUpServer(config, eventStore),
	makeTables: async (metadata) => void (await migrateMetadata(metadata, metadataMigrations, clock.now())),
});
