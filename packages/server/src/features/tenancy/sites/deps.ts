import type { SiteActivity } from "../../../analytics/query/reports/site-days.ts";
import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import type { PlanTier } from "../organizations/index.ts";
import type { SiteDirectory } from "./facts/site-directory.ts";

/** Accepted and rejected hits of a stretch of time. */
export interface RejectionWindow {
	readonly accepted: number;
	readonly rejected: number;
	readonly reasons: readonly {
		readonly reason: string;
		readonly count: number;
		/** True for accepted hits, of which a part does not count. */
		readonly counted?: true;
		/** Scheme, host and port of the pages that the hits came from, at most ten. */
		readonly origins: readonly { readonly origin: string; readonly count: number }[];
	}[];
}

/** Counts of all collectors for a site, by minute, up to a day; undefined without a collector. */
export type CountedHits = (siteId: string) => Promise<((minutes: number) => RejectionWindow) | undefined>;

export interface SiteChangeDeps extends ChangeDeps {
	/** Refreshed after each change, so that the collector knows it. */
	readonly sites: Pick<SiteDirectory, "refresh">;
}

export interface SiteDeps extends SiteChangeDeps {
	/** Plan of an organization made with a user's first site. */
	readonly defaultPlan: PlanTier;
}

export interface SiteRouteDeps extends SiteDeps {
	/** Address under which browsers reach the service, when it is configured; without a slash at its end. */
	readonly publicUrl: string | undefined;
	/** First and last hit of a site. */
	readonly activity: (siteId: string) => Promise<SiteActivity>;
	/** The first day with data of each site that has any, by slug. */
	readonly firstDays: (sites: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, string>>;
	/** How often the script of a site was asked for since the collectors began, and when last; undefined when never. */
	readonly scriptRequests: (siteId: string) => Promise<{ readonly count: number; readonly lastAt: number } | undefined>;
	readonly mailer: Pick<Mailer, "queue">;
	readonly rootUrl: string;
	readonly guardedFetch: Pick<GuardedFetch, "urlFault" | "send">;
	readonly rejections: CountedHits;
}
