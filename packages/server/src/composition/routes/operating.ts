import { selectLastRun } from "../../features/operating/backup/index.ts";
import { registerClientAddress } from "../../features/operating/client-address/index.ts";
import { registerJobQueue } from "../../features/operating/job-queue/index.ts";
import { registerServiceConfig } from "../../features/operating/service-config/index.ts";
import { registerSystem } from "../../features/operating/system/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";
import { healthOf } from "./health-of.ts";
import { serviceConfig } from "./service-config.ts";

/** Routes for the operator, and public ones. */
export function registerOperating(api: App, deps: RouteDeps): void {
	const { config, metadata, clock, storedEvents, jobs, rootUrl, isWithoutAccount, collecting, storeProcess } = deps;
	registerClientAddress(api);
	registerServiceConfig(api, { config: serviceConfig(config), isWithoutAccount });
	registerSystem(api, {
		metadata,
		storedEvents,
		clock,
		jobs,
		config,
		rootUrl,
		health: healthOf(deps),
		spool: () => collecting?.collector.spoolState,
		storeProcess,
		lastBackup: (status) => selectLastRun(metadata, status),
	});
	registerJobQueue(api, { metadata, clock });
}
