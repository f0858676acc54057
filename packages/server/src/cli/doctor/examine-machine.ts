import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat, statfs } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { diagnoseDisk } from "../../features/operating/system/index.ts";
import type { Config } from "../../platform/config/config.ts";
import { defaultMemory } from "../../platform/event-store/open-event-store.ts";
import { diskRoom } from "../../platform/files/disk-room.ts";
import { lackOfRight } from "../../platform/files/lack-of-right.ts";
import { withFile } from "../../platform/files/write-atomic.ts";
import { systemClock } from "../../platform/lib/clock.ts";
import { machineMemory } from "../../platform/lib/memory.ts";
import { codeOf, type Examine, type Finding, type Found, findingOf, findingsOf } from "./finding.ts";

const MIB = 1024 * 1024;
const MIN_FILES = 4096;
const MIN_MEMORY = 1000 * MIB;
const MIN_AVAILABLE = 128 * MIB;

/** Where the embedded store has less, a million rows with 200,000 paths took this much, and reports of more may be refused. */
const PLENTY = 1024 * MIB;
const MILLION_ROWS = 192 * MIB;
/** Of a core: rows that a report reads in its thirty seconds, and hits a second, at 60 % of what was measured (docs/capacity.md). */
const OF_CORE = { rows: 250e6, hits: 5_000 };
/** On the disk, with many paths. */
const ROW_BYTES = 38;

const memory = findingsOf("memory");
const capacity = findingsOf("capacity");
const files = findingsOf("open files");

/** Memory, and how many files a process may open; as this command may, which is started as the service is. */
export const examineMachine: Examine = async ({ config }) => {
	const all = machineMemory();
	const available = process.availableMemory();
	const message = `${Math.round(available / MIB)} MiB of ${Math.round(all / MIB)} are available`;
	const found =
		all < MIN_MEMORY || available < MIN_AVAILABLE
			? memory.warning(message, "Give the service 1 GiB or more, or set EVENT_STORE_MEMORY lower")
			: memory.ok(message);
	return [found, await examineFiles(), await examineCapacity(config, all)];
};

/** Capacity of the machine with the embedded store, from measured rates. */
async function examineCapacity({ clickhouseUrl, eventStoreMemory, dataDir }: Config, all: number) {
	const room = clickhouseUrl === undefined ? await diskRoom(dataDir).catch(() => undefined) : undefined;
	if (room === undefined) return undefined;
	const cores = availableParallelism();
	const bytes = eventStoreMemory ?? defaultMemory(all);
	const inMemory = bytes < PLENTY ? (bytes / MILLION_ROWS) * 1e6 : Number.POSITIVE_INFINITY;
	const rows = Math.min(inMemory, cores * OF_CORE.rows, room.spareBytes / ROW_BYTES);
	const [most, hits] = [rows, cores * OF_CORE.hits].map((count) => short.format(count));
	return capacity.ok(`Enough for about ${most} rows (1.2 rows a hit) and ${hits} hits a second`);
}

const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 });

async function examineFiles() {
	const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
	const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
	if (soft === undefined) return undefined;
	if (soft === "unlimited" || Number(soft) >= MIN_FILES) return files.ok(`The limit of open files is ${soft}`);
	const fix = "Raise it: LimitNOFILE=65536 in the systemd unit, or ulimit -n 65536 in the shell";
	return files.warning(`The limit of open files, including connections, is only ${soft}`, fix);
}

const OTHERS = 0o077;
const SYNCS = 15;
/** Milliseconds for a write to be safe: each hit is answered only then. */
const SLOW_MS = 25;
/** File systems by their number (statfs), on which locks or `fsync` are not what the stores rely on. */
const doubtful: Readonly<Record<number, string>> = {
	26985: "NFS",
	4283649346: "SMB",
	4266872130: "SMB",
	1702057286: "FUSE",
	16914839: "9p",
};
const TMPFS = 0x01021994;

const rights = findingsOf("data directory");
const disk = findingsOf("disk");

/** The data directory: rights, room, kind of file system and how fast it makes a write safe. */
export const examineDirectory: Examine = async ({ config: { dataDir } }) => {
	const lack = lackOfRight(dataDir);
	if (lack !== undefined) {
		const fix = "Make the user of the service the owner of the directory, or set another one in DATA_DIR";
		return rights.fault(`DATA_DIR ${lack}`, fix);
	}
	if (!existsSync(dataDir))
		return rights.note("DATA_DIR does not exist yet", "It is created at the first start: footfall start");
	const speed = await examineWriting(dataDir);
	return [
		await examineRights(dataDir),
		findingOf("disk", diagnoseDisk(await diskRoom(dataDir), "DATA_DIR")),
		await examineKind(dataDir),
		speed,
	];
};

async function examineRights(dataDir: string): Promise<Finding> {
	const open: string[] = [];
	for (const name of await readdir(dataDir)) {
		const found = await stat(join(dataDir, name)).catch(() => undefined);
		if (found !== undefined && (found.mode & OTHERS) !== 0) open.push(name);
	}
	if (open.length === 0) return rights.ok("DATA_DIR is readable by the user of the service only");
	return rights.warning(
		`Other users of the machine can read files in DATA_DIR: ${open.slice(0, 5).join(", ")}`,
		"The next start removes these permissions; or run chmod -R go= on the directory",
	);
}

async function examineKind(dataDir: string): Promise<Found> {
	const { type } = await statfs(dataDir);
	const lost = "It is lost at the next reboot: set DATA_DIR to a directory on disk";
	if (type === TMPFS) return disk.warning("DATA_DIR is in memory (tmpfs)", lost);
	const fix = "Locks and fsync may not work there: set DATA_DIR to a directory on a local disk";
	return type in doubtful && disk.warning(`DATA_DIR is on ${doubtful[type]}`, fix);
}

async function examineWriting(dataDir: string): Promise<Finding> {
	const path = join(dataDir, `doctor-${process.pid}`);
	try {
		const times = await timeSyncs(path);
		const middle = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
		const message = `A write reaches the disk in ${middle.toFixed(1)} ms`;
		return middle < SLOW_MS
			? disk.ok(message)
			: disk.warning(message, "Every hit waits for it: use a faster disk for DATA_DIR");
	} catch (error) {
		return disk.fault(`DATA_DIR is not writable (${codeOf(error)})`, "Free disk space, or mount the disk read-write");
	} finally {
		await rm(path, { force: true });
	}
}

const timeSyncs = (path: string): Promise<number[]> =>
	withFile(path, "wx", async (file) => {
		const times: number[] = [];
		for (let at = 0; at < SYNCS; at++) {
			const began = systemClock.monotonic();
			await file.write(Buffer.alloc(4096, at));
			await file.datasync();
			times.push(systemClock.monotonic() - began);
		}
		return times;
	});
