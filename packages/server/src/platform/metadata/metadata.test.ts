import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { on } from "node:events";
import { rmSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { type Generated, sql } from "kysely";
import { newDirectory } from "../../../test/support/new-directory.ts";
import { postgresSkip, testSchema } from "../../../test/support/test-schema.ts";
import { ServiceError } from "../errors/service-error.ts";
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
const migration = (name: string, ...statements: readonly string[]): MetadataMigration => ({
	name,
	up: async ({ db }) => {
		for (const statement of statements) await sql.raw(statement).execute(db);
	},
});
const parts = migration("0002-parts", "create table parts (thing_id integer not null references things (id))");
const broken = migration("0003-broken", "create table half (x text)", "select * from missing_table");

const dataDir = newDirectory();
const postgres = process.env.TEST_DATABASE_URL;
const isUnavailable = (error: unknown) => error instanceof ServiceError && error.code === "database_unavailable";

/** A new store, closed at the end; on PostgreSQL of a schema of its own, so that runs do not meet. */
async function newStore(engine: "SQLite" | "PostgreSQL") {
	const schema = engine === "PostgreSQL" ? await testSchema() : undefined;
	const metadata = await openMetadata({ dataDir: newDirectory(), databaseUrl: schema?.url });
	const close = async () => {
		await metadata.destroy();
		await schema?.drop();
	};
	return { metadata, close };
}

for (const engine of ["SQLite", "PostgreSQL"] as const) {
	describe(`metadata on ${engine}`, { skip: engine === "PostgreSQL" && postgresSkip }, () => {
		let metadata: Metadata;
		let close: () => Promise<void>;
		before(async () => {
			({ metadata, close } = await newStore(engine));
			const [first, second] = await Promise.all([
				migrateMetadata(metadata, [things], 1000),
				migrateMetadata(metadata, [things], 1000),
			]);
			assert.deepEqual([...first, ...second], ["0001-things"], "two starts at once run each step once");
		});
		after(() => close());
		const db = () => metadata.withTables<Tables>();

		test("only the missing migrations run, and one that fails changes nothing", async () => {
			assert.deepEqual(await migrateMetadata(metadata, [things, parts], 2000), ["0002-parts"]);
			await assert.rejects(migrateMetadata(metadata, [things, parts, broken], 4000));
			await assert.rejects(sql`select * from half`.execute(metadata));
			assert.deepEqual(await migrateMetadata(metadata, [things, parts], 5000), []);
		});

		test("a store is new until it has been brought up to date, whatever other stores its server has", async () => {
			assert.equal(await isNewStore(metadata), false);
			const fresh = await newStore(engine);
			assert.equal(await isNewStore(fresh.metadata), true);
			await fresh.close();
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
			for (const change of ["add column note text", "drop column note"]) {
				await sql.raw(`alter table things ${change}`).execute(metadata);
				for (const run of statements) assert.deepEqual(await run(), []);
			}
		});

		test("RETURNING answers plain rows with numbers; a second row with the same unique value is told apart from other failures", async () => {
			const row = { name: "twice", created_at: 1_795_262_400_123 };
			const insert = () => db().insertInto("things").values(row).returningAll().executeTakeFirstOrThrow();
			assert.deepEqual(await insert(), { id: 1, ...row });
			const { rows } = await sql`select count(*) as count from things`.execute(metadata);
			assert.deepEqual(rows, [{ count: 1 }]);
			await assert.rejects(insert(), (error) => isUniqueViolation(error));
			const dangling = db().insertInto("parts").values({ thing_id: 999 }).execute();
			await assert.rejects(dangling, (error) => !isUniqueViolation(error));
		});

		test("a failed transaction leaves nothing; transactions at once do not mix", async () => {
			const append = (name: string, isGood = true) =>
				db()
					.transaction()
					.execute(async (trx) => {
						await trx.insertInto("things").values({ name, created_at: 2 }).execute();
						if (!isGood) throw new Error("changed my mind");
					});
			await assert.rejects(append("gone", false));
			await Promise.all(["a", "b", "c", "d"].map((name) => append(name)));
			const rows = await db().selectFrom("things").select("name").where("created_at", "=", 2).orderBy("name").execute();
			assert.equal(rows.map(({ name }) => name).join(), "a,b,c,d");
		});
	});
}

test("a connection ended by PostgreSQL is database_unavailable, the next works", { skip: postgresSkip }, async () => {
	const metadata = await openMetadata({ dataDir, databaseUrl: postgres });
	await assert.rejects(sql`select pg_terminate_backend(pg_backend_pid())`.execute(metadata), isUnavailable);
	assert.deepEqual((await sql`select 1 as one`.execute(metadata)).rows, [{ one: 1 }]);
	await metadata.destroy();
});

test("one of two PostgreSQL transactions in a deadlock is database_unavailable", { skip: postgresSkip }, async () => {
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

test("an unreachable PostgreSQL and a file of SQLite that cannot be opened are database_unavailable", async () => {
	const away = await openMetadata({ dataDir, databaseUrl: "postgres://nobody@127.0.0.1:1/none" });
	const gone = join(dataDir, "gone");
	const closed = await openMetadata({ dataDir: gone });
	rmSync(gone, { recursive: true });
	for (const metadata of [away, closed]) await assert.rejects(sql`select 1`.execute(metadata), isUnavailable);
	await away.destroy();
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

test("rows written by SQLite do not stay in the log alone", async () => {
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
