import { createHash, type Hash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { type Entry, entriesBelow, packed } from "./archive.ts";
import {
	BackupError,
	backupIds,
	isPieceName,
	lastReadable,
	manifestName,
	type Piece,
	readableManifest,
	stateName,
	writeManifest,
} from "./manifest.ts";
import type { Snapshot } from "./snapshot.ts";

export interface WriteOptions {
	readonly isFull?: boolean;
	/** So many backups stay, the youngest; all of them when absent. */
	readonly keep?: number | undefined;
	readonly signal?: AbortSignal;
}

export interface WrittenBackup {
	readonly id: string;
	/** Of all its files. */
	readonly bytes: number;
	/** Of those that the target had not. */
	readonly newBytes: number;
	/** Backups that were removed, as there are more than are kept. */
	readonly removed: readonly string[];
}

/** Writes a snapshot to a target, without the parts of the previous backup. The manifest comes last: without it a backup does not count. */
export async function writeBackup(
	target: FileStore,
	snapshot: Snapshot,
	options: WriteOptions = {},
): Promise<WrittenBackup> {
	const { head } = snapshot;
	const names = new Set(await target.list());
	const last = await lastReadable(target, backupIds([...names]));
	if (last !== undefined && last.installation !== head.installation) {
		throw new BackupError("The target holds backups of another installation: give each one a place of its own");
	}
	const known = new Map((options.isFull === true ? [] : (last?.pieces ?? [])).map((piece) => [piece.name, piece]));
	const pieces: Piece[] = [];
	let newBytes = 0;
	const add = async (name: string, entries: () => AsyncIterable<Entry>) => {
		const there = names.has(name) ? known.get(name) : undefined;
		const piece = there ?? (await writePiece(target, name, entries(), options.signal));
		if (there === undefined) newBytes += piece.bytes;
		pieces.push(piece);
	};
	for (const part of snapshot.frozen === undefined ? [] : await partsOf(snapshot.frozen)) {
		await add(part.piece, () => entriesBelow(part.path, part.name));
	}
	await add(stateName(head.id), () => stateEntries(snapshot));
	await target.write(manifestName(head.id), asPieces(writeManifest(head, pieces)), options.signal);
	const removed = options.keep === undefined ? [] : await removeOld(target, options.keep);
	return { id: head.id, bytes: pieces.reduce((sum, { bytes }) => sum + bytes, 0), newBytes, removed };
}

async function writePiece(
	target: FileStore,
	name: string,
	entries: AsyncIterable<Entry>,
	signal: AbortSignal | undefined,
): Promise<Piece> {
	const hash = createHash("sha256");
	const bytes = await target.write(name, hashed(packed(entries), hash), signal);
	return { name, bytes, sha256: hash.digest("hex") };
}

/** The same pieces, told to a hash as they pass. */
export async function* hashed(pieces: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
	for await (const piece of pieces) {
		hash.update(piece);
		yield piece;
	}
}

async function* asPieces(written: string): AsyncGenerator<Uint8Array> {
	yield Buffer.from(written);
}

interface Part {
	/** The file that it is stored in: a part of the same name with the same content is the same file. */
	readonly piece: string;
	readonly path: string;
	/** In the archive. */
	readonly name: string;
}

/** Every part in a frozen store; the engine's file of checksums stands for its content. */
async function partsOf(frozen: string): Promise<Part[]> {
	const parts: Part[] = [];
	for (const table of await tablesOf(frozen)) {
		for (const part of await readdir(join(frozen, table))) {
			const checksums = join(frozen, table, part, "checksums.txt");
			if (!existsSync(checksums)) continue;
			const content = createHash("sha256")
				.update(await readFile(checksums))
				.digest("hex");
			const name = posix.join("events", table, part);
			parts.push({ piece: `part-${sha256Hex(`${name} ${content}`)}.tar`, path: join(frozen, table, part), name });
		}
	}
	return parts;
}

async function tablesOf(frozen: string): Promise<string[]> {
	const groups = await readdir(join(frozen, "store"));
	const tables = groups.map(async (group) => {
		return (await readdir(join(frozen, "store", group))).map((id) => posix.join("store", group, id));
	});
	return (await Promise.all(tables)).flat().sort();
}

/** All but the parts. */
async function* stateEntries({ tree, frozen }: Snapshot): AsyncGenerator<Entry> {
	yield* entriesBelow(tree, "");
	if (frozen === undefined) return;
	const parts = new Set((await partsOf(frozen)).map(({ name }) => name));
	yield* entriesBelow(frozen, "events", (name) => !parts.has(name));
}

/** Removes old backups, manifests first. Files stay while a damaged manifest does not say what it needs. */
async function removeOld(target: FileStore, keep: number): Promise<string[]> {
	const names = await target.list();
	const ids = backupIds(names);
	const old = ids.slice(0, Math.max(0, ids.length - keep));
	const kept = await Promise.all(ids.slice(old.length).map((id) => readableManifest(target, id)));
	for (const id of old) await target.remove(manifestName(id));
	if (kept.includes(undefined)) return old;
	const used = new Set(kept.flatMap((manifest) => manifest?.pieces ?? []).map(({ name }) => name));
	for (const name of names) if (isPieceName(name) && !used.has(name)) await target.remove(name);
	return old;
}
