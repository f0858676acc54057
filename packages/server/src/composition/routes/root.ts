import packageInfo from "../../../package.json" with { type: "json" };
import { registerTrackerScript } from "../../features/collecting/tracker-script/index.ts";
import { registerConsentPages } from "../../features/connecting/consent-pages/index.ts";
import { registerMcp } from "../../features/connecting/mcp/index.ts";
import { endGrantsOf, registerDiscovery } from "../../features/connecting/oauth/index.ts";
import { registerMailRecipients } from "../../features/delivering/mail-recipients/index.ts";
import { registerUnsubscribe } from "../../features/delivering/mail-reports/index.ts";
import { registerDashboard } from "../../features/operating/dashboard/index.ts";
import { frontPage, registerFrontPage } from "../../features/operating/front-page/index.ts";
import { registerHealth } from "../../features/operating/health/index.ts";
import { registerHelp } from "../../features/operating/help/index.ts";
import { registerMetrics } from "../../features/operating/metrics/index.ts";
import { registerSetup } from "../../features/people/auth/index.ts";
import { registerLinkPages } from "../../features/tenancy/link-pages/index.ts";
import { wakeSite } from "../../features/tenancy/provisioning/index.ts";
import { lookAtLink } from "../../features/tenancy/share-links/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";
import { collectKey } from "../collector.ts";
import { authOf } from "./auth-of.ts";
import { healthOf } from "./health-of.ts";
import { metricsOf } from "./metrics-of.ts";
import { segmentIdsOf } from "./segment-ids.ts";
import { serviceConfig } from "./service-config.ts";

/** Dependencies of the account pages. */
type AccountPagesDeps = Pick<RouteDeps, "config" | "metadata" | "clock" | "mailer" | "rootUrl" | "sites"> & {
	readonly hasDashboard: boolean;
};

/** The pages that the first-run link and the links of mails open. */
function registerAccountPages(app: App, deps: AccountPagesDeps): void {
	const { config, mailer, rootUrl, sites, hasDashboard } = deps;
	const { secretKeyPrevious, registration } = config;
	const auth = authOf(deps);
	registerSetup(app, { ...auth, hasDashboard });
	registerLinkPages(app, {
		...auth,
		secretKeyPrevious,
		mailer,
		rootUrl,
		registration,
		sites,
		endGrantsOf,
		wakeSiteOf: wakeSite,
		hasDashboard,
	});
}

/** Every route at the root of the host. A slice is handed what its type names. */
export function registerRootRoutes(app: App, deps: RouteDeps): void {
	const { config, metadata, clock, eventStore, log, jobs, mailer, sites, rootUrl } = deps;
	const { dashboard, isWithoutAccount } = deps;
	const hasDashboard = dashboard !== undefined;
	const hasHelp = deps.help !== undefined;
	const { secretKey, secretKeyPrevious, publicUrl, defaultPlan, registration } = config;
	const auth = authOf(deps);
	registerHealth(app, healthOf(deps));
	deps.metrics.read(metricsOf(deps));
	registerMetrics(app, { metrics: deps.metrics, environment: config.nodeEnv, metricsToken: config.metricsToken });
	registerFrontPage(app, { isWithoutAccount, hasDashboard, hasHelp });
	if (dashboard !== undefined) {
		registerDashboard(app, {
			dashboard,
			config: async () => ({
				...serviceConfig(config),
				setup_required: await isWithoutAccount().catch(() => false),
			}),
			setupPage: frontPage({ isWithoutAccount: true, hasDashboard, hasHelp }),
			sharedLink: (token) => lookAtLink({ metadata, clock, segmentIdOf: segmentIdsOf(metadata) }, token),
		});
	}
	if (deps.help !== undefined) registerHelp(app, { help: deps.help });
	const requests = deps.scriptRequests;
	registerTrackerScript(app, { sites, secret: collectKey(secretKey), clock, requests, publicUrl });
	registerAccountPages(app, { ...deps, hasDashboard });
	const links = { rootUrl, secretKey, secretKeyPrevious };
	registerMailRecipients(app, { ...links, metadata, clock, sites, jobs });
	registerUnsubscribe(app, { ...links, metadata, eventStore, clock, log, jobs, mailer, sites });
	registerDiscovery(app, { rootUrl });
	registerConsentPages(app, {
		...auth,
		secretKeyPrevious,
		mailer,
		rootUrl,
		registration,
		sites,
		defaultPlan,
	});
	registerMcp(app, { metadata, clock, rootUrl, version: packageInfo.version });
}
