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
import type { EventStore } from "../platform/event-store/event-store.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { migrateMetadata } from "../platform/metadata/migrate-metadata.ts";
import type { RouteDeps } from "./app-deps.ts";

type ScheduleDeps = Pick<RouteDeps, "config" | "metadata" | "jobs" | "mailer" | "log">;

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

interface Around extends Pick<RouteDeps, "config" | "clock" | "holdWrites"> {
	/** Undefined where the snapshot is of accounts alone. */
	readonly eventStore?: EventStore | undefined;
}

function backedUpServer(config: Config, store: EventStore | undefined): SnapshotDeps["server"] {
	const { clickhouseUrl, clickhouseBackupTo: to } = config;
	if (store === undefined || clickhouseUrl === undefined || to === undefined) return undefined;
	return { ...eventServer(config, store), to };
}

export const eventServer = ({ clickhouseCluster: cluster }: Config, store: EventStore): EventServer => ({
	store,
	cluster,
	clock: systemClock,
});

export const snapshotDeps = ({ config, clock, holdWrites, eventStore }: Around): SnapshotDeps => ({
	config,
	clock,
	version: packageInfo.version,
	holdWrites,
	server: backedUpServer(config, eventStore),
	makeTables: async (metadata) => void (await migrateMetadata(metadata, metadataMigrations, clock.now())),
});
