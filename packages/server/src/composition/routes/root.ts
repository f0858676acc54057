import { sql } from "kysely";
import packageInfo from "../../../package.json" with { type: "json" };
import { registerTrackerScript } from "../../features/collecting/tracker-script/index.ts";
import { registerConsentPages } from "../../features/connecting/consent-pages/index.ts";
import { registerMcp } from "../../features/connecting/mcp/index.ts";
import { registerDiscovery } from "../../features/connecting/oauth/index.ts";
import { registerMailRecipients } from "../../features/delivering/mail-recipients/index.ts";
import { registerUnsubscribe } from "../../features/delivering/mail-reports/index.ts";
import { countDeliveries } from "../../features/delivering/webhooks/index.ts";
import { selectLastRun } from "../../features/operating/backup/index.ts";
import { registerDashboard } from "../../features/operating/dashboard/index.ts";
import { frontPage, registerFrontPage } from "../../features/operating/front-page/index.ts";
import { registerHealth } from "../../features/operating/health/index.ts";
import { registerHelp } from "../../features/operating/help/index.ts";
import { type MetricsDeps, registerMetrics } from "../../features/operating/metrics/index.ts";
import { registerSetup } from "../../features/people/auth/index.ts";
import { registerLinkPages } from "../../features/tenancy/link-pages/index.ts";
import { lookAtLink } from "../../features/tenancy/share-links/index.ts";
import { diskRoom } from "../../platform/files/disk-room.ts";
import type { App } from "../../platform/http/app.ts";
import { countJobs, oldestDueJob } from "../../platform/jobs/job-overview.ts";
import { residentBytes } from "../../platform/lib/memory.ts";
import type { RouteDeps } from "../app-deps.ts";
import { collectKey } from "../collector.ts";
import { healthDeps } from "../health.ts";
import { serviceConfig } from "./service-config.ts";

/** Every route at the root of the host. Each slice sees of `deps` what its own type names. */
export function registerRootRoutes(app: App, deps: RouteDeps): void {
	const { config, dashboard, help, isWithoutAccount } = deps;
	const hasDashboard = dashboard !== undefined;
	const hasHelp = help !== undefined;
	registerHealth(app, healthDeps(deps));
	deps.metrics.read(metricsOf(deps));
	registerMetrics(app, { ...deps, environment: config.nodeEnv, metricsToken: config.metricsToken });
	registerFrontPage(app, { isWithoutAccount, hasDashboard, hasHelp });
	if (dashboard !== undefined) {
		registerDashboard(app, {
			dashboard,
			config: async () => ({
				...serviceConfig(config),
				setup_required: await isWithoutAccount().catch(() => false),
			}),
			setupPage: frontPage({ isWithoutAccount: true, hasDashboard, hasHelp }),
			sharedLink: (token) => lookAtLink(deps, token),
		});
	}
	if (help !== undefined) registerHelp(app, { help });
	registerTrackerScript(app, { ...deps, secret: collectKey(deps.secretKey), requests: deps.scriptRequests });
	registerSetup(app, { ...deps, hasDashboard });
	registerLinkPages(app, { ...deps, hasDashboard });
	registerMailRecipients(app, deps);
	registerUnsubscribe(app, deps);
	registerDiscovery(app, deps);
	registerConsentPages(app, deps);
	registerMcp(app, { ...deps, version: packageInfo.version });
}

function metricsOf({ config, clock, metadata, collecting, storeProcess, certificates }: RouteDeps): MetricsDeps {
	return {
		version: packageInfo.version,
		roles: config.roles,
		hits: () => collecting?.collector.outcomes,
		spool: () => collecting?.collector.spoolState,
		storeBytes: async () => {
			const pid = storeProcess();
			return pid === undefined ? undefined : residentBytes(pid);
		},
		diskFreeBytes: async () => (await diskRoom(config.dataDir)).freeBytes,
		certificate: () => certificates && { endsAt: certificates.current()?.endsAt, failures: certificates.failures() },
		accountsAnswer: async () => {
			await sql`select 1`.execute(metadata);
		},
		sessionsAway: () => collecting?.sharedSessions.isAway(),
		clockMs: () => clock.now(),
		jobs: () => countJobs(metadata),
		jobDueSeconds: async () => {
			const now = clock.now();
			return Math.max(0, now - ((await oldestDueJob(metadata, now)) ?? now)) / 1000;
		},
		backups: async () => {
			const [last, done] = [await selectLastRun(metadata), await selectLastRun(metadata, "done")];
			return last && { isFailed: last.status === "failed", doneAtMs: done?.ended_at, bytes: done?.bytes ?? undefined };
		},
		deliveries: () => countDeliveries(metadata),
	};
}
