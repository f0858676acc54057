import { existsSync } from "node:fs";
import { copyFile, link, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type StoredSums, storedSums } from "../../../analytics/query/reports/stored-sums.ts";
import type { ReadyConfig } from "../../../platform/config/secret-key.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { freezeStore, frozenDirectory } from "../../../platform/event-store/freeze-store.ts";
import type { HoldWrites } from "../../../platform/event-store/hold-writes.ts";
import { writeAtomic } from "../../../platform/files/write-atomic.ts";
import { forgetJobsOf } from "../../../platform/jobs/job-overview.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { deriveKey } from "../../../platform/lib/crypto.ts";
import { randomLowerAlphanumeric } from "../../../platform/lib/ids.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { orUndo, withResource } from "../../../platform/lib/with-resource.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { openMetadata } from "../../../platform/metadata/open-metadata.ts";
import { type MetadataSnapshot, openMetadataSnapshot } from "../../../platform/metadata/open-snapshot.ts";
import { BackupError, type ManifestHead, type ServerBackup } from "./manifest.ts";
import { sealWithPassphrase } from "./passphrase.ts";
import { type BackedUpServer, type BackupPlace, prepareServerEvents } from "./server-events-store.ts";

export interface SnapshotDeps {
	readonly config: ReadyConfig;
	readonly clock: Clock;
	readonly version: string;
	/** The embedded store; undefined where there is none. */
	readonly holdWrites: HoldWrites | undefined;
	/** The ClickHouse server that backs up its events by itself; undefined where none is asked to. */
	readonly server: BackedUpServer | undefined;
	readonly makeTables: (metadata: Metadata) => Promise<void>;
}

/** The data as they were at one moment, in a place of their own beside the running service. */
export interface Snapshot {
	readonly head: ManifestHead;
	/** Directory beside the engine's. */
	readonly tree: string;
	/** The engine's directory; undefined where there is no embedded store. */
	readonly frozen: string | undefined;
}

/** In the data directory, and its sealed form in backups. */
export const KEY_FILE = "secret.key";
export const SEALED_KEY_FILE = "secret.key.sealed";

const HEAD = "head.json";
const FREEZE_ATTEMPTS = 20;

/** Kinds of jobs by which backups are made. */
export const SNAPSHOT_JOB = "snapshot";
export const BACKUP_JOB = "backup";
const OWN_JOBS = [SNAPSHOT_JOB, BACKUP_JOB];

export const snapshotsFolder = (dataDir: string): string => join(dataDir, "snapshots");

/** A new id: ids sort by their time. */
export const newBackupId = (nowMs: number): string =>
	`${new Date(nowMs).toISOString().slice(0, 23).replaceAll(/[-:.]/g, "").toLowerCase()}z-${randomLowerAlphanumeric(4)}`;

/** Takes a snapshot with every hit accepted before, once. Events of a server that backs them up are at the target by then. */
export async function takeSnapshot(deps: SnapshotDeps, id: string, target?: BackupPlace): Promise<Snapshot> {
	const { dataDir } = deps.config;
	const place = join(snapshotsFolder(dataDir), id);
	const tree = join(place, "tree");
	await mkdir(tree, { recursive: true, mode: 0o700 });
	return orUndo(
		() => removeSnapshot(dataDir, id),
		async () => {
			// First: an import that is known has its file.
			await linkFiles(join(dataDir, "imports"), join(tree, "imports"));
			// Before the event store: rows loaded in between are dropped as duplicates when the copy is loaded again.
			if (deps.config.clickhouseUrl === undefined) await copyFiles(join(dataDir, "spool"), join(tree, "spool"));
			for (const name of ["sessions", "collector-id"]) await copyFiles(join(dataDir, name), join(tree, name));
			const server = deps.server && target && (await prepareServerEvents(deps.server, target, id));
			const stood = await holdStill(deps, id);
			try {
				await server?.begin();
				await stood.accounts.copyTo(join(tree, "metadata.sqlite"));
				await forgetOwnJobs(tree);
			} finally {
				await stood.accounts.close();
			}
			const head = await headOf(deps, id, tree, { ...stood, ...(await server?.end()) });
			await writeAtomic(join(place, HEAD), [Buffer.from(JSON.stringify(head))]);
			return { head, tree, frozen: stood.frozen };
		},
	);
}

/** One that another process has taken. */
export async function openSnapshot(dataDir: string, id: string): Promise<Snapshot> {
	const place = join(snapshotsFolder(dataDir), id);
	const head = JSON.parse(await readFile(join(place, HEAD), "utf8")) as ManifestHead;
	const frozen = head.events === "embedded" ? frozenDirectory(join(dataDir, "events"), id) : undefined;
	return { head, tree: join(place, "tree"), frozen };
}

export async function removeSnapshot(dataDir: string, id: string): Promise<void> {
	await rm(frozenDirectory(join(dataDir, "events"), id), { recursive: true, force: true });
	await rm(join(snapshotsFolder(dataDir), id), { recursive: true, force: true });
}

/** Removes all, for who holds the folder. */
export async function removeSnapshots(dataDir: string): Promise<void> {
	const folder = snapshotsFolder(dataDir);
	if (!existsSync(folder)) return;
	for (const entry of await readdir(folder, { withFileTypes: true })) {
		if (entry.isDirectory()) await removeSnapshot(dataDir, entry.name);
	}
}

interface Stood {
	readonly accounts: MetadataSnapshot;
	readonly frozen: string | undefined;
	readonly sums: readonly StoredSums[];
	readonly server?: ServerBackup;
	readonly atMs: number;
}

/** Both stores at the same time, so that the work of a job in both is as after a crash. */
async function holdStill(deps: SnapshotDeps, id: string): Promise<Stood> {
	const { config, clock, holdWrites, makeTables } = deps;
	const { dataDir, databaseUrl } = config;
	const still = async (store?: EventStore): Promise<Stood> => {
		const atMs = clock.now();
		const accounts = await openMetadataSnapshot({ dataDir, databaseUrl, makeTables });
		if (store === undefined) return { accounts, frozen: undefined, sums: [], atMs };
		return orUndo(accounts.close, async () => ({ accounts, ...(await freeze(store, dataDir, id)), atMs }));
	};
	return holdWrites === undefined ? still() : holdWrites(still);
}

/** A part that is merged or deleted in between is not found any more: then both are taken again. */
async function freeze(store: EventStore, dataDir: string, id: string): Promise<Pick<Stood, "frozen" | "sums">> {
	const directory = join(dataDir, "events");
	for (let attempt = 1; ; attempt++) {
		const frozen = await freezeStore(store, directory, id);
		const { rows: frozenRows = 0, parts = [] } = frozen.tables.get("events") ?? {};
		const sums = await storedSums(store, "month", { parts });
		const rows = sums.reduce((total, sum) => total + sum.rows, 0);
		if (rows === frozenRows) return { frozen: frozen.directory, sums };
		if (attempt === FREEZE_ATTEMPTS) throw new BackupError("The event store could not be held still: rows come or go");
		await rm(frozen.directory, { recursive: true });
	}
}

async function headOf(deps: SnapshotDeps, id: string, tree: string, stood: Stood): Promise<ManifestHead> {
	const { config, version } = deps;
	return {
		id,
		created_at: timestamp(stood.atMs),
		program: version,
		installation: installationOf(config.secretKey),
		events: stood.frozen !== undefined ? "embedded" : config.clickhouseUrl === undefined ? "none" : "server",
		accounts: config.databaseUrl === undefined ? "sqlite" : "postgresql",
		secret_key: await keepSecret(config, tree),
		sums: stood.sums,
		...(stood.server && { server: stood.server }),
	};
}

async function keepSecret(config: ReadyConfig, tree: string): Promise<ManifestHead["secret_key"]> {
	const { secretKey, backupPassphrase } = config;
	const file = join(config.dataDir, KEY_FILE);
	if (!existsSync(file) || (await readFile(file, "utf8")).trim() !== secretKey) return "named";
	if (backupPassphrase === undefined) {
		await copyFiles(file, join(tree, KEY_FILE));
		return "included";
	}
	const sealed = await sealWithPassphrase(backupPassphrase, secretKey);
	await writeAtomic(join(tree, SEALED_KEY_FILE), [Buffer.from(`${sealed}\n`)]);
	return "sealed";
}

/** In the copy the backup would be begun again. */
async function forgetOwnJobs(tree: string): Promise<void> {
	await withResource(await openMetadata({ dataDir: tree }), (copy) => forgetJobsOf(copy, OWN_JOBS));
}

/** Tells installations apart, and nothing of their secret. */
const installationOf = (secretKey: string): string =>
	deriveKey(secretKey, "backup installation").toString("hex").slice(0, 16);

/** Files that others write to, or remove, meanwhile. */
async function copyFiles(from: string, to: string): Promise<void> {
	const found = await stat(from).catch(orGone);
	if (found === undefined || from.endsWith(".part")) return;
	if (found.isFile()) return copyFile(from, to).catch(orGone);
	await mkdir(to, { recursive: true, mode: 0o700 });
	for (const name of await readdir(from)) await copyFiles(join(from, name), join(to, name));
}

function orGone(error: NodeJS.ErrnoException): undefined {
	if (error.code !== "ENOENT") throw error;
}

/** Files that appear whole and go again: a link keeps what went meanwhile. */
async function linkFiles(from: string, to: string): Promise<void> {
	if (!existsSync(from)) return;
	await mkdir(to, { recursive: true, mode: 0o700 });
	for (const name of await readdir(from)) {
		if (!name.endsWith(".part")) await link(join(from, name), join(to, name)).catch(() => undefined);
	}
}
