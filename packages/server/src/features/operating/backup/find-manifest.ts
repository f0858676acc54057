import { text } from "node:stream/consumers";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { BackupError, type Manifest, manifestName, readManifest } from "./manifest.ts";

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

/** The manifest of a backup; undefined for a damaged one. */
export async function readableManifest(target: FileStore, id: string): Promise<Manifest | undefined> {
	try {
		return await fetchManifest(target, id);
	} catch (error) {
		if (error instanceof BackupError) return undefined;
		throw error;
	}
}
