import { presentRow } from "../../../platform/http/present-row.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { addressOf, datasetRef } from "./open-warehouse.ts";
import { type DataType, Integration, Log, Retry, Sync } from "./schemas.ts";
import type { IntegrationRow, SyncRow } from "./store.ts";
import { type Amounts, totalsOf } from "./sync-chunk.ts";
import type { Days, FailedDays } from "./sync-days.ts";
import { schemaOf } from "./warehouse/replace-rows.ts";
import { warehouseTables } from "./warehouse/warehouse-tables.ts";

const refOf = (row: IntegrationRow): string => datasetRef(addressOf(row));
const tablesOf = (row: IntegrationRow) => JSON.parse(row.tables_created) as string[];

export const presentIntegration = (row: IntegrationRow) => ({
	...presentRow(Integration, row),
	account_id: row.site_id,
	data_types: JSON.parse(row.data_types) as DataType[],
	setup_completed: row.setup_completed_at !== null,
	tables_created: tablesOf(row),
});

export const presentConnected = (row: IntegrationRow) => ({
	integration: presentIntegration(row),
	dataset_ref: refOf(row),
	tables_created: tablesOf(row),
	message: `${refOf(row)} is ready; the first sync has begun, GET /integrations/bigquery/logs shows its progress`,
});

export const presentSetup = (row: IntegrationRow) => ({
	status: "completed" as const,
	dataset_ref: refOf(row),
	tables_created: tablesOf(row),
	location: row.location,
	message: `${refOf(row)} has its ${tablesOf(row).length} tables`,
});

const secondsOf = ({ started_at, completed_at }: SyncRow): number | null =>
	completed_at === null ? null : Math.round((completed_at - started_at) / 1000);

const amountsOf = ({ tables_synced: synced }: SyncRow) => {
	const tables = JSON.parse(synced) as Amounts;
	return { tables, ...totalsOf(tables) };
};

export function presentLog(row: SyncRow) {
	const { tables, rows, bytes } = amountsOf(row);
	return {
		...presentRow(Log, row),
		sync_started_at: timestamp(row.started_at),
		sync_completed_at: timestampOrNull(row.completed_at),
		tables_synced: Object.keys(tables).length === 0 ? null : tables,
		total_rows_synced: rows,
		total_bytes_synced: bytes,
		total_chunks: chunksIn(row),
		completed_chunks: row.chunks_done,
		failed_chunks: presentFailed(row),
		duration_seconds: secondsOf(row),
	};
}

const chunksIn = ({ chunks }: SyncRow): number => (JSON.parse(chunks) as Days[]).length;

const presentFailed = (row: SyncRow) =>
	(JSON.parse(row.failed_chunks) as FailedDays[]).map(({ from, to, error }) => ({
		date_from: from,
		date_to: to,
		error,
	}));

function messageOf(row: SyncRow, rows: number): string {
	if (row.status === "running") {
		return `The sync goes on in the background; GET /integrations/bigquery/logs/${row.id} shows its progress`;
	}
	if (row.status === "success") return `${rows} rows were synced`;
	return row.error_message ?? `The sync is ${row.status}`;
}

export function presentSync(row: SyncRow) {
	const { tables, rows, bytes } = amountsOf(row);
	return {
		...presentRow(Sync, row),
		log_id: row.id,
		tables,
		total_rows: rows,
		total_bytes: bytes,
		duration_seconds: secondsOf(row),
		message: messageOf(row, rows),
	};
}

export const presentBackfill = (row: SyncRow) => ({
	...presentSync(row),
	total_chunks: chunksIn(row),
	failed_chunks: presentFailed(row),
});

export const presentRetry = (row: SyncRow, originalLogId: number) => ({
	...presentRow(Retry, row),
	original_log_id: originalLogId,
	new_sync_id: row.sync_id,
	total_rows: amountsOf(row).rows,
	message: messageOf(row, amountsOf(row).rows),
});

export const presentSchema = () => ({
	tables: Object.fromEntries(
		warehouseTables.map((table) => [
			table.name,
			{
				description: table.description,
				data_type: table.dataType,
				schema: schemaOf(table),
				partition_field: table.partition,
				clustering_fields: [...table.clustering],
				partition_expiration_days: table.expirationDays ?? null,
			},
		]),
	),
});
