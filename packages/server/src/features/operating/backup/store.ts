import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** So many runs are remembered. */
const KEPT = 500;

export type BackupRun = Row<"backup_runs">;

export async function insertRun(metadata: Metadata, run: NewRow<"backup_runs">): Promise<void> {
	const { id } = await tableOf("backup_runs").insert(metadata, run);
	await tables(metadata)
		.deleteFrom("backup_runs")
		.where("id", "<=", id - KEPT)
		.execute();
}

/** The last run, or the last that ended in a way. */
export const selectLastRun = (metadata: Metadata, status?: BackupRun["status"]): Promise<BackupRun | undefined> =>
	tables(metadata)
		.selectFrom("backup_runs")
		.selectAll()
		.$if(status !== undefined, (query) => query.where("status", "=", status ?? "done"))
		.orderBy("id", "desc")
		.limit(1)
		.executeTakeFirst();
