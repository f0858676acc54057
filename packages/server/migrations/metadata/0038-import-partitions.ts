import type { Kysely } from "kysely";
import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

interface Imports {
	readonly id: number;
	readonly report: string | null;
	readonly batches_done: number;
	readonly partitions: number;
}

/** How many partitions of the event store an import has: its months, which the reports of earlier ones tell. */
export const importPartitions: MetadataMigration = {
	name: "0038-import-partitions",
	up: async ({ db }) => {
		await db.schema
			.alterTable("imports")
			.addColumn("partitions", "integer", (column) => column.notNull().defaultTo(0))
			.execute();
		const store = db as unknown as Kysely<{ imports: Imports }>;
		const written = await store.selectFrom("imports").select("id").where("batches_done", ">", 0).execute();
		for (const { id } of written) {
			// Reports are long: one at a time.
			const row = await store.selectFrom("imports").select("report").where("id", "=", id).executeTakeFirst();
			const { by_day = [] } = JSON.parse(row?.report ?? "{}") as { by_day?: { date: string }[] };
			const months = new Set(by_day.map(({ date }) => date.slice(0, 7)));
			// One that failed may have no report.
			const partitions = Math.max(1, months.size);
			await store.updateTable("imports").set({ partitions }).where("id", "=", id).execute();
		}
	},
};
