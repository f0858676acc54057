import { registerDataKeeping } from "../../features/tenancy/data-keeping/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";
import { dataEndings, forgetAtCollectors } from "../forgetting.ts";

/** How long data are kept, and how they are deleted wherever they lie. */
export function registerKeeping(api: App, deps: RouteDeps): void {
	const { config, metadata, clock, log, sites, jobs, storedEvents, revisions } = deps;
	registerDataKeeping(api, {
		metadata,
		clock,
		log,
		sites,
		jobs,
		eventStore: storedEvents,
		revisions,
		cluster: config.clickhouseCluster,
		collectors: forgetAtCollectors(deps),
		endings: dataEndings(deps),
	});
}
