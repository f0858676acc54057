import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { on } from "node:events";
import { mkdtempSync, rmSync, statSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { type Generated, sql } from "kysely";
import { ServiceError } from "../errors/service-error.ts";
import { randomLowerAlphanumeric } from "../lib/ids.ts";
import { isUniqueViolation, type Metadata } from "./metadata.ts";
import { isNewStore, migrateMetadata } from "./migrate-metadata.ts";
import type { MetadataMigration } from "./migration.ts";
import { openMetadata } from "./open-metadata.ts";

type Tables = {
	things: { id: Generated<number>; name: string; created_at: number };
	parts: { thing_id: number };
};

const things: MetadataMigration = {
	name: "0001-things",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("things")
			.addColumn("id", "integer", autoId)
			.addColumn("name", "text", (column) => column.notNull().unique())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.execute();
	},
};
const parts: MetadataMigration = {
	name: "0002-parts",
	up: async ({ db }) => {
		await db.schema
			.createTable("parts")
			.addColumn("thing_id", "integer", (column) => column.notNull().references("things.id"))
			.execute();
	},
};
const broken: MetadataMigration = {
	name: "0003-broken",
	up: async ({ db }) => {
		await db.schema.createTable("half").addColumn("x", "text").execute();
		await sql`select * from missing_table`.execute(db);
	},
};

const dataDir = mkdtempSync(join(tmpdir(), "footfall-metadata-"));
const postgres = process.env.TEST_DATABASE_URL;
const isPostgresMissing = postgres === undefined ? "set TEST_DATABASE_URL to a PostgreSQL that may be written" : false;

after(() => rmSync(dataDir, { recursive: true, force: true }));

/** A schema of its own, so that runs do not meet. */
const postgresUrl = (schema: string): string => {
	const url = new URL(postgres ?? "postgres://localhost");
	url.searchParams.set("options", `-c search_path=${schema}`);
	return url.toString();
};

const schema = `test_${randomLowerAlphanumeric(10)}`;
const engines = [
	{ engine: "SQLite", skip: false, open: () => openMetadata({ dataDir }) },
	{
		engine: "PostgreSQL",
		skip: isPostgresMissing,
		open: () => openMetadata({ dataDir, databaseUrl: postgresUrl(schema) }),
	},
] as const;

for (const { engine, skip, open } of engines) {
	describe(`metadata on ${engine}`, { skip }, () => {
		let metadata: Metadata;
		before(async () => {
			metadata = await open();
			if (engine === "PostgreSQL") await sql`create schema ${sql.id(schema)}`.execute(metadata);
			const [first, second] = await Promise.all([
				migrateMetadata(metadata, [things], 1000),
				migrateMetadata(metadata, [things], 1000),
			]);
			assert.deepEqual([...first, ...second], ["0001-things"], "two starts at once run each step once");
		});
		after(async () => {
			if (engine === "PostgreSQL") await sql`drop schema ${sql.id(schema)} cascade`.execute(metadata);
			await metadata.destroy();
		});
		const db = () => metadata.withTables<Tables>();

		test("only the missing migrations run, in order", async () => {
			assert.deepEqual(await migrateMetadata(metadata, [things, parts], 2000), ["0002-parts"]);
			assert.deepEqual(await migrateMetadata(metadata, [things, parts], 3000), []);
		});

		test("a store is new until it has been brought up to date, whatever other stores its server has", async () => {
			assert.equal(await isNewStore(metadata), false);
			const other = `${schema}_new`;
			if (engine === "PostgreSQL") await sql`create schema ${sql.id(other)}`.execute(metadata);
			const databaseUrl = engine === "PostgreSQL" ? postgresUrl(other) : undefined;
			const fresh = await openMetadata({ databaseUrl, dataDir: join(dataDir, "new") });
			assert.equal(await isNewStore(fresh), true);
			await fresh.destroy();
			if (engine === "PostgreSQL") await sql`drop schema ${sql.id(other)}`.execute(metadata);
		});

		test("a migration that fails changes nothing", async () => {
			await assert.rejects(migrateMetadata(metadata, [things, parts, broken], 4000));
			await assert.rejects(sql`select * from half`.execute(metadata));
			assert.deepEqual(await migrateMetadata(metadata, [things, parts], 5000), []);
		});

		test("a store of a newer version is refused", async () => {
			await assert.rejects(migrateMetadata(metadata, [things], 6000), /newer version \(0002-parts\)/);
		});

		test("a column that a newer process adds disturbs no statement of a running one", async () => {
			const statements = [
				() => db().selectFrom("things").selectAll().execute(),
				() => db().selectFrom("things").select("name").execute(),
			];
			for (const run of statements) for (let i = 0; i < 6; i++) await run();
			await metadata.schema.alterTable("things").addColumn("note", "text").execute();
			for (const run of statements) assert.deepEqual(await run(), []);
			await metadata.schema.alterTable("things").dropColumn("note").execute();
			for (const run of statements) assert.deepEqual(await run(), []);
		});

		test("ids count up, milliseconds are numbers, RETURNING answers plain rows", async () => {
			const row = await db()
				.insertInto("things")
				.values({ name: "first", created_at: 1_795_262_400_123 })
				.returningAll()
				.executeTakeFirstOrThrow();
			assert.deepEqual(row, { id: 1, name: "first", created_at: 1_795_262_400_123 });
			const { count } = await db()
				.selectFrom("things")
				.select((eb) => eb.fn.countAll<number>().as("count"))
				.executeTakeFirstOrThrow();
			assert.equal(count, 1);
		});

		test("a second row with the same unique value is told apart from other failures", async () => {
			const insert = () => db().insertInto("things").values({ name: "twice", created_at: 1 }).execute();
			await insert();
			await assert.rejects(insert(), (error) => isUniqueViolation(error));
			const dangling = db().insertInto("parts").values({ thing_id: 999 }).execute();
			await assert.rejects(dangling, (error) => !isUniqueViolation(error));
		});

		test("a failed transaction leaves nothing; transactions at once do not mix", async () => {
			await assert.rejects(
				db()
					.transaction()
					.execute(async (trx) => {
						await trx.insertInto("things").values({ name: "gone", created_at: 1 }).execute();
						throw new Error("changed my mind");
					}),
			);
			const append = (name: string) =>
				db()
					.transaction()
					.execute((trx) => trx.insertInto("things").values({ name, created_at: 2 }).execute());
			await Promise.all(["a", "b", "c", "d"].map(append));
			const rows = await db().selectFrom("things").select("name").where("created_at", "=", 2).orderBy("name").execute();
			assert.deepEqual(rows, [{ name: "a" }, { name: "b" }, { name: "c" }, { name: "d" }]);
			assert.equal(
				await db().selectFrom("things").where("name", "=", "gone").selectAll().executeTakeFirst(),
				undefined,
			);
		});
	});
}

test("a connection that PostgreSQL ends is database_unavailable, and the next query works", {
	skip: isPostgresMissing,
}, async () => {
	const metadata = await openMetadata({ dataDir, databaseUrl: postgres });
	await assert.rejects(
		sql`select pg_terminate_backend(pg_backend_pid())`.execute(metadata),
		(error) => error instanceof ServiceError && error.code === "database_unavailable",
	);
	assert.deepEqual((await sql`select 1 as one`.execute(metadata)).rows, [{ one: 1 }]);
	await metadata.destroy();
});

test("of two PostgreSQL transactions that wait for each other one is database_unavailable, and may be asked again", {
	skip: isPostgresMissing,
}, async () => {
	const metadata = await openMetadata({ dataDir, databaseUrl: postgres });
	const keys = [randomInt(2 ** 40), randomInt(2 ** 40)] as const;
	const held: PromiseWithResolvers<void>[] = [Promise.withResolvers(), Promise.withResolvers()];
	const crosswise = async (mine: number) => {
		await metadata.transaction().execute(async (trx) => {
			await sql`select pg_advisory_xact_lock(${keys[mine]})`.execute(trx);
			held[mine]?.resolve();
			await Promise.all(held.map(({ promise }) => promise));
			await sql`select pg_advisory_xact_lock(${keys[1 - mine]})`.execute(trx);
		});
	};
	const ends = await Promise.allSettled([crosswise(0), crosswise(1)]);
	const codes = ends.map((end) => (end.status === "rejected" ? end.reason.code : end.status)).sort();
	assert.deepEqual(codes, ["database_unavailable", "fulfilled"]);
	await metadata.destroy();
});

test("an unreachable PostgreSQL is database_unavailable", async () => {
	const metadata = await openMetadata({ dataDir, databaseUrl: "postgres://nobody@127.0.0.1:1/none" });
	await assert.rejects(
		sql`select 1`.execute(metadata),
		(error) => error instanceof ServiceError && error.code === "database_unavailable",
	);
	await metadata.destroy();
});

test("a data directory that cannot be opened is database_unavailable", async () => {
	const metadata = await openMetadata({ dataDir });
	await metadata.destroy();
	const closed = await openMetadata({ dataDir: join(dataDir, "metadata.sqlite-as-directory") });
	rmSync(join(dataDir, "metadata.sqlite-as-directory"), { recursive: true });
	await assert.rejects(
		sql`select 1`.execute(closed),
		(error) => error instanceof ServiceError && error.code === "database_unavailable",
	);
});

test("while another process writes to SQLite this one goes on, and its own write follows", async () => {
	const metadata = await openMetadata({ dataDir: join(dataDir, "busy") });
	await sql`create table t (v integer)`.execute(metadata);
	const other = new DatabaseSync(join(dataDir, "busy", "metadata.sqlite"), { timeout: 0 });
	for (const write of [
		() => sql`insert into t values (2)`.execute(metadata),
		() => metadata.transaction().execute((trx) => sql`insert into t values (2)`.execute(trx)),
	]) {
		other.exec("begin immediate; insert into t values (1)");
		const written = write();
		// Only a process that goes on reaches this line while the write waits.
		await setImmediate();
		other.exec("commit");
		await written;
	}
	other.close();
	assert.deepEqual((await sql`select sum(v) as v from t`.execute(metadata)).rows, [{ v: 6 }]);
	await metadata.destroy();
});

test("what SQLite has written does not stay in the log alone", async () => {
	const metadata = await openMetadata({ dataDir: join(dataDir, "log") });
	await sql`create table t (v text)`.execute(metadata);
	const file = join(dataDir, "log", "metadata.sqlite");
	const before = statSync(file).size;
	const watcher = watch(file);
	const changes = on(watcher, "change");
	for (let n = 0; n < 1000; n++) await sql`insert into t values (${"x".repeat(500)})`.execute(metadata);
	for await (const _ of changes) if (statSync(file).size > before + 400_000) break;
	watcher.close();
	await metadata.destroy();
});
