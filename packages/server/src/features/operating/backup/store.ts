import type { NewRow, Row } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

const runs = tableOf("backup_runs");

/** So many runs are remembered. */
const KEPT = 500;

export type BackupRun = Row<"backup_runs">;

export async function insertRun(metadata: Metadata, run: NewRow<"backup_runs">): Promise<void> {
	const { id } = await runs.insert(metadata, run);
	await runs.drop(metadata, { id: { "<=": id - KEPT } });
}

/** The last run, or the last that ended in a way. */
export const selectLastRun = (metadata: Metadata, status?: BackupRun["status"]): Promise<BackupRun | undefined> =>
	runs.find(metadata, status === undefined ? {} : { status }, "id desc");
