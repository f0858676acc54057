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

/** Makes a data directory of which one folder, the spool if not named, has a file system of one megabyte to itself. */
export function smallDisk(folder = "spool") {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-small-disk-"));
	const disk = mountSmallDisk(join(dataDir, folder), 1);
	return {
		...disk,
		dataDir,
		/** Unmounts the file system and removes the data directory. */
		remove() {
			disk.unmount();
			rmSync(dataDir, { recursive: true });
		},
	};
}

export type MountedDisk = ReturnType<typeof mountSmallDisk>;

/** Mounts a file system of some megabytes on a folder, which is made. */
export function mountSmallDisk(folder: string, megabytes: number) {
	mkdirSync(folder, { recursive: true });
	execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
	const filler = join(folder, "filler");
	return {
		/** Leaves no room for another page. */
		fill() {
			try {
				writeFileSync(filler, Buffer.alloc((megabytes + 1) * 1024 * 1024));
			} catch {
				return;
			}
			throw new Error("the disk took more than it has");
		},
		free: () => rmSync(filler),
		/** Lets nobody write, or everybody again; refused while a file is open for writing. */
		setReadOnly(isReadOnly: boolean) {
			execFileSync("mount", ["-o", `remount,${isReadOnly ? "ro" : "rw"}`, folder], { stdio: "ignore" });
		},
		unmount: () => void execFileSync("umount", ["-l", folder]),
	};
}
