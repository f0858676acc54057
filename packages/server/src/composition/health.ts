import { access, constants, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import packageInfo from "../../package.json" with { type: "json" };
import type { SpoolState } from "../features/collecting/collect/index.ts";
import { type HealthCheck, type HealthDeps, HealthFault, type HealthNote } from "../features/operating/health/index.ts";
import type { RejectionWindow } from "../features/tenancy/sites/index.ts";
import { type DiskRoom, diskRoom } from "../platform/files/disk-room.ts";
import { oldestDueJob } from "../platform/jobs/job-overview.ts";
import { deriveKey } from "../platform/lib/crypto.ts";
import type { RouteDeps } from "./app-deps.ts";

/** Jobs that are due for so long mean that no process has the role, or that it cannot keep up. */
const JOBS_LATE_MS = 10 * 60_000;
/** Over so long hits are counted that belong to no site, and so are shown to the operator alone. */
const UNPLACED_MINUTES = 60;

/** Key of the probes of `footfall doctor`. */
export const probeKey = (secretKey: string): Uint8Array => deriveKey(secretKey, "doctor");

/** The checks of this process: `/health` sees them all, `/readyz` those without which no request can be answered. */
export function healthDeps(deps: RouteDeps): HealthDeps {
	const { config, clock, metadata, eventStore, accountTables, eventTables, files } = deps;
	const collector = deps.collecting?.collector;
	const database: HealthCheck = {
		isVital: true,
		run: async () => {
			await Promise.all([sql`select 1`.execute(metadata), eventStore.ping()]);
			return undefined;
		},
	};
	const queue: HealthCheck = {
		isVital: false,
		run: async () => {
			const since = await oldestDueJob(metadata, clock.now());
			if (since !== undefined && clock.now() - since > JOBS_LATE_MS)
				throw new HealthFault("no_jobs_process", "no process runs the jobs");
			const described = describeSpool(collector?.spoolState, config.spoolMaxBytes);
			const shared = deps.collecting?.sharedSessions;
			if (shared?.isAway()) {
				const hits = shared.hitsAlone();
				const message = `Redis does not answer; hits booked without it since the start: ${hits}`;
				throw new HealthFault("redis_away", message, { hits });
			}
			return withUnplaced(described, (await deps.rejections(""))?.(UNPLACED_MINUTES));
		},
	};
	const mailer: HealthCheck = {
		isVital: false,
		run: async () => ({ code: config.smtpUrl ? "mail_server" : "outbox", message: await deps.mailer.check() }),
	};
	const storage: HealthCheck = {
		isVital: true,
		run: async () => {
			await Promise.all([checkWritable(config.dataDir), files.check()]);
			const rooms = await roomsOf(config.dataDir);
			const scarce = rooms.find(({ state }) => state !== "enough");
			if (scarce !== undefined) {
				const { mebibytes } = scarce;
				throw new HealthFault("disk_nearly_full", `the disk is nearly full: ${mebibytes} MiB left`, { mebibytes });
			}
			if (collector?.accepts === false) throw new HealthFault("hits_not_stored", "hits cannot be stored");
			await tryToWrite(config.dataDir);
			return undefined;
		},
	};
	/** Little space may last for long; without any, other collectors should take the hits. */
	const room: HealthCheck = {
		isVital: true,
		run: async () => {
			const rooms = await roomsOf(config.dataDir);
			if (collector?.accepts === false || rooms.some(({ state }) => state === "none"))
				throw new HealthFault("disk_full", "the disk is full");
			await checkWritable(config.dataDir);
			return undefined;
		},
	};
	const migrations: HealthCheck = {
		isVital: true,
		run: async () => {
			if (!accountTables.isReady)
				throw new HealthFault("old_metadata_tables", "the tables of the metadata store are not up to date");
			if (!eventTables.isReady)
				throw new HealthFault("old_event_tables", "the tables of the event store are not up to date");
			return undefined;
		},
	};
	return {
		clock,
		version: packageInfo.version,
		environment: config.nodeEnv,
		healthToken: config.healthToken,
		probeKey: probeKey(config.secretKey),
		sharesAddresses: () => collector?.sharesAddresses ?? false,
		checks: { database, queue, mailer, storage },
		readiness: { database, migrations, storage: room },
	};
}

/** The disk of the data directory, and that of the spool, which may be another. */
async function roomsOf(dataDir: string): Promise<DiskRoom[]> {
	const rooms = await Promise.all([diskRoom(dataDir), diskRoom(join(dataDir, "spool")).catch(() => undefined)]);
	return rooms.filter((room) => room !== undefined);
}

/** Throws when the data directory or the spool is not writable: a disk that has turned read-only says so to its superuser too. */
async function checkWritable(dataDir: string): Promise<void> {
	await access(dataDir, constants.W_OK);
	await access(join(dataDir, "spool"), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
		// Only collectors have a spool.
		if (error.code !== "ENOENT") throw error;
	});
}

/** Throws when a file cannot be written: rights and room do not say that it can. */
async function tryToWrite(dataDir: string): Promise<void> {
	const path = join(dataDir, `health-${process.pid}`);
	await writeFile(path, "tried", { mode: 0o600 });
	await rm(path, { force: true });
}

/** Throws what an operator has to do something about. */
function describeSpool(spool: SpoolState | undefined, maxBytes: number): HealthNote {
	if (spool === undefined) return { code: "no_collector", message: "no collector in this process" };
	const { waitingBytes: bytes, refused, fault } = spool;
	const { rows, files, damaged } = refused;
	if (fault !== undefined)
		throw new HealthFault("spool_unwritable", `hits cannot be written to the spool: ${fault}`, { fault });
	if (bytes + refused.bytes > maxBytes / 2) throw new HealthFault("spool_half_full", "the spool is half full");
	if (files > 0) {
		const message = `the event store refused ${rows} rows, in ${files} files of spool/refused`;
		throw new HealthFault("rows_refused", message, { rows, files });
	}
	if (damaged > 0)
		throw new HealthFault("spool_damaged", `${damaged} damaged parts of the spool are in spool/refused`, { damaged });
	return { code: "hits_waiting", message: `${bytes} bytes wait for the event store`, values: { bytes } };
}

/** A script with a wrong site, or a proxy that spoils bodies, is seen nowhere else. */
function withUnplaced(note: HealthNote, window: RejectionWindow | undefined): HealthNote {
	if (window === undefined || window.rejected === 0) return note;
	const rejected = window.reasons.map(({ reason, count }) => `${count} ${reason}`).join(", ");
	const message = `${note.message}; rejected within an hour without an active site: ${rejected}`;
	return { ...note, message, values: { ...note.values, rejected } };
}
