import type { PaymentPages } from "../../../analytics/attribution/payment-pages.ts";
import type { SiteDirectory } from "../../accounts/sites/index.ts";
import type { AttributionDirectory } from "../attribution-settings/index.ts";
import type { EventQuota } from "./event-quota.ts";
import type { FloodGuard } from "./flood-guard.ts";
import type { Hit } from "./hit.ts";
import type { RejectReason } from "./rejection.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import type { TokenCheck } from "./token-check.ts";
import type { VisitorSalts } from "./visitor-salts.ts";

/** What the steps need to know beyond the hit. */
export interface CollectContext {
	readonly sites: SiteDirectory;
	readonly attribution: Pick<AttributionDirectory, "get">;
	readonly sessions: SessionStore;
	readonly salts: VisitorSalts;
	readonly quota: EventQuota;
	readonly tokens: TokenCheck;
	readonly flood: FloodGuard;
	readonly paymentPages: PaymentPages;
}

/** A reason ends the way of a hit; undefined lets it go on. */
export type Outcome = RejectReason | undefined;

/** Looks at a hit and completes it. A promise only where something must be waited for. */
export type CollectStep = (hit: Hit, context: CollectContext) => Outcome | Promise<Outcome>;
