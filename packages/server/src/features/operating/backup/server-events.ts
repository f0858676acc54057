import { type StoredSums, storedSums } from "../../../analytics/query/reports/stored-sums.ts";
import { openFilesAt } from "../../../platform/files/open-file-store.ts";
import { lastReadable } from "./find-manifest.ts";
import { backupIds, type ServerBackup } from "./manifest.ts";
import { beginServerBackup, databaseOf, type EventServer } from "./server-events-store.ts";

/** Where a backup goes, for the server that writes its events there too. */
export interface BackupPlace {
	readonly place: string;
	/** The server writes all data, also what an earlier backup has. */
	readonly isFull?: boolean | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** A ClickHouse server that is to back up its events, and where to. */
export interface BackedUpServer extends EventServer {
	readonly to: ServerBackup["to"];
}

/** A server's backup that is ready to begin, so that it begins at the moment of the other stores. */
export interface ServerEvents {
	readonly begin: () => Promise<void>;
	/** Waits until it is complete. */
	readonly end: () => Promise<{ readonly server: ServerBackup; readonly sums: readonly StoredSums[] }>;
}

/** Prepares the backup of a server that belongs to the backup with this id. Throws a `BackupError` as its steps do. */
export async function prepareServerEvents(
	server: BackedUpServer,
	target: BackupPlace,
	id: string,
): Promise<ServerEvents> {
	const database = await databaseOf(server.store);
	const unbased: ServerBackup = { to: server.to, name: `events-${id}`, base: null, database };
	const backup = target.isFull === true ? unbased : { ...unbased, base: await baseOf(unbased, target.place) };
	const before = await storedSums(server.store, "month");
	let ended: (() => Promise<void>) | undefined;
	return {
		begin: async () => {
			ended = await beginServerBackup(server, backup, target);
		},
		end: async () => {
			await ended?.();
			// Rows come and go meanwhile, and the server does not tell which of them it has: the rest is certain.
			const after = new Set((await storedSums(server.store, "month")).map((sums) => JSON.stringify(sums)));
			return { server: backup, sums: before.filter((sums) => after.has(JSON.stringify(sums))) };
		},
	};
}

/** A full backup of the same calendar month: the first one of each month is full, so that old ones can be removed. */
async function baseOf(backup: ServerBackup, place: string): Promise<string | null> {
	const target = openFilesAt(place);
	const last = (await lastReadable(target, backupIds(await target.list())))?.server;
	if (last === undefined || last.to !== backup.to || last.database !== backup.database) return null;
	const base = last.base ?? last.name;
	return monthOf(base) === monthOf(backup.name) ? base : null;
}

const monthOf = (name: string): string => name.slice(0, "events-yyyymm".length);
