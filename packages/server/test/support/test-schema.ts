import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "node:test";
import { sql } from "kysely";
import { metadataMigrations } from "../../migrations/metadata/index.ts";
import { randomLowerAlphanumeric } from "../../src/platform/lib/ids.ts";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";
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
	const run = async (statement: "create" | "drop") => {
		const admin = await openMetadata({ databaseUrl: base, dataDir: "" });
		if (statement === "create") await sql`create schema ${sql.id(name)}`.execute(admin);
		else await sql`drop schema ${sql.id(name)} cascade`.execute(admin);
		await admin.destroy();
	};
	await run("create");
	const url = new URL(base);
	url.searchParams.set("options", `-c search_path=${name}`);
	return { url: url.toString(), drop: () => run("drop") };
}

interface Migrated {
	readonly schema: TestSchema;
	readonly admin: Metadata;
	readonly tables: readonly string[];
	/** Those that let nothing be taken away. */
	readonly guarded: readonly string[];
	/** Where the migrations let numbers begin. */
	readonly sequences: readonly Sequence[];
}

interface Sequence {
	readonly name: string;
	readonly last: string;
	readonly isCalled: boolean;
}

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

async function newMigrated(): Promise<Migrated> {
	const schema = await testSchema();
	const admin = await openMetadata({ databaseUrl: schema.url, dataDir: "" });
	await migrateMetadata(admin, metadataMigrations, 0);
	const named = await sql<{ name: string }>`
		select sequencename as name from pg_sequences where schemaname = current_schema()`.execute(admin);
	const standing = named.rows.map(
		({ name }) =>
			sql`select ${sql.lit(name)} as name, last_value::text as last, is_called as "isCalled" from ${sql.table(name)}`,
	);
	const sequences = await sql<Sequence>`${sql.join(standing, sql` union all `)}`.execute(admin);
	const tables = await sql<{ name: string }>`
		select tablename as name from pg_tables
		where schemaname = current_schema() and tablename != 'metadata_migrations'`.execute(admin);
	const guarded = await sql<{ name: string }>`
		select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
		where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace`.execute(admin);
	const namesOf = ({ rows }: { readonly rows: readonly { readonly name: string }[] }) => rows.map(({ name }) => name);
	return { schema, admin, tables: namesOf(tables), guarded: namesOf(guarded), sequences: sequences.rows };
}

/** False for a schema that a test has broken. */
const isEmptied = (migrated: Migrated): Promise<boolean> =>
	empty(migrated).then(
		() => true,
		() => false,
	);

async function empty({ admin, tables, guarded, sequences }: Migrated): Promise<void> {
	const filled = sql.join(
		tables.map((name) => sql`select ${sql.lit(name)} as name where exists (select 1 from ${sql.table(name)})`),
		sql` union all `,
	);
	// The table of the migrations is one more.
	const added = sql`select '' as name where ${tables.length + 1} < (select count(*) from pg_tables where schemaname = current_schema())`;
	const { rows } = await sql<{ name: string }>`${filled} union all ${added}`.execute(admin);
	if (rows.some(({ name }) => name === "")) throw new Error("A test has added tables");
	if (rows.length === 0) return;
	const names = rows.map(({ name }) => `"${name}"`);
	const triggers = (state: string) => guarded.map((name) => `alter table "${name}" ${state} trigger user;`).join("");
	const counted = sequences
		.map(({ name, last, isCalled }) => `perform setval('${name}', ${last}, ${isCalled});`)
		.join("");
	await sql
		.raw(
			`do $reset$ begin ${triggers("disable")}truncate ${names.join()} cascade;${triggers("enable")}${counted} end $reset$`,
		)
		.execute(admin);
}
