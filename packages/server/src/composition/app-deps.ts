import type { AttributionDirectory } from "../features/collecting/attribution-settings/index.ts";
import { readHitCounts, readScriptRequests } from "../features/collecting/collector-counts/index.ts";
import type { ScriptRequestCount, ScriptRequests } from "../features/collecting/tracker-script/index.ts";
import { endGrantsOf } from "../features/connecting/oauth/index.ts";
import type { DomainEvents } from "../features/delivering/domain-events/index.ts";
import type { Dashboard } from "../features/operating/dashboard/index.ts";
import type { Help } from "../features/operating/help/index.ts";
import type { ServiceMetrics } from "../features/operating/metrics/index.ts";
import { hasSuperadmin } from "../features/people/users/index.ts";
import { findSegment } from "../features/reporting/segments/index.ts";
import type { IpAllowlists } from "../features/tenancy/ip-allowlist/index.ts";
import { wakeSite } from "../features/tenancy/provisioning/index.ts";
import type { CountedHits, SiteDirectory } from "../features/tenancy/sites/index.ts";
import { mayHavePeers } from "../platform/config/roles.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import type { EventStore } from "../platform/event-store/event-store.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { App } from "../platform/http/app.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Clock } from "../platform/lib/clock.ts";
import type { GuardedFetch, GuardedFetchOptions } from "../platform/outbound/guarded-fetch.ts";
import type { Mailer } from "../platform/outbound/mail/mailer.ts";
import type { Certificates } from "../platform/tls/certificates.ts";
import type { Collecting } from "./collector.ts";
import { organizationEndings } from "./organization-endings.ts";
import type { Stores } from "./stores.ts";

export interface InMemory {
	readonly sites: SiteDirectory;
	readonly attribution: AttributionDirectory;
	readonly ipAllowlists: IpAllowlists;
	/** Sites that requested the tracker script. */
	readonly scriptRequests: ScriptRequests;
	/** Figures of `/metrics`. */
	readonly metrics: ServiceMetrics;
	/** Those of its TLS server; undefined where TLS belongs to a proxy. */
	readonly certificates: Certificates | undefined;
	/** Undefined when it was not built. */
	readonly dashboard: Dashboard | undefined;
	/** Undefined when it was not built. */
	readonly help: Help | undefined;
	/** Undefined when this process does not collect. */
	readonly collecting: Collecting | undefined;
}

export interface AppDeps extends Omit<Stores, "close"> {
	readonly config: ReadyConfig;
	readonly clock: Clock;
	readonly log: App["log"];
	/** Opens the way to servers that users name, where it differs from the usual: for tests. */
	readonly openFetch?: (options: GuardedFetchOptions) => GuardedFetch;
	/** Where the built dashboard lies, where that is not its usual place: for tests. */
	readonly dashboardDir?: string;
	/** The same of the built help. */
	readonly helpDir?: string;
	/** Checks each answer against its declared schema: for tests. */
	readonly checkResponses?: boolean;
}

export interface Services {
	readonly jobs: Jobs;
	readonly mailer: Mailer;
	/** Domain events, for the slices that notify. */
	readonly events: DomainEvents;
	readonly files: FileStore;
	/** Those of imports, until their rows are written. */
	readonly importFiles: FileStore;
	/** The way to servers that users name. */
	readonly guardedFetch: GuardedFetch;
	/** The way to servers that the operator names, private ones too. */
	readonly operatorFetch: GuardedFetch;
	/** The address that links in mails lead to. */
	readonly rootUrl: string;
	/** Answers again what it was asked before. */
	readonly eventStore: EventStore;
	/** The same store without that. */
	readonly storedEvents: EventStore;
}

/** Values derived from configuration, state and other slices that several slices need. */
type Facts = ReturnType<typeof factsOf>;

/** Dependencies for registering routes. Each slice can use the ones that its own type names. */
export type RouteDeps = Omit<AppDeps, "openFetch" | "checkResponses" | "dashboardDir" | "helpDir"> &
	Services &
	InMemory &
	Facts;

/** Dependencies of signing in. */
export function authOf({ config, metadata, clock }: Pick<AppDeps, "config" | "metadata" | "clock">) {
	const { secretKey, cookieSecure, publicUrl } = config;
	return { metadata, clock, secretKey, cookieSecure, publicUrl };
}

export function factsOf(
	{ config, clock, metadata }: Pick<AppDeps, "config" | "clock" | "metadata">,
	{ collecting, scriptRequests, ipAllowlists }: Pick<InMemory, "collecting" | "scriptRequests" | "ipAllowlists">,
) {
	const { secretKeyPrevious, registration, defaultPlan, bigqueryUrl, legacyApiUrl } = config;
	// A single collector keeps its counts in memory; else those of all are in the store, once this process has written its own.
	const isAlone = !mayHavePeers(config);
	const hits = collecting?.collector.rejections;
	const rejections: CountedHits = async (siteId) => {
		if (isAlone) return hits && ((minutes) => hits.window(siteId, minutes, clock.now()));
		await collecting?.counts?.write();
		return readHitCounts({ metadata, clock }, siteId);
	};
	return {
		...authOf({ config, metadata, clock }),
		...{ secretKeyPrevious, registration, defaultPlan, bigqueryUrl, legacyApiUrl },
		...{ endGrantsOf, endings: organizationEndings, wakeSiteOf: wakeSite },
		segmentIdOf: async (siteId: string, idOrName: string) => (await findSegment({ metadata }, siteId, idOrName))?.id,
		siteAddresses: ipAllowlists.policy,
		/** True when plans are sold here. */
		requiresSubscription: config.stripeSecretKey !== undefined,
		/** True until the first account exists. */
		isWithoutAccount: async () => !(await hasSuperadmin(metadata)),
		rejections,
		/** How often the script of a site was asked for, of every collector; undefined when never. */
		scriptCounts: async (siteId: string): Promise<ScriptRequestCount | undefined> => {
			if (isAlone) return scriptRequests.of(siteId);
			await collecting?.counts?.write();
			return readScriptRequests(metadata, siteId);
		},
	};
}
