import { closeSync, statSync, truncateSync } from "node:fs";
import { machineFiles } from "../../src/features/collecting/collect/spool/spool-files.ts";
import { createRandom } from "../../src/features/collecting/seed/random.ts";

/** Numbers from 0 up to 1, the same for the same seed. */
export const seededRandom = (seed: number): (() => number) => createRandom(seed).next;

const CODES = ["ENOSPC", "EMFILE", "EIO"] as const;

function fault(random: () => number): Error {
	const code = CODES[Math.floor(random() * CODES.length)] ?? "EIO";
	return Object.assign(new Error(`${code}: injected`), { code });
}

/** File functions over a real directory that fail as often as they are told, until their process is taken for dead. */
export type FaultyFiles = ReturnType<typeof faultyFiles>;

/** Syncs are recorded, not done: the possible losses of a crash are tracked here. */
export function faultyFiles(random: () => number) {
	/** Descriptors that are open. */
	const open = new Map<number, string>();
	const synced = new Map<string, number>();
	const running = new Set<Promise<unknown>>();
	/** `rate` is the share of the calls that fail, or do only a part. */
	const handle = { rate: 0, open, files: machineFiles, crash };
	let isDead = false;
	/** Fails before a call, or, where its effect may have come about nevertheless, after it. */
	const guarded = async <T>(call: () => Promise<T>, mayFailAfter = false): Promise<T> => {
		if (isDead) return new Promise<T>(() => {});
		const fails = random() < handle.rate;
		const failsAfter = fails && mayFailAfter && random() < 0.5;
		if (fails && !failsAfter) throw fault(random);
		const begun = call();
		running.add(begun);
		const result = await begun.finally(() => running.delete(begun));
		if (isDead) return new Promise<T>(() => {});
		if (failsAfter) throw fault(random);
		return result;
	};
	const part = (bytes: Uint8Array) =>
		random() < handle.rate ? bytes.subarray(0, Math.ceil(bytes.length * random())) : bytes;
	/** Ends all effects of this process; unsynced data may be lost in part. */
	async function crash(): Promise<void> {
		isDead = true;
		// A call that is under way uses its descriptor, which must not be another file's meanwhile.
		await Promise.allSettled([...running]);
		for (const [file, path] of open) {
			closeSync(file);
			const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
			const safe = Math.min(synced.get(path) ?? 0, size);
			if (safe < size && random() < 0.5) truncateSync(path, safe + Math.floor((size - safe) * random()));
		}
		open.clear();
	}
	handle.files = {
		...machineFiles,
		open: (path, mode) =>
			guarded(async () => {
				const file = await machineFiles.open(path, mode);
				if (isDead) closeSync(file);
				else open.set(file, path);
				// Files of an earlier process are on the disk.
				if (!synced.has(path)) synced.set(path, mode === "anew" ? 0 : statSync(path).size);
				return file;
			}),
		close: async (file) => {
			if (isDead) return new Promise(() => {});
			if (!open.delete(file)) throw new Error("This descriptor is not open");
			await machineFiles.close(file);
			await guarded(async () => {});
		},
		read: (file, into, position) =>
			guarded(async () => {
				const wanted = part(into);
				const count = await machineFiles.read(file, wanted, position);
				const at = Math.floor(random() * count);
				if (count > 0 && random() < handle.rate / 4) wanted[at] = (wanted[at] ?? 0) ^ (1 << Math.floor(random() * 8));
				return count;
			}),
		write: (file, bytes, position) => guarded(() => machineFiles.write(file, part(bytes), position), true),
		datasync: (file) =>
			guarded(async () => {
				const path = open.get(file);
				if (path !== undefined) synced.set(path, statSync(path, { throwIfNoEntry: false })?.size ?? 0);
			}),
		truncate: (file, length) => guarded(() => machineFiles.truncate(file, length)),
		size: (path) => guarded(() => machineFiles.size(path)),
		list: (directory) => guarded(() => machineFiles.list(directory)),
		makeDirectory: (path) => guarded(() => machineFiles.makeDirectory(path)),
		rename: (from, to) => guarded(() => machineFiles.rename(from, to), true),
		remove: (path) => guarded(() => machineFiles.remove(path), true),
		syncDirectory: () => guarded(async () => {}),
	};
	return handle;
}
