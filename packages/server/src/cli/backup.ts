import { existsSync } from "node:fs";
import { join } from "node:path";
import { InvalidArgumentError } from "commander";
import { snapshotDeps } from "../composition/backups.ts";
import {
	askSnapshot,
	BackupError,
	type BackupPlace,
	insertRun,
	listBackups,
	newBackupId,
	removeSnapshot,
	removeSnapshots,
	type Snapshot,
	snapshotsFolder,
	takeSnapshot,
	type WrittenBackup,
	writeBackup,
} from "../features/operating/backup/index.ts";
import { ConfigError, loadConfig } from "../platform/config/config.ts";
import { type ReadyConfig, withSecretKey } from "../platform/config/secret-key.ts";
import { holdable } from "../platform/event-store/hold-writes.ts";
import { openEventStore } from "../platform/event-store/open-event-store.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { isDirectoryLocked, lockDirectory, tryLockFolder } from "../platform/files/lock-directory.ts";
import { openFilesAt } from "../platform/files/open-file-store.ts";
import { createJobs } from "../platform/jobs/job-runner.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { lowerPriority } from "../platform/lib/lower-priority.ts";
import { withResource } from "../platform/lib/with-resource.ts";
import { createLog } from "../platform/log/create-log.ts";
import { type DefineCommand, print, printRecords, sentences } from "./print-records.ts";
import { withMetadata } from "./with-metadata.ts";

/** Far behind the service, as collecting hits has priority. */
const NICENESS = 15;

interface BackupOptions {
	readonly to?: string;
	readonly keep?: number;
	readonly full?: true;
	readonly list?: true;
	readonly json?: true;
}

/** `footfall backup` */
export const define: DefineCommand = (command) => {
	command
		.option("--to <place>", "directory, or s3://KEY:SECRET@bucket/prefix; default: BACKUP_TO")
		.option("--keep <number>", "number of backups to keep; older ones are removed", atLeastOne)
		.option("--full", "write all data, including parts that an earlier backup has")
		.option("--list", "list the backups of the target instead")
		.option("--json", "print JSON")
		.action(runBackup);
};

function atLeastOne(text: string): number {
	if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
	throw new InvalidArgumentError("Enter a number of 1 or more.");
}

async function runBackup(options: BackupOptions): Promise<void> {
	const config = withSecretKey(loadConfig(process.env));
	const place = options.to ?? config.backupTo;
	if (place === undefined) throw new ConfigError("Give a target with --to, or in BACKUP_TO");
	const target = openFilesAt(place);
	if (options.list === true) return list(target, options);
	const lock = tryLockFolder(snapshotsFolder(config.dataDir));
	if (lock === undefined) throw new BackupError("Another backup is running");
	const id = newBackupId(systemClock.now());
	try {
		await removeSnapshots(config.dataDir);
		const began = systemClock.monotonic();
		const startedAt = systemClock.now();
		const snapshot = await snapshotOf(config, id, { place, isFull: options.full });
		lowerPriority(NICENESS);
		const written = await writeBackup(target, snapshot, { isFull: options.full === true, keep: options.keep });
		if (isDirectoryLocked(config.dataDir)) await noteRun(startedAt, written);
		const seconds = Number(((systemClock.monotonic() - began) / 1000).toFixed(1));
		const text = `${describe(written, seconds)}${remarks(snapshot, config.backupPassphrase !== undefined)}`;
		print(options, { ...written, seconds, events: snapshot.head.events }, text);
	} finally {
		await removeSnapshot(config.dataDir, id);
		lock.release();
	}
}

/** For the running service to tell of; one that is away is left as it is, tables included. */
async function noteRun(startedAt: number, { id, bytes, newBytes }: WrittenBackup): Promise<void> {
	const run = { backup_id: id, started_at: startedAt, ended_at: systemClock.now(), bytes, new_bytes: newBytes };
	await withMetadata(({ metadata }) => insertRun(metadata, { ...run, status: "done" }));
}

const shown = (bytes: number): string => bytes.toLocaleString("en");

const describe = ({ id, bytes, newBytes }: WrittenBackup, seconds: number): string =>
	`Backup ${id} is complete: ${shown(bytes)} bytes, ${shown(newBytes)} of them new, in ${seconds} s`;

function remarks({ head }: Snapshot, isPassphraseSet: boolean): string {
	const { events, server, secret_key } = head;
	const lines = sentences(
		events === "server" &&
			server === undefined &&
			"It does not include events, which are on a ClickHouse server: set CLICKHOUSE_BACKUP_TO to have them saved",
		server !== undefined && `The ClickHouse server has written its events to ${server.name} (${server.to})`,
		secret_key === "named" &&
			"It does not include SECRET_KEY: keep it elsewhere, as encrypted values cannot be read without it",
		secret_key === "included" &&
			isPassphraseSet &&
			"It includes secret.key unencrypted: the running service has no BACKUP_PASSPHRASE",
	);
	return lines.map((line) => `\n${line}`).join("");
}

/** By the service where one runs, else by this process. */
async function snapshotOf(config: ReadyConfig, id: string, to: BackupPlace): Promise<Snapshot> {
	const { dataDir, clickhouseUrl } = config;
	const around = { config, clock: systemClock, holdWrites: undefined };
	const log = createLog(config);
	if (clickhouseUrl !== undefined) {
		return withResource(await openEventStore({ ...config, clickhouseUrl, log }), (eventStore) =>
			takeSnapshot(snapshotDeps({ ...around, eventStore }), id, to),
		);
	}
	if (isDirectoryLocked(dataDir)) {
		return withMetadata(({ metadata, clock }) => {
			return askSnapshot({ metadata, clock, jobs: createJobs({ metadata, clock, log }), dataDir }, id);
		});
	}
	return withResource(await lockDirectory(dataDir), async () => {
		if (!existsSync(join(dataDir, "events"))) return takeSnapshot(snapshotDeps(around), id);
		return withResource(await openEventStore({ dataDir, log }), (store) =>
			takeSnapshot(snapshotDeps({ ...around, holdWrites: holdable(store).holdWrites }), id),
		);
	});
}

async function list(target: FileStore, { json }: BackupOptions): Promise<void> {
	const records = (await listBackups(target)).map(({ id, manifest }) => ({
		id,
		created_at: manifest?.created_at ?? null,
		bytes: manifest?.pieces.reduce((sum, { bytes }) => sum + bytes, 0) ?? null,
		// Of a server the manifest has the months that did not change.
		rows: manifest?.server === undefined ? (manifest?.sums.reduce((sum, { rows }) => sum + rows, 0) ?? null) : null,
		state: manifest === undefined ? "damaged" : "complete",
	}));
	printRecords(records, { ...(json && { json }), columns: ["id", "created_at", "bytes", "rows", "state"] });
}
