import packageInfo from "../../../package.json" with { type: "json" };
import { registerSetup } from "../../features/accounts/auth/index.ts";
import { registerLinkPages } from "../../features/accounts/link-pages/index.ts";
import { registerTrackerScript } from "../../features/collecting/tracker-script/index.ts";
import { registerConsentPages } from "../../features/connecting/consent-pages/index.ts";
import { registerMcp } from "../../features/connecting/mcp/index.ts";
import { endGrantsOf, registerDiscovery } from "../../features/connecting/oauth/index.ts";
import { registerMailRecipients } from "../../features/delivering/mail-recipients/index.ts";
import { registerUnsubscribe } from "../../features/delivering/mail-reports/index.ts";
import { registerHealth } from "../../features/operating/health/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";
import { collectKey } from "../collector.ts";
import { healthDeps } from "../health.ts";
import type { InMemory } from "../in-memory.ts";

/** Every route at the root of the host: one register line a slice. */
export function registerRootRoutes(app: App, deps: RouteDeps, { sites, collecting }: InMemory): void {
	const { config, clock } = deps;
	registerHealth(app, healthDeps({ ...deps, spool: () => collecting?.collector.spoolState }));
	registerTrackerScript(app, { sites, secret: collectKey(config.secretKey), clock, publicUrl: config.publicUrl });
	registerSetup(app, deps);
	registerLinkPages(app, { ...config, ...deps, sites, endGrantsOf });
	registerMailRecipients(app, { ...config, ...deps, sites });
	registerUnsubscribe(app, { ...config, ...deps, sites });
	registerDiscovery(app, deps);
	registerConsentPages(app, { ...config, ...deps, sites, allowLocalhost: config.nodeEnv !== "production" });
	registerMcp(app, { ...deps, version: packageInfo.version });
}
