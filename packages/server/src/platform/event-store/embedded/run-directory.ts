import { randomBytes } from "node:crypto";
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmdirSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processIdentity } from "./process-identity.ts";

/** The system's bound for the path of a socket, the smaller one of Linux and macOS. */
const MAX_SOCKET_PATH_BYTES = 103;

/** A store process and whose it is, as noted beside the engine's directory. */
interface RunRecord {
	readonly pid: number;
	readonly began: string | undefined;
	readonly parent: number;
	readonly parentBegan: string | undefined;
}

/** Where a store process has its socket and is recorded, so that no process is orphaned. */
export type RunDirectory = Awaited<ReturnType<typeof openRunDirectory>>;

/** Opens `<directory>-run`, private to the user; sockets lie in a temporary directory where that path is too long for one or takes none. */
export async function openRunDirectory(directory: string) {
	const records = `${directory}-run`;
	mkdirSync(records, { recursive: true, mode: 0o700 });
	chmodSync(records, 0o700);
	const nameIn = (place: string) => join(place, `${randomBytes(6).toString("hex")}.sock`);
	const isFit = await takesSockets(nameIn(records));
	const sockets = isFit ? records : mkdtempSync(join(tmpdir(), "footfall-"));
	const recordOf = (socket: string) =>
		join(records, `${socket.slice(socket.lastIndexOf("/") + 1, -".sock".length)}.json`);
	const own = new Set<string>();

	return {
		/** A path for the socket of a process to be started. */
		newSocket: () => nameIn(sockets),
		note(socket: string, pid: number) {
			const parent = process.pid;
			const record: RunRecord = { pid, began: processIdentity(pid), parent, parentBegan: processIdentity(parent) };
			own.add(recordOf(socket)).add(socket);
			writeFileSync(recordOf(socket), JSON.stringify(record), { mode: 0o600 });
		},
		/** Takes back what `newSocket` and `note` have left. */
		forget(socket: string) {
			for (const path of [socket, recordOf(socket)]) {
				rmSync(path, { force: true });
				own.delete(path);
			}
		},
		/** Ends noted processes whose parents are gone: a stopped one does not see that itself. True when there was one. */
		endOrphans() {
			const orphans = [...readRecords(records)].filter(isOrphan);
			for (const { pid } of orphans) process.kill(pid, "SIGKILL");
			return orphans.length > 0;
		},
		/** Removes what others have left; only for who holds the engine's directory. */
		sweep() {
			for (const name of readdirSync(records)) {
				if (!own.has(join(records, name))) rmSync(join(records, name), { force: true });
			}
		},
		/** Removes the directories unless others use them. */
		close() {
			for (const place of new Set([sockets, records])) removeEmpty(place);
		},
	};
}

function* readRecords(directory: string): Generator<RunRecord> {
	for (const name of readdirSync(directory)) {
		if (!name.endsWith(".json")) continue;
		try {
			yield JSON.parse(readFileSync(join(directory, name), "utf8")) as RunRecord;
		} catch {
			// Incomplete after a kill, or just removed by its owner: not an orphan.
		}
	}
}

/** Ids are used again: a process is the noted one only when it began at the noted moment. */
function isOrphan({ pid, began, parent, parentBegan }: RunRecord): boolean {
	return began !== undefined && processIdentity(pid) === began && processIdentity(parent) !== parentBegan;
}

/** Some file systems take none, such as those that a virtual machine shares with its host. */
function takesSockets(path: string): Promise<boolean> {
	if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) return Promise.resolve(false);
	return new Promise((resolve) => {
		const probe = createServer();
		probe.once("error", () => resolve(false));
		probe.listen(path, () => probe.close(() => resolve(true)));
	});
}

function removeEmpty(directory: string): void {
	try {
		rmdirSync(directory);
	} catch {
		// Another process is noted there.
	}
}
