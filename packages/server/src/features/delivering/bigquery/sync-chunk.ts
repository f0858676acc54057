import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { GoogleError } from "./google/google-error.ts";
import { type Days, rangeOf } from "./sync-days.ts";
import type { SyncRow } from "./sync-store.ts";
import { type FactSite, factRows, heldDays } from "./warehouse/fact-rows.ts";
import { type Amount, type Loaded, loadRows, placeRows, type Warehouse } from "./warehouse/replace-rows.ts";
import type { Replacement } from "./warehouse/table.ts";
import { factTables } from "./warehouse/warehouse-tables.ts";

/** Sent rows and bytes, by table. */
export type Amounts = Readonly<Record<string, Amount>>;

/** Amounts of several parts together. */
export function sumOf(parts: readonly Amounts[]): Amounts {
	const sum: Record<string, Amount> = {};
	for (const [table, { rows, bytes }] of parts.flatMap((part) => Object.entries(part))) {
		sum[table] = { rows: (sum[table]?.rows ?? 0) + rows, bytes: (sum[table]?.bytes ?? 0) + bytes };
	}
	return sum;
}

/** Parameters of a sync's statement. */
export const replacementOf = (sync: Pick<SyncRow, "sync_id" | "site_id" | "started_at">, days: Days): Replacement => ({
	...days,
	syncId: sync.sync_id,
	siteId: sync.site_id,
	syncedAt: timestamp(sync.started_at),
});

interface ChunkDeps {
	readonly eventStore: EventStore;
	readonly clock: Clock;
	readonly warehouse: Warehouse;
	readonly signal: AbortSignal;
}

/** Days that were replaced in BigQuery, and errors of the others. */
export interface ChunkEnd {
	readonly amounts: Amounts;
	readonly error: string | undefined;
}

/**
 * Replaces some days of a site in all its tables. They are read and uploaded one after the other, so that a sync uses
 * one place of the engine; BigQuery processes them in parallel. Throws failures of the whole sync: temporary ones and a
 * refused key. Failures of one table are returned.
 */
export async function syncChunk(deps: ChunkDeps, sync: SyncRow, site: FactSite, days: Days): Promise<ChunkEnd> {
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
