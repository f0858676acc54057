import type { SelectQueryBuilder } from "kysely";

/** Rows of a page: `limit` of them after `offset`. */
export interface PageRequest {
	readonly limit: number;
	readonly offset: number;
}

/** A page of the chosen rows, as `rows` selects and orders them, and how many there are in all. */
export async function pageOf<DB, TB extends keyof DB, Chosen, Row>(
	chosen: SelectQueryBuilder<DB, TB, Chosen>,
	rows: (chosen: SelectQueryBuilder<DB, TB, Chosen>) => SelectQueryBuilder<DB, TB, Row>,
	{ limit, offset }: PageRequest,
) {
	const count = chosen.select((query) => query.fn.countAll<number>().as("total"));
	const { total } = (await count.executeTakeFirstOrThrow()) as { readonly total: number };
	return { rows: await rows(chosen).limit(limit).offset(offset).execute(), total: Number(total) };
}

/** The request for a page by its number, from 1 on. */
export const numberedPage = (page: number, pageSize: number): PageRequest => ({
	limit: pageSize,
	offset: (page - 1) * pageSize,
});
