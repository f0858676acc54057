/** BigQuery: the figures of sites, by the day, in tables of their owners. */

import type { App } from "../../../platform/http/app.ts";
import type { BigQueryDeps } from "./deps.ts";
import { registerRoutes } from "./routes.ts";
import { registerSyncJobs } from "./run-sync.ts";

/** Routes on integrations, and the syncs behind them. */
export function registerBigQuery(app: App, deps: BigQueryDeps): void {
	registerRoutes(app, deps);
	registerSyncJobs(deps);
}
