import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "node:test";
import { type RawBuilder, sql } from "kysely";
import { metadataMigrations } from "../../migrations/metadata/index.ts";
import { randomLowerAlphanumeric } from "../../src/platform/lib/ids.ts";
import { migrateMetadata } from "../../src/platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { removeAtTheEnd } from "./remove-at-the-end.ts";

/** Why tests on PostgreSQL are skipped; false when they run. */
export const postgresSkip: string | false =
	process.env.TEST_DATABASE_URL === undefined ? "set TEST_DATABASE_URL to a PostgreSQL that may be written" : false;

/** Runs a suite on SQLite, and on PostgreSQL when there is one: the first in the core of the tests, the second in the rest. */
export function onEngines(title: string, suite: (engine: "sqlite" | "postgres") => void): void {
	const group = process.env.TEST_GROUP;
	if (group !== "rest") describe(`${title} (SQLite)`, () => suite("sqlite"));
	if (group !== "core") describe(`${title} (PostgreSQL)`, { skip: postgresSkip }, () => suite("postgres"));
}

/** A schema of its own in the tests' PostgreSQL. */
export interface TestSchema {
	readonly url: string;
	drop(): Promise<void>;
}

/** A new schema in the PostgreSQL of TEST_DATABASE_URL, so that test runs do not meet. */
export async function testSchema(): Promise<TestSchema> {
	const base = process.env.TEST_DATABASE_URL;
	if (base === undefined) throw new Error("TEST_DATABASE_URL is not set");
	const name = `test_${randomLowerAlphanumeric(12)}`;
	const run = async (statement: RawBuilder<unknown>) => {
		const admin = await openMetadata({ databaseUrl: base, dataDir: "" });
		await statement.execute(admin);
		await admin.destroy();
	};
	await run(sql`create schema ${sql.id(name)}`);
	const url = new URL(base);
	url.searchParams.set("options", `-c search_path=${name}`);
	return { url: url.toString(), drop: () => run(sql`drop schema ${sql.id(name)} cascade`) };
}

interface Sequence {
	readonly name: string;
	readonly last: string;
	readonly isCalled: boolean;
}

type Migrated = Awaited<ReturnType<typeof newMigrated>>;

/** To make the tables takes longer than most tests: the next test of this process gets them again, emptied. */
const free: Migrated[] = [];
/** Those of directories that tests keep, by address. */
const kept = new Map<string, { readonly migrated: Migrated; users: number }>();
let isOver = false;
removeAtTheEnd({
	// The pool keeps a connection that rests, for a while.
	keepsOpen: () => [...free, ...kept.values()].flatMap(() => ["TCPSocketWrap", "Timeout"]),
	remove: async () => {
		isOver = true;
		for (const migrated of free.splice(0)) await remove(migrated);
		for (const url of kept.keys()) await removeUnused(url);
	},
});

async function remove({ admin, schema }: Migrated): Promise<void> {
	await admin.destroy();
	await schema.drop();
}

/** The same with all tables, empty; `drop` leaves it to the next test of this process. */
export async function migratedSchema(): Promise<TestSchema> {
	const migrated = free.pop() ?? (await newMigrated());
	return {
		url: migrated.schema.url,
		drop: async () => {
			// A file's own hooks at its end run after the one here.
			if (isOver || !(await isEmptied(migrated))) return remove(migrated);
			free.push(migrated);
		},
	};
}

/** The file that names the schema of a directory, and so that of its copies. */
const SCHEMA_FILE = "schema-of-tests";

/** The schema that goes with a directory that a test keeps, as it was left; `drop` leaves it to the directory. */
export async function schemaOf(dataDir: string): Promise<TestSchema> {
	const file = join(dataDir, SCHEMA_FILE);
	if (!existsSync(file)) {
		const migrated = await newMigrated();
		mkdirSync(dataDir, { recursive: true });
		writeFileSync(file, migrated.schema.url);
		kept.set(migrated.schema.url, { migrated, users: 0 });
	}
	const url = readFileSync(file, "utf8");
	const used = kept.get(url);
	if (used !== undefined) used.users++;
	return {
		url,
		drop: async () => {
			if (used !== undefined) used.users--;
			if (isOver) await removeUnused(url);
		},
	};
}

async function removeUnused(url: string): Promise<void> {
	const found = kept.get(url);
	if (found === undefined || found.users > 0) return;
	kept.delete(url);
	await remove(found.migrated);
}

/** A schema with all tables, with what it takes to empty it. */
async function newMigrated() {
	const schema = await testSchema();
	const admin = await openMetadata({ databaseUrl: schema.url, dataDir: "" });
	await migrateMetadata(admin, metadataMigrations, 0);
	const namesOf = async (query: RawBuilder<{ name: string }>): Promise<readonly string[]> =>
		(await query.execute(admin)).rows.map(({ name }) => name);
	const sequences = await namesOf(
		sql<{ name: string }>`select sequencename as name from pg_sequences where schemaname = current_schema()`,
	);
	const standing = sequences.map(
		(name) =>
			sql`select ${sql.lit(name)} as name, last_value::text as last, is_called as "isCalled" from ${sql.table(name)}`,
	);
	const tables = sql<{ name: string }>`select tablename as name from pg_tables
		where schemaname = current_schema() and tablename != 'metadata_migrations'`;
	const guarded = sql<{
		name: string;
	}>`select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
		where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace`;
	return {
		schema,
		admin,
		tables: await namesOf(tables),
		/** Those that let nothing be taken away. */
		guarded: await namesOf(guarded),
		/** Where the migrations let numbers begin. */
		sequences: (await sql<Sequence>`${sql.join(standing, sql` union all `)}`.execute(admin)).rows,
	};
}

/** False for a schema that a test has broken. */
async function isEmptied({ admin, tables, guarded, sequences }: Migrated): Promise<boolean> {
	const filled = tables.map(
		(name) => sql`select ${sql.lit(name)} as name where exists (select 1 from ${sql.table(name)})`,
	);
	// The table of the migrations is one more.
	const added = sql`select '' as name where ${tables.length + 1} < (select count(*) from pg_tables where schemaname = current_schema())`;
	const found = sql<{ name: string }>`${sql.join([...filled, added], sql` union all `)}`;
	try {
		const names = (await found.execute(admin)).rows.map(({ name }) => name);
		if (names.includes("") || names.length === 0) return names.length === 0;
		const triggers = (state: string) => guarded.map((name) => `alter table "${name}" ${state} trigger user;`).join("");
		const counted = sequences.map(({ name, last, isCalled }) => `perform setval('${name}', ${last}, ${isCalled});`);
		const emptied = `truncate ${names.map((name) => `"${name}"`).join()} cascade;`;
		const statements = triggers("disable") + emptied + triggers("enable") + counted.join("");
		await sql.raw(`do $reset$ begin ${statements} end $reset$`).execute(admin);
		return true;
	} catch {
		return false;
	}
}

let file: Promise<Buffer> | undefined;

/** Puts a `metadata.sqlite` with all tables, empty, into a new data directory: they are made once a process. */
export async function placeMigratedFile(dataDir: string): Promise<void> {
	file ??= migratedFile();
	writeFileSync(join(dataDir, "metadata.sqlite"), await file);
}

async function migratedFile(): Promise<Buffer> {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-tables-"));
	const metadata = await openMetadata({ dataDir });
	await migrateMetadata(metadata, metadataMigrations, 0);
	// Closing writes everything into the one file.
	await metadata.destroy();
	const bytes = readFileSync(join(dataDir, "metadata.sqlite"));
	rmSync(dataDir, { recursive: true });
	return bytes;
}
