import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { SiteRow } from "../../tenancy/sites/index.ts";
import { type Amounts, replacementOf, sumOf } from "./sync-chunk.ts";
import type { SyncRow } from "./sync-store.ts";
import { countryRows } from "./warehouse/countries.ts";
import { linesOf, loadRows, placeRows, type Warehouse } from "./warehouse/replace-rows.ts";
import type { WarehouseTable } from "./warehouse/table.ts";
import { accountsTable, countriesTable, metadataTable } from "./warehouse/warehouse-tables.ts";

async function replaceAll(
	warehouse: Warehouse,
	sync: SyncRow,
	table: WarehouseTable,
	rows: readonly object[],
): Promise<Amounts> {
	const loaded = await loadRows(warehouse, table, sync.sync_id, linesOf(rows));
	await placeRows(warehouse, loaded, replacementOf(sync, { from: sync.date_from, to: sync.date_to }));
	return { [table.name]: loaded.amount };
}

/** Replaces what is known of the site itself. Countries never change: they come with what is no matter of every hour. */
export async function syncDimensions(warehouse: Warehouse, sync: SyncRow, site: SiteRow): Promise<Amounts> {
	const types = JSON.parse(sync.data_types) as string[];
	const account = {
		account_name: site.name,
		timezone: site.timezone,
		currency: site.currency,
		created_at: timestamp(site.created_at),
	};
	const accounts = types.includes("accounts") ? await replaceAll(warehouse, sync, accountsTable, [account]) : {};
	if (sync.sync_type === "incremental") return accounts;
	return sumOf([accounts, await replaceAll(warehouse, sync, countriesTable, countryRows)]);
}

/** How a sync ended. */
export type SyncEnd = Pick<SyncRow, "status" | "error_message"> & {
	readonly completed_at: number;
	readonly amounts: Amounts;
};

/** Totals of rows and bytes sent to BigQuery. */
export const totalsOf = (amounts: Amounts) => ({
	rows: Object.values(amounts).reduce((sum, { rows }) => sum + rows, 0),
	bytes: Object.values(amounts).reduce((sum, { bytes }) => sum + bytes, 0),
});

/** Notes in BigQuery how a sync ended. */
export async function noteInWarehouse(warehouse: Warehouse, sync: SyncRow, end: SyncEnd): Promise<void> {
	const { rows, bytes } = totalsOf(end.amounts);
	await replaceAll(warehouse, sync, metadataTable, [
		{
			sync_type: sync.sync_type,
			status: end.status,
			sync_started_at: timestamp(sync.started_at),
			sync_completed_at: timestamp(end.completed_at),
			date_from: sync.date_from,
			date_to: sync.date_to,
			tables_synced: end.amounts,
			total_rows_synced: rows,
			total_bytes_synced: bytes,
			error_message: end.error_message,
		},
	]);
}
