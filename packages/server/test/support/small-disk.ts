import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Reason for which this process cannot mount a file system, to skip tests by; false where it can. */
export const mountSkip: string | false = canMount() ? false : "mounting a file system needs root on Linux";

function canMount(): boolean {
	if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
	const folder = mkdtempSync(join(tmpdir(), "footfall-mount-"));
	try {
		mountSmallDisk(folder, 1).unmount();
		return true;
	} catch {
		return false;
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** A data directory of which one folder has a file system of one megabyte to itself. */
export interface SmallDisk {
	readonly dataDir: string;
	/** Leaves no room for another page. */
	fill(): void;
	/** Makes room again. */
	free(): void;
	/** Unmounts the file system and removes the data directory. */
	remove(): void;
}

/** Makes a data directory with a folder of one megabyte, the spool if not named. */
export function smallDisk(folder = "spool"): SmallDisk {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-small-disk-"));
	const disk = mountSmallDisk(join(dataDir, folder), 1);
	return {
		...disk,
		dataDir,
		remove() {
			disk.unmount();
			rmSync(dataDir, { recursive: true });
		},
	};
}

/** A file system in memory. */
export interface MountedDisk extends Pick<SmallDisk, "fill" | "free"> {
	/** Lets nobody write, or everybody again; refused while a file is open for writing. */
	setReadOnly(isReadOnly: boolean): void;
	unmount(): void;
}

/** Mounts a file system of some megabytes on a folder, which is made. */
export function mountSmallDisk(folder: string, megabytes: number): MountedDisk {
	mkdirSync(folder, { recursive: true });
	execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
	const filler = join(folder, "filler");
	return {
		fill() {
			try {
				writeFileSync(filler, Buffer.alloc((megabytes + 1) * 1024 * 1024));
			} catch {
				return;
			}
			throw new Error("the disk took more than it has");
		},
		free: () => rmSync(filler),
		setReadOnly(isReadOnly) {
			execFileSync("mount", ["-o", `remount,${isReadOnly ? "ro" : "rw"}`, folder], { stdio: "ignore" });
		},
		unmount: () => void execFileSync("umount", ["-l", folder]),
	};
}
