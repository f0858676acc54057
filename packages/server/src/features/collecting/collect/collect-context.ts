import type { PaymentPages } from "../../../analytics/attribution/payment-pages.ts";
import type { SiteDirectory } from "../../tenancy/sites/index.ts";
import type { AttributionDirectory } from "../attribution-settings/index.ts";
import type { EventQuota } from "./event-quota.ts";
import type { FloodGuard } from "./flood-guard.ts";
import type { Hit } from "./hit.ts";
import type { NewcomerGuard } from "./newcomer-guard.ts";
import type { RejectReason } from "./rejection.ts";
import type { RejectionLog } from "./rejection-log.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import type { Spool } from "./spool/spool.ts";
import type { TokenCheck } from "./token-check.ts";
import type { VisitorSalts } from "./visitor-salts.ts";

/** Context of the steps beyond the hit. */
export interface CollectContext {
	readonly sites: Pick<SiteDirectory, "get">;
	readonly attribution: Pick<AttributionDirectory, "get">;
	readonly sessions: SessionStore;
	readonly salts: Pick<VisitorSalts, "on" | "refresh">;
	readonly quota: Pick<EventQuota, "hasRoom" | "count">;
	readonly tokens: TokenCheck;
	readonly flood: FloodGuard;
	readonly newcomers: NewcomerGuard;
	readonly paymentPages: PaymentPages;
	readonly spool: Pick<Spool, "accepts" | "append">;
	readonly rejections: RejectionLog;
	/** Largest amount of a conversion, of either sign. */
	readonly maxAmount: number;
	/** Until when sessions may be live that another day's salt named, on top of those of last night, ms. */
	readonly restoredUntil: number;
	/** How long a session lives without a hit, ms. */
	readonly sessionTimeoutMs: number;
}

/**
 * Result of a step: undefined passes the hit on, anything else ends it. A reason refuses it, `unstored` asks the sender
 * to repeat it, and `kept` has handed it to the spool.
 */
export type Outcome = undefined | RejectReason | "unstored" | "kept";

/** Looks at a hit and completes it. A promise only where something must be waited for. */
export type CollectStep = (hit: Hit, context: CollectContext) => Outcome | Promise<Outcome>;
