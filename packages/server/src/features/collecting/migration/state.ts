import { presentRow } from "../../../platform/http/present-row.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findSiteImport, type ImportRow } from "../imports/index.ts";
import { Job, Progress } from "./schemas.ts";
import { type FetchedByKind, type MigrationRow, updateUnfinished } from "./store.ts";

interface MigrationState {
	readonly row: MigrationRow;
	readonly imported: ImportRow | undefined;
	readonly percent: number;
}

/** Share of fetching in the whole, in percent. */
const FETCHING = 80;

/** The state of a job; once its rows are fetched, its import decides it, and its end is noted in the job. */
export async function stateOf(metadata: Metadata, row: MigrationRow): Promise<MigrationState> {
	const imported = await findSiteImport(metadata, row.site_id, row.import_id);
	const ended = row.status === "running" ? endOf(imported) : undefined;
	const settled = (ended && (await updateUnfinished(metadata, row.id, ended))) ?? row;
	return { row: settled, imported, percent: percentOf(settled, imported) };
}

function endOf(imported: ImportRow | undefined): Partial<MigrationRow> | undefined {
	if (imported === undefined) return undefined;
	const { status, error_message, completed_at } = imported;
	if (status === "failed" || status === "cancelled") return { status, error_message, completed_at, current_step: null };
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

export function presentJob({ row, percent }: MigrationState) {
	const kinds = JSON.parse(row.kinds) as string[];
	return presentRow(Job, {
		...row,
		account_id: row.site_id,
		migrate_conversions: kinds.includes("conversions"),
		migrate_microconversions: kinds.includes("microconversions"),
		migrate_pageviews: kinds.includes("pageviews"),
		progress: percent,
	});
}

export function presentProgress({ row, percent }: MigrationState, nowMs: number) {
	const fetched = JSON.parse(row.fetched) as FetchedByKind;
	return presentRow(Progress, {
		...row,
		conversions_progress: presentKind(fetched.conversions),
		microconversions_progress: presentKind(fetched.microconversions),
		pageviews_progress: presentKind(fetched.pageviews),
		overall_percent: percent,
		estimated_completion: estimated(row, percent, nowMs),
	});
}

const presentKind = ({ total, migrated }: FetchedByKind["pageviews"]) => ({
	total,
	migrated,
	percent: total === 0 ? 0 : Math.floor((100 * migrated) / total),
});

function estimated({ status, started_at }: MigrationRow, percent: number, nowMs: number): number | null {
	if (status !== "running" || started_at === null || percent === 0) return null;
	return Math.round(nowMs + ((nowMs - started_at) * (100 - percent)) / percent);
}
