import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findSiteImport, type ImportRow } from "../imports/index.ts";
import type { FetchedByKind } from "./kinds.ts";
import { type MigrationRow, updateUnfinished } from "./store.ts";

/** A job as it stands: once its rows are fetched, its import says how it is. */
export interface MigrationState {
	readonly row: MigrationRow;
	readonly imported: ImportRow | undefined;
	readonly percent: number;
}

/** Share of fetching in the whole, in percent. */
const FETCHING = 80;

/** How a job stands, which is noted when its import has ended. */
export async function stateOf(metadata: Metadata, row: MigrationRow): Promise<MigrationState> {
	const imported = await findSiteImport(metadata, row.site_id, row.import_id);
	const ended = row.status === "running" ? endOf(imported) : undefined;
	const settled = (ended && (await updateUnfinished(metadata, row.id, ended))) ?? row;
	return { row: settled, imported, percent: percentOf(settled, imported) };
}

function endOf(imported: ImportRow | undefined): Partial<MigrationRow> | undefined {
	if (imported === undefined) return undefined;
	const { status, error_message, completed_at } = imported;
	if (status === "failed") return { status, error_message, completed_at, current_step: null };
	if (status === "cancelled") return { status, error_message, completed_at, current_step: null };
	if (status === "completed" || status === "undone") return { status: "completed", completed_at, current_step: null };
	return undefined;
}

function percentOf({ status, fetched }: MigrationRow, imported: ImportRow | undefined): number {
	if (status === "completed") return 100;
	if (imported !== undefined) {
		const share = imported.status === "importing" ? imported.progress_percent : 0;
		return Math.floor(FETCHING + (share * (99 - FETCHING)) / 100);
	}
	const kinds = Object.values(JSON.parse(fetched) as FetchedByKind);
	const total = kinds.reduce((sum, kind) => sum + kind.total, 0);
	const migrated = kinds.reduce((sum, kind) => sum + kind.migrated, 0);
	return total === 0 ? 0 : Math.floor((FETCHING * Math.min(migrated, total)) / total);
}
