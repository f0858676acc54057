import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const canMount = process.platform === "linux" && process.getuid?.() === 0;

/** A file system of one megabyte. */
export interface SmallDisk {
	/** Leaves no room for another page. */
	fill(): void;
	/** Makes room again. */
	free(): void;
	unmount(): void;
}

/** Mounts a file system of one megabyte; undefined where the machine does not let us. */
export function mountSmallDisk(path: string): SmallDisk | undefined {
	if (!canMount) return undefined;
	try {
		execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path], { stdio: "ignore" });
	} catch {
		return undefined;
	}
	const filler = join(path, "filler");
	return {
		fill() {
			try {
				writeFileSync(filler, Buffer.alloc(1024 * 1024));
			} catch {
				return;
			}
			throw new Error("the disk took a megabyte more than it has");
		},
		free: () => rmSync(filler),
		unmount: () => execFileSync("umount", ["-l", path]),
	};
}
