import { differingSums, type StoredSums, storedSums } from "../../../analytics/query/reports/stored-sums.ts";
import { stringLiteral } from "../../../platform/event-store/embedded/set-statement.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { isBucket, openFilesAt } from "../../../platform/files/open-file-store.ts";
import { readS3Address } from "../../../platform/files/s3-address.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import { BackupError, backupIds, lastReadable, type ServerBackup } from "./manifest.ts";

/** A ClickHouse server that backs up and restores its events by itself. */
export interface EventServer {
	readonly store: Pick<EventStore, "query" | "command">;
	readonly clock: Pick<Clock, "sleep">;
	/** Name of its cluster; undefined = one server. */
	readonly cluster: string | undefined;
}

/** Where the files of a backup go, of which those of a server are a part if it writes to a bucket. */
export interface BackupPlace {
	readonly place: string;
	readonly isFull?: boolean | undefined;
	readonly signal?: AbortSignal | undefined;
}

const LOOK_MS = 500;

/** Name of the database of the server's address. */
export async function databaseOf(store: EventServer["store"]): Promise<string> {
	const [row] = await store.query<{ name: string }>({ sql: "SELECT currentDatabase() AS name" });
	return row?.name ?? "";
}

/** Begins a backup; what is answered waits for its end. Both throw a `BackupError`. */
async function beginServerBackup(server: EventServer, backup: ServerBackup, { place, signal }: BackupPlace) {
	const on = { place, backup };
	const base = backup.base === null ? "" : `base_backup = ${location(on, "base")}, `;
	const sql = `BACKUP DATABASE ${quoted(backup.database)}${onCluster(server)} TO ${location(on, "name")} SETTINGS ${base}`;
	const id = await begin(server, sql, backup);
	return () => ended(server, id, signal);
}

/** Restores a backup to a database, whose tables are absent or empty. Throws a `BackupError`. */
export async function restoreServerBackup(
	server: EventServer,
	backup: ServerBackup,
	{ place, database }: BackupPlace & { readonly database: string },
): Promise<void> {
	const [from, to] = [backup.database, database].map(quoted);
	const source = location({ place, backup }, "name");
	const sql = `RESTORE DATABASE ${from} AS ${to}${onCluster(server)} FROM ${source} SETTINGS allow_different_database_def = true, `;
	await ended(server, await begin(server, sql, backup), undefined);
}

/** Restores a backup to a database that is dropped again; a line for each difference from these sums, which may be some of all. */
export async function serverBackupFaults(
	server: EventServer,
	backup: ServerBackup,
	{ place, sums }: BackupPlace & { readonly sums: readonly StoredSums[] },
): Promise<string[]> {
	const database = `footfall_verify_${uuid().replaceAll("-", "")}`;
	try {
		await restoreServerBackup(server, backup, { place, database });
		const keyOf = ({ site, period }: StoredSums) => `${site} ${period}`;
		const known = new Set(sums.map(keyOf));
		const restored = await storedSums(server.store, "month", { database });
		return differingSums(
			sums,
			restored.filter((found) => known.has(keyOf(found))),
		);
	} finally {
		await server.store.command(`DROP DATABASE IF EXISTS ${quoted(database)}${onCluster(server)} SYNC`);
	}
}

/** Begins a statement that goes on when it is answered; its id. */
async function begin({ store }: EventServer, sql: string, { to, name, base }: ServerBackup): Promise<string> {
	const id = uuid();
	const params = { disk: to.replace(/^disk:/, ""), name, base: base ?? "" };
	try {
		await store.command(`${sql}id = ${stringLiteral(id)} ASYNC`, params);
	} catch (error) {
		// The cause ends here, as it quotes the statement with the secret of the bucket.
		throw failure(describeCause(error).findLast(({ code }) => code !== undefined)?.code);
	}
	return id;
}

async function ended({ store, clock }: EventServer, id: string, signal: AbortSignal | undefined): Promise<void> {
	for (;;) {
		const [row] = await store.query<{ state: string; error: string }>({
			sql: "SELECT toString(status) AS state, error FROM system.backups WHERE id = {id:String}",
			params: { id },
		});
		if (row?.state === "BACKUP_CREATED" || row?.state === "RESTORED") return;
		// A server that was started again does not know it.
		if (row === undefined || !/^(CREATING_BACKUP|RESTORING)$/.test(row.state)) {
			throw failure(/\(([A-Z][A-Z0-9_]{2,})\)/.exec(row?.error ?? "")?.[1] ?? row?.state);
		}
		await clock.sleep(LOOK_MS, signal);
	}
}

const failure = (code: string | number | undefined): BackupError =>
	new BackupError(
		`The ClickHouse server did not back up or restore its events (${code ?? "unknown"}); its table system.backups says why`,
	);

/** Values are bound but for those of a bucket: literals are hidden in the server's logs, and bound values are not. */
function location({ place, backup }: { readonly place: string; readonly backup: ServerBackup }, name: "name" | "base") {
	if (backup.to !== "bucket") return `Disk({disk:String}, {${name}:String})`;
	if (!isBucket(place))
		throw new BackupError("The server's part of this backup needs a bucket, and the place is a directory");
	const { base, accessKeyId, secretAccessKey } = readS3Address(place);
	return `S3(${[`${base}${backup[name]}/`, accessKeyId, secretAccessKey].map(stringLiteral).join(", ")})`;
}

/** Names of databases cannot be bound. */
function quoted(database: string): string {
	if (!/^\w[\w-]{0,127}$/.test(database)) {
		throw new BackupError("The name of the events' database has other characters than letters, digits, _ and -");
	}
	return `\`${database}\``;
}

const onCluster = ({ cluster }: EventServer): string =>
	cluster === undefined ? "" : ` ON CLUSTER ${stringLiteral(cluster)}`;

/** A ClickHouse server that is to back up its events, and where to. */
export interface BackedUpServer extends EventServer {
	readonly to: ServerBackup["to"];
}

/** Prepares a server's backup with this id, so that it begins at the moment of the other stores. Throws a `BackupError` as its steps do. */
export async function prepareServerEvents(server: BackedUpServer, target: BackupPlace, id: string) {
	const database = await databaseOf(server.store);
	const unbased: ServerBackup = { to: server.to, name: `events-${id}`, base: null, database };
	const backup = target.isFull === true ? unbased : { ...unbased, base: await baseOf(unbased, target.place) };
	const before = await storedSums(server.store, "month");
	let ended: (() => Promise<void>) | undefined;
	return {
		begin: async () => {
			ended = await beginServerBackup(server, backup, target);
		},
		/** Waits until it is complete. */
		end: async (): Promise<{ readonly server: ServerBackup; readonly sums: readonly StoredSums[] }> => {
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
