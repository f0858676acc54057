import { stat } from "node:fs/promises";
import { join } from "node:path";
import { spoolOverview } from "../../features/collecting/collect/index.ts";
import { lackOfRight } from "../../platform/files/lack-of-right.ts";
import { type Examine, type Finding, findingsOf } from "./finding.ts";

/** Hits are loaded once a second. */
const OLD_MS = 5 * 60_000;
const MIB = 1024 * 1024;
const spool = findingsOf("spool");

/** Hits that wait for the event store, for how long, and those that it refused. */
export const examineSpool: Examine = async ({ config, clock, service }) => {
	if (lackOfRight(config.dataDir) !== undefined) return [];
	const { waitingBytes, waitingFiles, refused } = await spoolOverview(config.dataDir);
	const waitingMs =
		waitingBytes === 0
			? 0
			: await oldest(
					waitingFiles.map((file) => join(config.dataDir, "spool", file)),
					clock.now(),
				);
	const rows = refused.filter(({ state }) => state !== "damaged").reduce((sum, entry) => sum + entry.rows, 0);
	const damaged = refused.filter(({ state }) => state === "damaged").length;
	return [
		describeWaiting(waitingBytes, waitingMs, { maxBytes: config.spoolMaxBytes, isServed: service !== undefined }),
		...(rows > 0
			? [
					spool.warning(
						`The event store refused ${rows} rows; they are kept in spool/refused`,
						"footfall spool status lists them; footfall spool retry inserts them again",
					),
				]
			: []),
		...(damaged > 0
			? [
					spool.warning(
						`${damaged} parts of the spool are damaged`,
						"Check the disk (smartctl, dmesg); the rest was loaded",
					),
				]
			: []),
	];
};

function describeWaiting(
	bytes: number,
	waitingMs: number,
	{ maxBytes, isServed }: { readonly maxBytes: number; readonly isServed: boolean },
): Finding {
	const message = `${(bytes / MIB).toFixed(1)} MiB wait for the event store`;
	if (bytes > maxBytes / 2) {
		const fix = "Hits are refused at SPOOL_MAX_BYTES: fix the event store, or raise the limit";
		return spool.fault(`${message}, more than half of the limit`, fix);
	}
	if (!isServed || waitingMs < OLD_MS)
		return bytes === 0 ? spool.ok("No hits waiting for the event store") : spool.ok(message);
	return spool.warning(
		`${message}, for ${Math.round(waitingMs / 60_000)} minutes`,
		"The event store accepts no rows: check the log (event store takes no rows)",
	);
}

async function oldest(files: readonly string[], now: number): Promise<number> {
	const times = await Promise.all(
		files.map(async (path) => (await stat(path).catch(() => undefined))?.birthtimeMs ?? now),
	);
	return now - Math.min(now, ...times);
}
