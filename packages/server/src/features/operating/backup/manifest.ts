import { text } from "node:stream/consumers";
import type { StoredSums } from "../../../analytics/query/reports/stored-sums.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";

/** An error of making, reading or restoring a backup; the message is a sentence for the operator, without a secret. */
export class BackupError extends Error {
	override readonly name = "BackupError";
}

/** The form of backups that this release writes and reads. */
const VERSION = 1;

/** A stored file of a backup: a tar archive whose paths begin at the data directory. */
export interface Piece {
	readonly name: string;
	readonly bytes: number;
	readonly sha256: string;
}

/** Content of a backup. It is written last: without a manifest there is no backup. */
export interface Manifest {
	readonly version: number;
	readonly id: string;
	/** When the data stood as they are in it. */
	readonly created_at: string;
	/** Of the program that wrote it. */
	readonly program: string;
	/** Tells one installation's backups from another's; follows from its secret. */
	readonly installation: string;
	/** Where events and accounts were; events on a server are not in it. */
	readonly events: "embedded" | "server" | "none";
	readonly accounts: "sqlite" | "postgresql";
	/** `named`: the secret was given as `SECRET_KEY`, and is not in it. `sealed`: `BACKUP_PASSPHRASE` opens it. */
	readonly secret_key: "included" | "sealed" | "named";
	readonly pieces: readonly Piece[];
	/** By site and month; of a server those that did not change while it made its backup. */
	readonly sums: readonly StoredSums[];
	/** Absent where the server was not asked for one. */
	readonly server?: ServerBackup;
}

export interface ServerBackup {
	/** `bucket`: beside the files of the backup that it is part of; `disk:NAME`: on a disk of the server. */
	readonly to: "bucket" | `disk:${string}`;
	readonly name: string;
	/** The full backup that holds what has not changed since; null in a full one. */
	readonly base: string | null;
	readonly database: string;
}

/** Part of the manifest that a snapshot knows. */
export type ManifestHead = Omit<Manifest, "version" | "pieces">;

const NAME = /^backup-(\d{8}t\d{9}z-[a-z0-9]{4})\.json$/;

/** Names of a backup's own files; `part-*` files belong to all that list them. */
export const manifestName = (id: string): string => `backup-${id}.json`;
export const stateName = (id: string): string => `state-${id}.tar`;

export const isPieceName = (name: string): boolean => /^(part|state)-[a-z0-9-]+\.tar$/.test(name);

/** The ids among the names of files, oldest first. */
export const backupIds = (names: readonly string[]): string[] =>
	names.flatMap((name) => NAME.exec(name)?.[1] ?? []).sort();

/** The text of a manifest, with a sum that tells whether it is whole. */
export function writeManifest(head: ManifestHead, pieces: readonly Piece[]): string {
	const manifest: Manifest = { version: VERSION, ...head, pieces };
	return `${JSON.stringify({ sha256: sha256Hex(JSON.stringify(manifest)), manifest }, null, 1)}\n`;
}

/** Reads one. Throws a `BackupError` for one that is damaged, or of a form that this release does not know. */
export function readManifest(id: string, text: string): Manifest {
	let read: { readonly sha256?: unknown; readonly manifest?: Manifest };
	try {
		read = Object(JSON.parse(text));
	} catch {
		throw new BackupError(`The manifest of backup ${id} is damaged`);
	}
	const { manifest, sha256 } = read;
	if (manifest === undefined || sha256 !== sha256Hex(JSON.stringify(manifest))) {
		throw new BackupError(`The manifest of backup ${id} is damaged`);
	}
	if (manifest.version !== VERSION) {
		throw new BackupError(`Backup ${id} has form ${manifest.version}, and this release reads form ${VERSION}`);
	}
	return manifest;
}

/** The manifest of a backup at a target. */
export async function fetchManifest(target: FileStore, id: string): Promise<Manifest> {
	const file = await target.read(manifestName(id));
	if (file === undefined) throw new BackupError(`There is no backup ${id}`);
	return readManifest(id, await text(file.content));
}

/** The youngest manifest that is not damaged; a damaged one is for `footfall verify` to report. */
export async function lastReadable(target: FileStore, ids: readonly string[]): Promise<Manifest | undefined> {
	for (const id of ids.toReversed()) {
		const manifest = await readableManifest(target, id);
		if (manifest !== undefined) return manifest;
	}
	return undefined;
}

export async function readableManifest(target: FileStore, id: string): Promise<Manifest | undefined> {
	try {
		return await fetchManifest(target, id);
	} catch (error) {
		if (error instanceof BackupError) return undefined;
		throw error;
	}
}
