import { createHash } from "node:crypto";
import { sql } from "kysely";
import { engineOf, type Metadata } from "./metadata.ts";

/** A table as the migrations made it. */
interface TableShape {
	readonly name: string;
	readonly columns: readonly string[];
	readonly key: readonly string[];
	/** The column whose numbers the store gives; undefined when there is none. */
	readonly counted: string | undefined;
}

/** Bookkeeping of each store. */
const OWN = "metadata_migrations";

/** The tables of a store on SQLite, those first that others refer to. */
async function describeTables(sqlite: Metadata): Promise<TableShape[]> {
	const { rows: columns } = await sql<{ table: string; name: string; pk: number; statement: string }>`
		select owner.name as "table", part.name, part.pk, owner.sql as statement
		from sqlite_schema owner, pragma_table_info(owner.name) part
		where owner.type = 'table' and owner.name not like 'sqlite_%' and owner.name != ${OWN}
		order by owner.rowid, part.cid`.execute(sqlite);
	const { rows: references } = await sql<{ table: string; to: string }>`
		select owner.name as "table", reference."table" as "to"
		from sqlite_schema owner, pragma_foreign_key_list(owner.name) reference where owner.type = 'table'`.execute(sqlite);
	const byTable = Map.groupBy(columns, ({ table }) => table);
	const shapes = [...byTable].map(([name, parts]): TableShape => {
		const key = parts.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
		const isCounted = /\bautoincrement\b/i.test(parts[0]?.statement ?? "");
		return {
			name,
			columns: parts.map((part) => part.name),
			key: key.map((part) => part.name),
			counted: isCounted ? key[0]?.name : undefined,
		};
	});
	return inOrder(shapes, references);
}

function inOrder(
	shapes: readonly TableShape[],
	references: readonly { readonly table: string; readonly to: string }[],
): TableShape[] {
	const placed: TableShape[] = [];
	const left = new Set(shapes);
	while (left.size > 0) {
		const names = new Set([...left].map(({ name }) => name));
		const free = [...left].filter(
			({ name }) => !references.some(({ table, to }) => table === name && to !== name && names.has(to)),
		);
		if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...names].join(", ")}`);
		for (const shape of free) left.delete(shape);
		placed.push(...free);
	}
	return placed;
}

/** Rows that are in memory at a time, and values of one statement: SQLite takes 32,766, PostgreSQL 65,535. */
const ROWS = 1000;
const VALUES = 30_000;

type Row = Record<string, unknown>;

/** Replaces all rows of a store by those of another, ids and counters included, in one transaction; one is SQLite. Answers the rows of each table. */
export async function copyRows(from: Metadata, to: Metadata): Promise<ReadonlyMap<string, number>> {
	const shapes = await describeTables(engineOf(from) === "sqlite" ? from : to);
	const counts = new Map<string, number>();
	await to.transaction().execute(async (trx) => {
		await withoutGuards(trx, async () => {
			for (const { name } of shapes.toReversed()) await sql`delete from ${sql.table(name)}`.execute(trx);
		});
		for (const shape of shapes) {
			let count = 0;
			for await (const rows of pagesOf(from, shape)) {
				await insert(trx, shape, rows);
				count += rows.length;
			}
			counts.set(shape.name, count);
			await moveCounter(from, trx, shape);
		}
	});
	return counts;
}

/** The rows in the order of their keys, so that each page begins where the one before ended. */
async function* pagesOf(from: Metadata, { name, columns, key }: TableShape): AsyncGenerator<Row[]> {
	const order = sql.join(key.map((column) => sql.ref(column)));
	let last: Row | undefined;
	for (;;) {
		const after: Row | undefined = last;
		const behind =
			after === undefined ? sql`` : sql`where (${order}) > (${sql.join(key.map((column) => sql`${after[column]}`))})`;
		const { rows } = await sql<Row>`
			select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)} ${behind}
			order by ${order} limit ${sql.lit(ROWS)}`.execute(from);
		if (rows.length > 0) yield rows;
		if (rows.length < ROWS) return;
		last = rows.at(-1);
	}
}

async function insert(to: Metadata, { name, columns }: TableShape, rows: readonly Row[]): Promise<void> {
	const atOnce = Math.max(1, Math.floor(VALUES / columns.length));
	for (let first = 0; first < rows.length; first += atOnce) {
		const values = rows
			.slice(first, first + atOnce)
			.map((row) => sql`(${sql.join(columns.map((column) => sql`${row[column] ?? null}`))})`);
		const names = sql.join(columns.map((column) => sql.ref(column)));
		await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(to);
	}
}

/** The audit log refuses that anything is taken from it; a new copy has nothing to protect. */
async function withoutGuards(to: Metadata, work: () => Promise<void>): Promise<void> {
	const isSqlite = engineOf(to) === "sqlite";
	const { rows } = isSqlite
		? await sql<{ name: string; table: string; sql: string }>`
			select name, tbl_name as "table", sql from sqlite_schema where type = 'trigger'`.execute(to)
		: await sql<{ name: string; table: string; sql: string }>`
			select distinct t.tgname as name, c.relname as "table", '' as sql
			from pg_trigger t join pg_class c on c.oid = t.tgrelid
			where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace`.execute(to);
	for (const { name, table } of rows) {
		if (isSqlite) await sql`drop trigger ${sql.ref(name)}`.execute(to);
		else await sql`alter table ${sql.table(table)} disable trigger ${sql.ref(name)}`.execute(to);
	}
	await work();
	for (const trigger of rows) {
		if (isSqlite) await sql.raw(trigger.sql).execute(to);
		else await sql`alter table ${sql.table(trigger.table)} enable trigger ${sql.ref(trigger.name)}`.execute(to);
	}
}

/** Numbers that were given once are never given again, also those of rows that are gone. */
async function moveCounter(from: Metadata, to: Metadata, { name, counted }: TableShape): Promise<void> {
	if (counted === undefined) return;
	const last = await lastNumber(from, name, counted);
	if (last === undefined) return;
	if (engineOf(to) === "postgresql") {
		await sql`select setval(pg_get_serial_sequence(${name}, ${counted}), ${last})`.execute(to);
		return;
	}
	await sql`delete from sqlite_sequence where name = ${name}`.execute(to);
	await sql`insert into sqlite_sequence (name, seq) values (${name}, ${last})`.execute(to);
}

async function lastNumber(from: Metadata, name: string, counted: string): Promise<number | undefined> {
	const { rows } =
		engineOf(from) === "sqlite"
			? await sql<{ last: number | null }>`select seq as last from sqlite_sequence where name = ${name}`.execute(from)
			: await sql<{ last: number | null }>`
				select pg_sequence_last_value(pg_get_serial_sequence(${name}, ${counted})::regclass) as last`.execute(from);
	const last = rows[0]?.last;
	return last === null || last === undefined ? undefined : Number(last);
}

/** The tables whose rows differ in two stores, one of which is SQLite, by number and content. */
export async function differingTables(expected: Metadata, found: Metadata) {
	const differing: { readonly table: string; readonly expected: number; readonly found: number }[] = [];
	for (const shape of await shapesOf(expected, found)) {
		const [one, other] = [await digest(expected, shape), await digest(found, shape)];
		if (one.rows !== other.rows || one.sum !== other.sum) {
			differing.push({ table: shape.name, expected: one.rows, found: other.rows });
		}
	}
	return differing;
}

/** The tables of a store that hold rows; `other` has the same tables, and one of the two is SQLite. */
export async function filledTables(metadata: Metadata, other: Metadata): Promise<string[]> {
	const filled: string[] = [];
	for (const { name } of await shapesOf(metadata, other)) {
		const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(metadata);
		if (rows.length > 0) filled.push(name);
	}
	return filled;
}

const shapesOf = (one: Metadata, other: Metadata): Promise<TableShape[]> =>
	describeTables(engineOf(one) === "sqlite" ? one : other);

/** Equal on two engines with the same rows, in any order. */
async function digest(metadata: Metadata, shape: TableShape) {
	let [rows, sum] = [0, 0n];
	for await (const page of pagesOf(metadata, shape)) {
		rows += page.length;
		for (const row of page) {
			const text = JSON.stringify(shape.columns.map((column) => row[column] ?? null));
			sum += createHash("sha256").update(text).digest().readBigUInt64LE();
		}
	}
	return { rows, sum: BigInt.asUintN(64, sum) };
}
