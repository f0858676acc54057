import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const canMount = process.platform === "linux" && process.getuid?.() === 0;

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

/** Makes a data directory with a folder of one megabyte, the spool; undefined where the machine does not let us mount. */
export function smallDisk(folder = "spool"): SmallDisk | undefined {
	if (!canMount) return undefined;
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-small-disk-"));
	const small = join(dataDir, folder);
	mkdirSync(small);
	try {
		execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", small], { stdio: "ignore" });
	} catch {
		rmSync(dataDir, { recursive: true });
		return undefined;
	}
	const filler = join(small, "filler");
	return {
		dataDir,
		fill() {
			try {
				writeFileSync(filler, Buffer.alloc(2 * 1024 * 1024));
			} catch {
				return;
			}
			throw new Error("the disk took more than it has");
		},
		free: () => rmSync(filler),
		remove() {
			execFileSync("umount", ["-l", small]);
			rmSync(dataDir, { recursive: true });
		},
	};
}
