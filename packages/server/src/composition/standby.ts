import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { metadataMigrations } from "../../migrations/metadata/index.ts";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import { writeAtomic } from "../platform/files/write-atomic.ts";
import type { Clock } from "../platform/lib/clock.ts";
import { createValueSealer, type ServerSecrets } from "../platform/lib/sealer.ts";
import { within } from "../platform/lib/within.ts";
import { describeCause } from "../platform/log/describe-cause.ts";
import type { Log } from "../platform/log/log.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { migrateMetadata } from "../platform/metadata/migrate-metadata.ts";
import { openMemoryMetadata } from "../platform/metadata/open-metadata.ts";

const FILE = "standby";
const CHECK_MS = 60_000;
/** How long the end waits for the last copy. */
const CLOSE_MS = 500;
const SALT_LIFETIME_MS = 48 * 3_600_000;

/** Versions that show changes; read first, so that a change meanwhile is found the next time. */
const COUNTS = ["setting_versions", "visitor_salts"] as const;
/** Tables that a collector keeps in memory, in an order that satisfies their references. */
const TABLES = [
	...COUNTS,
	"organizations",
	"sites",
	"site_domains",
	"utm_mappings",
	"blocklist_entries",
	"channel_rules",
	"passthrough_referrers",
	"referrer_mappings",
	"ip_allowlist_settings",
	"ip_allowlist_patterns",
] as const satisfies readonly (keyof Tables)[];

type Name = (typeof TABLES)[number];
type Row = Record<string, unknown>;
type Rows = Partial<Record<Name, readonly Row[]>>;
type CopiedTables = Record<Name, Row>;

type StandbyConfig = ServerSecrets & Pick<ReadyConfig, "dataDir">;

interface StandbyDeps {
	readonly config: StandbyConfig;
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly log: Log;
}

/** Keeps a sealed copy of the settings that hits need, for a start while PostgreSQL is away: written within a minute after a change. */
export function keepStandby({ config, metadata, clock, log }: StandbyDeps) {
	let written = "";
	const check = async () => {
		const counts = JSON.stringify(await readTables(metadata, COUNTS));
		if (counts === written) return;
		await writeStandby(config, await readTables(metadata, TABLES), clock.now());
		written = counts;
	};
	let checked = Promise.resolve();
	const tryCheck = (): Promise<void> => {
		checked = checked.then(check).catch((error: unknown) => {
			log.warn({ cause: describeCause(error) }, "The copy of the site settings could not be written");
		});
		return checked;
	};
	void tryCheck();
	const stopChecking = clock.every(CHECK_MS, tryCheck);
	return {
		/** Ends with a last look for changes, if the store answers in time. */
		close: async () => {
			stopChecking();
			await within(clock, CLOSE_MS, tryCheck());
		},
	};
}

/** The copy as a store in memory; undefined when there is none that this release can read. */
export async function openStandby(config: StandbyConfig, now: number): Promise<Metadata | undefined> {
	const rows = await readStandby(config);
	if (rows === undefined) return undefined;
	const metadata = openMemoryMetadata();
	try {
		await migrateMetadata(metadata, metadataMigrations, now);
		// The users whom some rows name are not in it.
		await sql`pragma foreign_keys = off`.execute(metadata);
		for (const name of TABLES) {
			await metadata.withTables<CopiedTables>().deleteFrom(name).execute();
			for (const row of liveRows(name, rows[name] ?? [], now)) {
				await metadata.withTables<CopiedTables>().insertInto(name).values(row).execute();
			}
		}
		return metadata;
	} catch {
		// Written by a release whose tables were others.
		await metadata.destroy();
		return undefined;
	}
}

async function readTables(metadata: Metadata, names: readonly Name[]): Promise<Rows> {
	const rows: Rows = {};
	for (const name of names)
		rows[name] = await metadata.withTables<CopiedTables>().selectFrom(name).selectAll().execute();
	return rows;
}

async function writeStandby(config: StandbyConfig, rows: Rows, now: number): Promise<void> {
	const live = Object.fromEntries(TABLES.map((name) => [name, liveRows(name, rows[name] ?? [], now)]));
	await writeAtomic(join(config.dataDir, FILE), [Buffer.from(sealerOf(config).seal(live))]);
}

async function readStandby(config: StandbyConfig): Promise<Rows | undefined> {
	const sealed = await readFile(join(config.dataDir, FILE), "utf8").catch(() => undefined);
	return sealed === undefined ? undefined : sealerOf(config).open(sealed);
}

/** A salt that is two days old is never used again, nor kept. */
const liveRows = (name: Name, rows: readonly Row[], now: number): readonly Row[] =>
	name === "visitor_salts" ? rows.filter((row) => Number(row.created_at) > now - SALT_LIFETIME_MS) : rows;

const sealerOf = (secrets: ServerSecrets) => createValueSealer<Rows>(secrets, "standby");
