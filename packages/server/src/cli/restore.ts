import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { eventServer } from "../composition/backups.ts";
import {
	checkContent,
	checkPieces,
	databaseOf,
	type EventServer,
	findBackup,
	type Manifest,
	restoreBackup,
	restoreServerBackup,
	type ServerBackup,
	serverBackupFaults,
} from "../features/operating/backup/index.ts";
import { type Config, ConfigError, loadConfig } from "../platform/config/config.ts";
import { openEventStore } from "../platform/event-store/open-event-store.ts";
import { openFilesAt } from "../platform/files/open-file-store.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { withResource } from "../platform/lib/with-resource.ts";
import { createLog } from "../platform/log/create-log.ts";
import { type DefineCommand, sentences } from "./print-records.ts";

interface Chosen {
	readonly backup?: string;
}

interface RestoreOptions extends Chosen {
	readonly to: string;
	readonly withoutSecret?: true;
}

/** `footfall restore` */
export const define: DefineCommand = (command) => {
	command
		.argument("<place>", "directory or bucket with backups")
		.requiredOption("--to <directory>", "data directory that does not exist or is empty")
		.option("--backup <id>", "id of the backup; default: the latest")
		.option("--without-secret", "restore without an encrypted secret.key, if its passphrase is lost")
		.action(restore);
};

async function restore(place: string, { to, backup, withoutSecret }: RestoreOptions): Promise<void> {
	const target = openFilesAt(place);
	const manifest = await findBackup(target, backup);
	const began = systemClock.monotonic();
	const config = loadConfig({ ...process.env, DATA_DIR: to });
	const restoreEvents = eventRestorer(config, manifest, async (server, backup) => {
		await restoreServerBackup(server, backup, { place, database: await databaseOf(server.store) });
	});
	await restoreBackup(target, manifest, resolve(to), {
		passphrase: config.backupPassphrase,
		withoutSecret,
		restoreEvents,
	});
	const seconds = ((systemClock.monotonic() - began) / 1000).toFixed(1);
	const lines = [
		`Backup ${manifest.id}, the data as of ${manifest.created_at}, is restored in ${resolve(to)} (${seconds} s)`,
		...nextSteps(manifest, withoutSecret === true, restoreEvents !== undefined),
	];
	process.stdout.write(`${lines.join("\n")}\n`);
}

/** Makes the step that restores a server's events; undefined where the backup has none or the settings name no server. */
function eventRestorer(
	config: Config,
	{ server: backup }: Manifest,
	restore: (server: EventServer, backup: ServerBackup) => Promise<void>,
): (() => Promise<void>) | undefined {
	const { clickhouseUrl } = config;
	if (backup === undefined || clickhouseUrl === undefined) return undefined;
	return async () => {
		const opened = await openEventStore({ ...config, clickhouseUrl, log: createLog(config) });
		await withResource(opened, (store) => restore(eventServer(config, store), backup));
	};
}

const nextSteps = ({ secret_key, events, server, accounts }: Manifest, withoutSecret: boolean, hasEvents: boolean) =>
	sentences(
		secret_key === "sealed" &&
			withoutSecret &&
			"The secret is not restored: encrypted values such as second factors and signing secrets have to be set up again.",
		secret_key === "named" && "Start the service with its previous SECRET_KEY.",
		events === "server" &&
			server === undefined &&
			"Events were on a ClickHouse server, and this backup has none of them: restore them there, with its RESTORE.",
		server !== undefined &&
			!hasEvents &&
			`Events are not restored: set CLICKHOUSE_URL to an empty database of a server that reaches ${server.name} (${server.to}), and restore again, to another directory.`,
		hasEvents && "The ClickHouse server has restored its events in the database of CLICKHOUSE_URL.",
		accounts === "postgresql" &&
			"Accounts from PostgreSQL are in metadata.sqlite now: start without DATABASE_URL, or move them there first.",
	);

/** `footfall verify` */
const defineVerify: DefineCommand = (command) => {
	command
		.argument("<place>", "directory or bucket with backups")
		.option("--backup <id>", "id of the backup; default: the latest")
		.option("--deep", "also restore it to a temporary directory, open its stores and compare counts and sums")
		.option("--in <directory>", "parent of the temporary directory", tmpdir())
		.action(verify);
};

export const verifying = { define: defineVerify };

async function verify(place: string, options: Chosen & { readonly deep?: true; readonly in: string }): Promise<void> {
	const target = openFilesAt(place);
	const manifest = await findBackup(target, options.backup);
	const faults = await checkPieces(target, manifest);
	if (options.deep === true && faults.length === 0) {
		const directory = await mkdtemp(join(options.in, "footfall-verify-"));
		try {
			const config = loadConfig({ ...process.env, DATA_DIR: directory });
			const { backupPassphrase: passphrase } = config;
			const restoreEvents = eventRestorer(config, manifest, async (server, backup) => {
				faults.push(...(await serverBackupFaults(server, backup, { place, sums: manifest.sums })));
			});
			if (manifest.server !== undefined && restoreEvents === undefined) {
				throw new ConfigError("CLICKHOUSE_URL must name the server with the events of this backup, to verify them");
			}
			const choice = { passphrase, withoutSecret: passphrase === undefined, restoreEvents };
			await restoreBackup(target, manifest, directory, choice);
			faults.push(...(await checkContent(directory, manifest, createLog(config))));
		} finally {
			await rm(directory, { recursive: true, force: true });
		}
	}
	if (faults.length > 0) throw new Error([`Backup ${manifest.id} is damaged`, ...faults].join("\n"));
	const files = `${manifest.pieces.length} files`;
	const found =
		options.deep === true
			? `${files} are intact, counts and sums match the manifest`
			: `${files} are intact${manifest.server === undefined ? "" : "; events of the ClickHouse server are read by --deep alone"}`;
	process.stdout.write(`Backup ${manifest.id}: ${found}\n`);
}
