import { awaitCollectors } from "../../features/collecting/collector-progress/index.ts";
import { registerAlerts } from "../../features/delivering/alerts/index.ts";
import { registerBigQuery } from "../../features/delivering/bigquery/index.ts";
import { registerExports } from "../../features/delivering/exports/index.ts";
import { registerLens } from "../../features/delivering/lens/index.ts";
import { registerMailReports } from "../../features/delivering/mail-reports/index.ts";
import { registerWebhooks } from "../../features/delivering/webhooks/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";

/** Longer than hits take to reach the event store when it can take them. */
const STORED_WITHIN_MS = 15_000;

/** Files, and calls to servers that users name. */
export function registerOutgoing(api: App, deps: RouteDeps): void {
	const { config, metadata, eventStore, clock, log, jobs, mailer, files, events, rootUrl, guardedFetch } = deps;
	const { secretKey, secretKeyPrevious } = config;
	registerExports(api, {
		metadata,
		eventStore,
		clock,
		log,
		jobs,
		files,
		maxBytes: config.exportMaxBytes,
		events,
		secretKey,
		secretKeyPrevious,
		rootUrl,
		siteAddresses: deps.ipAllowlists.policy,
	});
	registerBigQuery(api, {
		metadata,
		eventStore: deps.storedEvents,
		clock,
		log,
		jobs,
		bigqueryUrl: config.bigqueryUrl,
		secretKey,
		secretKeyPrevious,
	});
	registerWebhooks(api, { metadata, clock, jobs, mailer, guardedFetch, secretKey, secretKeyPrevious });
}

/** Routes of mailed notices. */
export function registerNotices(api: App, deps: RouteDeps): void {
	const { config, metadata, eventStore, clock, log, jobs, mailer, sites, rootUrl } = deps;
	const { secretKey, secretKeyPrevious } = config;
	const mailing = { metadata, eventStore, clock, log, jobs, mailer, sites, rootUrl, secretKey, secretKeyPrevious };
	registerMailReports(api, mailing);
	const watching = {
		...mailing,
		refused: deps.rejections,
		isCaughtUp: (until: number) => isCaughtUp(deps, until),
	};
	registerAlerts(api, { ...watching, events: deps.events, outbound: deps.guardedFetch });
	registerLens(api, watching);
}

/** True once every hit that any collector accepted before a moment is in the event store. */
async function isCaughtUp(
	{ metadata, clock, collecting }: Pick<RouteDeps, "metadata" | "clock" | "collecting">,
	until: number,
): Promise<boolean> {
	const ownId = collecting?.progress.id;
	const others = { ...(ownId !== undefined && { ownId }), until, waitMs: STORED_WITHIN_MS };
	return (
		(collecting === undefined || (await collecting.collector.isCaughtUp(STORED_WITHIN_MS))) &&
		(await awaitCollectors({ metadata, clock }, others))
	);
}
