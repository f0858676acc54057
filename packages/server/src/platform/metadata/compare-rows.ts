import { createHash } from "node:crypto";
import { sql } from "kysely";
import { pagesOf } from "./copy-rows.ts";
import { engineOf } from "./engine-of.ts";
import type { Metadata } from "./metadata.ts";
import { describeTables, type TableShape } from "./table-shapes.ts";

/** A digest that is equal on two engines with the same rows, in any order. */
interface Digest {
	readonly rows: number;
	readonly sum: bigint;
}

/** A table that is not the same in two stores. */
export interface DifferingTable {
	readonly table: string;
	readonly expected: number;
	readonly found: number;
}

/** The tables whose rows differ in two stores, one of which is SQLite, by number and content. */
export async function differingTables(expected: Metadata, found: Metadata): Promise<DifferingTable[]> {
	const differing: DifferingTable[] = [];
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

async function digest(metadata: Metadata, shape: TableShape): Promise<Digest> {
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
