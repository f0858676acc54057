import type { PaymentPages } from "../../../analytics/attribution/payment-pages.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { SiteDirectory } from "../../tenancy/sites/index.ts";
import type { AttributionDirectory } from "../attribution-settings/index.ts";
import type { EventQuota } from "./event-quota.ts";
import type { Hit, RejectReason } from "./hit.ts";
import type { MinuteWindow, NewcomerGuard } from "./minute-guards.ts";
import type { RejectionLog } from "./rejection-log.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import type { Spool } from "./spool/spool.ts";
import type { TokenCheck } from "./token.ts";
import type { VisitorSalts } from "./visitor-salts.ts";

export interface PipelineDeps {
	readonly clock: Clock;
	readonly log: Log;
	readonly metadata: Metadata;
	readonly sites: Pick<SiteDirectory, "get">;
	readonly attribution: Pick<AttributionDirectory, "get">;
	readonly sessions: SessionStore;
	/** Any of them keys the tokens that tracker scripts carry. */
	readonly secrets: readonly string[];
	/** How long a session lives without a hit, ms. */
	readonly sessionTimeoutMs: number;
	/** Visits a minute that may begin at one address; 0 = no limit. */
	readonly newVisitsPerAddress: number;
	/** Largest amount of a conversion, of either sign. */
	readonly maxAmount: number;
	/** Payment pages beyond the bundled ones. */
	readonly paymentDomains: readonly string[];
}

export interface CollectContext
	extends Pick<PipelineDeps, "sites" | "attribution" | "sessions" | "maxAmount" | "sessionTimeoutMs"> {
	readonly salts: Pick<VisitorSalts, "on" | "refresh">;
	readonly quota: Pick<EventQuota, "hasRoom" | "count">;
	readonly tokens: TokenCheck;
	readonly flood: MinuteWindow;
	readonly newcomers: NewcomerGuard;
	readonly paymentPages: PaymentPages;
	readonly spool: Pick<Spool, "accepts" | "append">;
	readonly rejections: RejectionLog;
	/** Until when sessions may be live that another day's salt named, on top of those of last night, ms. */
	readonly restoredUntil: number;
}

/** Outcome of a step: undefined passes the hit on, a reason refuses it, `unstored` has it sent again, `kept` is in the spool. */
export type Outcome = undefined | RejectReason | "unstored" | "kept";

/** Looks at a hit and completes it. A promise only where something must be waited for. */
export type CollectStep = (hit: Hit, context: CollectContext) => Outcome | Promise<Outcome>;

/** Goes on with a value: at once where it is there, later where it is promised. So only what has to wait waits. */
export function after<Value, Result>(
	value: Value | Promise<Value>,
	next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
	return value instanceof Promise ? value.then(next) : next(value);
}

export function all<Value>(values: readonly (Value | Promise<Value>)[]): readonly Value[] | Promise<readonly Value[]> {
	const known: Value[] = [];
	for (const value of values) {
		if (value instanceof Promise) return Promise.all(values);
		known.push(value);
	}
	return known;
}
