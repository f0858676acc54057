import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { differingSums, storedSums } from "../../../analytics/query/reports/stored-sums.ts";
import { openEventStore } from "../../../platform/event-store/open-event-store.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { syncDirectory, writeAtomic } from "../../../platform/files/write-atomic.ts";
import { orUndo, withResource } from "../../../platform/lib/with-resource.ts";
import type { Log } from "../../../platform/log/log.ts";
import { openMetadata } from "../../../platform/metadata/open-metadata.ts";
import { type Link, makeLinks, unpack } from "./archive.ts";
import { BackupError, backupIds, fetchManifest, type Manifest, type Piece, readableManifest } from "./manifest.ts";
import { openWithPassphrase } from "./passphrase.ts";
import { KEY_FILE, SEALED_KEY_FILE } from "./snapshot.ts";
import { hashed } from "./write-backup.ts";

/** Folder of an incomplete restore. */
const RESTORING = "restoring";
/** With these a data directory holds data: they come last. */
const LAST = [KEY_FILE, "metadata.sqlite"];

export interface RestoreChoice {
	/** Of a secret that is sealed. */
	readonly passphrase: string | undefined;
	/** Leaves the secret out, for a passphrase that is lost. */
	readonly withoutSecret?: boolean | undefined;
	/** Restores the events of a server, once all files of the backup are known to be intact. */
	readonly restoreEvents?: (() => Promise<void>) | undefined;
}

/** The manifest of a backup: the one with this id, else the youngest. */
export async function findBackup(target: FileStore, id: string | undefined): Promise<Manifest> {
	const found = id ?? backupIds(await target.list()).at(-1);
	if (found === undefined) throw new BackupError("There is no complete backup in this place");
	return fetchManifest(target, found);
}

/** Every complete backup of a target, oldest first; undefined for one with a damaged manifest. */
export async function listBackups(target: FileStore) {
	const listed = [];
	for (const id of backupIds(await target.list())) listed.push({ id, manifest: await readableManifest(target, id) });
	return listed;
}

/** Reads each file of a backup; a line for each that is missing or not what was written. */
export async function checkPieces(target: FileStore, { pieces }: Manifest): Promise<string[]> {
	const faults: string[] = [];
	for (const piece of pieces) {
		const fault = await read(target, piece, async (content) => {
			for await (const _ of content);
		});
		if (fault !== undefined) faults.push(fault);
	}
	return faults;
}

/**
 * Restores a backup into a directory that is not there or empty. Its files appear when all of them have been read and found to
 * be what was written; before that they lie in a folder of their own, which the next attempt empties. Throws a `BackupError`
 * when the passphrase does not open the backup's secret.
 */
export async function restoreBackup(target: FileStore, manifest: Manifest, dataDir: string, choice: RestoreChoice) {
	await mkdir(dataDir, { recursive: true, mode: 0o700 });
	if (manifest.secret_key === "sealed" && choice.passphrase === undefined && choice.withoutSecret !== true) {
		throw new BackupError(
			`The secret in backup ${manifest.id} is sealed: set BACKUP_PASSPHRASE to its passphrase, or leave the secret out with --without-secret`,
		);
	}
	const there = (await readdir(dataDir)).filter((name) => name !== RESTORING && name !== "lost+found");
	if (there.length > 0) throw new BackupError(`${dataDir} is not empty: name a directory that holds nothing`);
	const place = join(dataDir, RESTORING);
	await rm(place, { recursive: true, force: true });
	await mkdir(place, { mode: 0o700 });
	const discard = () => rm(place, { recursive: true, force: true });
	await orUndo(discard, async () => {
		const links: Link[] = [];
		for (const piece of manifest.pieces) {
			const fault = await read(target, piece, async (content) => {
				links.push(...(await unpack(content, place)));
			});
			if (fault !== undefined) throw new BackupError(fault);
		}
		await makeLinks(links, place);
		if (manifest.secret_key === "sealed") await openSecret(place, manifest.id, choice);
		await choice.restoreEvents?.();
	});
	const names = await readdir(place);
	const late = names.filter((name) => LAST.includes(name)).sort((a, b) => LAST.indexOf(a) - LAST.indexOf(b));
	for (const name of [...names.filter((name) => !LAST.includes(name)), ...late]) {
		await rename(join(place, name), join(dataDir, name));
	}
	await rm(place, { recursive: true });
	await syncDirectory(dataDir);
}

async function openSecret(place: string, id: string, { passphrase, withoutSecret }: RestoreChoice): Promise<void> {
	const file = join(place, SEALED_KEY_FILE);
	if (passphrase !== undefined && withoutSecret !== true) {
		const secretKey = await openWithPassphrase(passphrase, await readFile(file, "utf8"));
		if (secretKey === undefined) throw new BackupError(`BACKUP_PASSPHRASE is not the one of backup ${id}`);
		await writeAtomic(join(place, KEY_FILE), [Buffer.from(`${secretKey}\n`)]);
	}
	await rm(file);
}

/** Reads a file of a backup; a sentence when it is missing, or not what was written. */
async function read(target: FileStore, piece: Piece, use: (content: AsyncIterable<Uint8Array>) => Promise<void>) {
	const file = await target.read(piece.name);
	if (file === undefined) return `${piece.name} is missing`;
	const hash = createHash("sha256");
	let failure: unknown;
	try {
		if (file.bytes === piece.bytes) await use(hashed(file.content, hash));
	} catch (error) {
		failure = error;
	} finally {
		file.content.destroy();
	}
	if (file.bytes !== piece.bytes) return `${piece.name} has ${file.bytes} bytes in place of ${piece.bytes}`;
	if (failure instanceof BackupError) return `${piece.name} is not restored: ${failure.message}`;
	if (hash.digest("hex") === piece.sha256 && failure === undefined) return undefined;
	// A damaged archive fails in whatever way; a disk that is full says so itself.
	if (typeof (failure as { errno?: unknown } | undefined)?.errno === "number") throw failure;
	return `${piece.name} is damaged: its bytes are not those that were written`;
}

/** Opens the stores of a restored backup and compares them with its manifest; a line for each difference. */
export async function checkContent(dataDir: string, manifest: Manifest, log: Log): Promise<string[]> {
	const faults = await accountsFaults(dataDir);
	if (manifest.events !== "embedded") return faults;
	return withResource(await openEventStore({ dataDir, log }), async (store) => [
		...faults,
		...differingSums(manifest.sums, await storedSums(store, "month")),
	]);
}

async function accountsFaults(dataDir: string): Promise<string[]> {
	return withResource(await openMetadata({ dataDir }), async (metadata) => {
		const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(metadata);
		return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
	});
}
