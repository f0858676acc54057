import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { Config } from "../../platform/config/config.ts";
import { defaultMemory } from "../../platform/event-store/open-event-store.ts";
import { diskRoom } from "../../platform/files/disk-room.ts";
import { machineMemory } from "../../platform/lib/memory.ts";
import type { Examine } from "./finding.ts";
import { findingsOf } from "./finding.ts";

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
	return [found, ...(await examineFiles()), ...(await examineCapacity(config, all))];
};

/** Capacity of the machine with the embedded store, from measured rates. */
async function examineCapacity({ clickhouseUrl, eventStoreMemory, dataDir }: Config, all: number) {
	const room = clickhouseUrl === undefined ? await diskRoom(dataDir).catch(() => undefined) : undefined;
	if (room === undefined) return [];
	const cores = availableParallelism();
	const bytes = eventStoreMemory ?? defaultMemory(all);
	const inMemory = bytes < PLENTY ? (bytes / MILLION_ROWS) * 1e6 : Number.POSITIVE_INFINITY;
	const rows = Math.min(inMemory, cores * OF_CORE.rows, room.spareBytes / ROW_BYTES);
	const [most, hits] = [rows, cores * OF_CORE.hits].map((count) => short.format(count));
	return [capacity.ok(`Enough for about ${most} rows (1.2 rows a hit) and ${hits} hits a second`)];
}

const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 });

async function examineFiles() {
	const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
	const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
	if (soft === undefined) return [];
	if (soft === "unlimited" || Number(soft) >= MIN_FILES) return [files.ok(`The limit of open files is ${soft}`)];
	const fix = "Raise it: LimitNOFILE=65536 in the systemd unit, or ulimit -n 65536 in the shell";
	return [files.warning(`The limit of open files, including connections, is only ${soft}`, fix)];
}
