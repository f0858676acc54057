import type { Row } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export const integrations = tableOf("bigquery_integrations");
export const syncs = tableOf("bigquery_syncs");

export type IntegrationRow = Row<"bigquery_integrations">;
export type SyncRow = Row<"bigquery_syncs">;

/** Changes a sync while it runs; undefined when it does no longer. */
export const updateRunning = (
	metadata: Metadata,
	syncId: string,
	changes: Partial<SyncRow>,
): Promise<SyncRow | undefined> => syncs.update(metadata, { sync_id: syncId, status: "running" }, changes);
