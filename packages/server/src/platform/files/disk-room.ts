import { statfs } from "node:fs/promises";

const MIB = 1024 * 1024;
/** A disk with less left is nearly full: this much, or this share of a small one. */
const LITTLE_BYTES = 256 * MIB;
const LITTLE_SHARE = 0.05;
/** With less left nothing of use can be written. */
const NOTHING_BYTES = MIB;
const NOTHING_SHARE = 0.01;

/** How much room a disk has left for this process. */
export interface DiskRoom {
	readonly mebibytes: number;
	readonly freeBytes: number;
	readonly totalBytes: number;
	/** Bytes that can be written before the disk is nearly full. */
	readonly spareBytes: number;
	readonly state: "enough" | "little" | "none";
}

/** The room on the disk of a path. */
export async function diskRoom(path: string): Promise<DiskRoom> {
	const { bavail, blocks, bsize } = await statfs(path);
	const [free, size] = [bavail * bsize, blocks * bsize];
	const mebibytes = Math.floor(free / MIB);
	const little = Math.min(LITTLE_BYTES, size * LITTLE_SHARE);
	const spareBytes = Math.max(0, Math.floor(free - little));
	const room = { mebibytes, freeBytes: free, totalBytes: size, spareBytes };
	if (free < Math.min(NOTHING_BYTES, size * NOTHING_SHARE)) return { ...room, state: "none" };
	return { ...room, state: free < little ? "little" : "enough" };
}
