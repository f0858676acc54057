import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
	checkContent,
	checkPieces,
	findBackup,
	type Manifest,
	restoreBackup,
} from "../features/operating/backup/index.ts";
import { loadConfig } from "../platform/config/config.ts";
import { openFilesAt } from "../platform/files/open-file-store.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { createLog } from "../platform/log/create-log.ts";
import type { DefineCommand } from "./command.ts";

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
	const passphrase = loadConfig({ ...process.env, DATA_DIR: to }).backupPassphrase;
	await restoreBackup(target, manifest, resolve(to), { passphrase, withoutSecret });
	const seconds = ((systemClock.monotonic() - began) / 1000).toFixed(1);
	const lines = [
		`Backup ${manifest.id}, the data as of ${manifest.created_at}, is restored in ${resolve(to)} (${seconds} s)`,
		...nextSteps(manifest, withoutSecret === true),
	];
	process.stdout.write(`${lines.join("\n")}\n`);
}

const nextSteps = (manifest: Manifest, withoutSecret: boolean): string[] => [
	...(manifest.secret_key === "sealed" && withoutSecret
		? [
				"The secret is not restored: encrypted values such as second factors and signing secrets have to be set up again.",
			]
		: []),
	...(manifest.secret_key === "named" ? ["Start the service with its previous SECRET_KEY."] : []),
	...(manifest.events === "server"
		? ["Events were on a ClickHouse server: restore them there, with its RESTORE."]
		: []),
	...(manifest.accounts === "postgresql"
		? ["Accounts from PostgreSQL are in metadata.sqlite now: start without DATABASE_URL, or move them there first."]
		: []),
];

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
			await restoreBackup(target, manifest, directory, { passphrase, withoutSecret: passphrase === undefined });
			faults.push(...(await checkContent(directory, manifest, createLog(config))));
		} finally {
			await rm(directory, { recursive: true, force: true });
		}
	}
	if (faults.length > 0) throw new Error([`Backup ${manifest.id} is damaged`, ...faults].join("\n"));
	const files = `${manifest.pieces.length} files`;
	const found =
		options.deep === true ? `${files} are intact, counts and sums match the manifest` : `${files} are intact`;
	process.stdout.write(`Backup ${manifest.id}: ${found}\n`);
}
