import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Routes } from "../../api/api.generated.ts";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { saved, useChange } from "../../ui/form/use-change.ts";
import { t } from "./texts.ts";

/** Props shared by the parts of the screen. */
export interface PartProps {
	readonly integration: Integration;
	readonly changes: ReturnType<typeof useBigQuery>;
}

/** The integration of a site. */
export type Integration = NonNullable<Answer<"GET /integrations/bigquery">>;
/** A sync. */
export type Sync = Answer<"GET /integrations/bigquery/logs">["logs"][number];
/** Input for a new connection. */
export type ConnectInput = Routes["POST /integrations/bigquery"]["body"];
/** Editable fields. */
export type Changes = Routes["PATCH /integrations/bigquery"]["body"];
/** A kind of data. */
export type DataType = Integration["data_types"][number];

export const dataTypes = [
	"traffic",
	"traffic_hourly",
	"pages",
	"landing_pages",
	"conversions",
	"microconversions",
	"accounts",
] as const satisfies readonly DataType[];
export const locations = ["EU", "US", "europe-west1", "us-central1", "us-east1"] as const;
export const frequencies = ["hourly", "daily", "manual"] as const;

const everyMs = 2_000;
/** As many syncs as a page of the log has. */
export const pageSize = 10;
const stale = [
	"GET /integrations/bigquery",
	"GET /integrations/bigquery/logs",
	"GET /integrations/bigquery/logs/{log_id}",
] as const;

/** True while a sync is worked on. */
export const isRunning = ({ status }: Pick<Sync, "status">): boolean => status === "running";

/** The integration; null when there is none. */
export const integrationQuery = (site: string, isBusy = false) =>
	queryOptions({
		...read("GET /integrations/bigquery", { query: { account_id: site } }),
		refetchInterval: isBusy ? everyMs : false,
	});

/** A page of the log; looked at again while something runs or is about to. */
export const logsQuery = (site: string, page: number, isBusy: boolean) =>
	queryOptions({
		...read("GET /integrations/bigquery/logs", {
			query: { account_id: site, limit: pageSize, offset: (page - 1) * pageSize },
		}),
		placeholderData: keepPreviousData,
		refetchInterval: ({ state }) => (isBusy || state.data?.logs.some(isRunning) ? everyMs : false),
	});

/** One sync with its tables and parts. */
export const logQuery = (site: string, { id, status }: Sync) =>
	queryOptions({
		...read("GET /integrations/bigquery/logs/{log_id}", { path: { log_id: id }, query: { account_id: site } }),
		refetchInterval: status === "running" ? everyMs : false,
	});

/** The tables and their columns. */
export const schemaQuery = read("GET /integrations/bigquery/schema");

/** Actions on the integration of a site. */
export function useBigQuery(site: string) {
	const query = { account_id: site };
	const told = (status: Sync["status"]) => (status === "running" ? t.goesOn : t.synced);
	return {
		connect: useChange({
			run: (body: ConnectInput) => call("POST /integrations/bigquery", { query, body }),
			stale,
			done: ({ dataset_ref, tables_created }) => t.connected(dataset_ref, tables_created.length),
		}),
		change: useChange({
			run: (body: Changes) => call("PATCH /integrations/bigquery", { query, body }),
			stale,
			done: saved,
		}),
		disconnect: useChange({
			run: (_: undefined) => call("DELETE /integrations/bigquery", { query }),
			// A sync that is looked at has gone with the log: to ask for it again would be answered 404.
			stale: ["GET /integrations/bigquery", "GET /integrations/bigquery/logs"],
			done: () => t.disconnected,
		}),
		setUp: useChange({
			run: (_: undefined) => call("POST /integrations/bigquery/setup", { query }),
			stale,
			done: ({ tables_created }) => t.setUpDone(tables_created.length),
		}),
		sync: useChange({
			run: (_: undefined) => call("POST /integrations/bigquery/sync", { query, body: {} }),
			stale,
			done: ({ status }) => told(status),
		}),
		backfill: useChange({
			run: (body: Routes["POST /integrations/bigquery/backfill"]["body"]) =>
				call("POST /integrations/bigquery/backfill", { query, body }),
			stale,
			done: ({ status }) => told(status),
		}),
		retry: useChange({
			run: (id: number) => call("POST /integrations/bigquery/retry/{log_id}", { path: { log_id: id }, query }),
			stale,
			done: ({ status }) => told(status),
		}),
	};
}
