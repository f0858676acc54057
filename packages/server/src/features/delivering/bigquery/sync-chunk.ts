import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { SiteRow } from "../../tenancy/sites/index.ts";
import type { BigQueryDeps } from "./deps.ts";
import { GoogleError } from "./google/send.ts";
import type { SyncRow } from "./store.ts";
import { type Days, rangeOf } from "./sync-days.ts";
import { countryRows, type FactSite, factRows, heldDays } from "./warehouse/fact-rows.ts";
import {
	type Amount,
	type Loaded,
	linesOf,
	loadRows,
	placeRows,
	type Replacement,
	type Warehouse,
	type WarehouseTable,
} from "./warehouse/replace-rows.ts";
import { accountsTable, countriesTable, factTables, metadataTable } from "./warehouse/warehouse-tables.ts";

export type Amounts = Readonly<Record<string, Amount>>;

export const amountsOf = ({ tables_synced: amounts }: SyncRow) => JSON.parse(amounts) as Amounts;

export function sumOf(parts: readonly Amounts[]): Amounts {
	const sum: Record<string, Amount> = {};
	for (const [table, { rows, bytes }] of parts.flatMap((part) => Object.entries(part))) {
		sum[table] = { rows: (sum[table]?.rows ?? 0) + rows, bytes: (sum[table]?.bytes ?? 0) + bytes };
	}
	return sum;
}

const replacementOf = (sync: Pick<SyncRow, "sync_id" | "site_id" | "started_at">, days: Days): Replacement => ({
	...days,
	syncId: sync.sync_id,
	siteId: sync.site_id,
	syncedAt: timestamp(sync.started_at),
});

/**
 * Replaces some days of a site in all its tables. They are read and uploaded one after the other, so that a sync uses
 * one place of the engine; BigQuery processes them in parallel. Throws failures of the whole sync: temporary ones and a
 * refused key. Failures of one table are returned.
 */
export async function syncChunk(
	deps: Pick<BigQueryDeps, "eventStore" | "clock"> & { readonly warehouse: Warehouse; readonly signal: AbortSignal },
	sync: SyncRow,
	site: FactSite,
	days: Days,
): Promise<{ readonly amounts: Amounts; readonly error: string | undefined }> {
	const types = JSON.parse(sync.data_types) as string[];
	const faults: string[] = [];
	const loaded: { readonly rows: Loaded; readonly replacement: Replacement }[] = [];
	for (const table of factTables) {
		const held = types.includes(table.dataType ?? "") ? heldDays(table, site, deps.clock, rangeOf(days)) : undefined;
		if (held === undefined) continue;
		const replacement = replacementOf(sync, { from: held.start.toString(), to: held.end.toString() });
		const source = factRows(deps, table, site.id, held, deps.signal);
		const rows = await noting(table.name, faults, () => loadRows(deps.warehouse, table, sync.sync_id, source));
		if (rows !== undefined) loaded.push({ rows, replacement });
	}
	const placed = await Promise.allSettled(
		loaded.map(({ rows, replacement }) =>
			noting(rows.table.name, faults, async () => {
				await placeRows(deps.warehouse, rows, replacement);
				return { [rows.table.name]: rows.amount };
			}),
		),
	);
	const amounts = placed.map((one) => {
		if (one.status === "rejected") throw one.reason;
		return one.value ?? {};
	});
	return { amounts: sumOf(amounts), error: faults.length === 0 ? undefined : faults.join("; ") };
}

async function noting<T>(table: string, faults: string[], work: () => Promise<T>): Promise<T | undefined> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof GoogleError) || error.fault !== "invalid") throw error;
		faults.push(`${table}: ${error.detail}`);
		return undefined;
	}
}

async function replaceAll(warehouse: Warehouse, sync: SyncRow, table: WarehouseTable, rows: readonly object[]) {
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

type SyncEnd = Pick<SyncRow, "status" | "error_message"> & {
	readonly completed_at: number;
	readonly amounts: Amounts;
};

export const totalsOf = (amounts: Amounts) => ({
	rows: Object.values(amounts).reduce((sum, { rows }) => sum + rows, 0),
	bytes: Object.values(amounts).reduce((sum, { bytes }) => sum + bytes, 0),
});

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
