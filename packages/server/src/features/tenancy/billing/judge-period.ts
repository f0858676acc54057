import type { UsagePeriodRow } from "./usage-store.ts";

/** A period that is over. */
export interface EndedPeriod {
	/** At its end. */
	readonly plan: UsagePeriodRow["plan_tier"];
	/** At the time of judging. */
	readonly planNow: UsagePeriodRow["plan_tier"];
	readonly limit: number;
	readonly events: number;
	/** A period of the same calendar year was forgiven already. */
	readonly isForgivenessUsed: boolean;
	/** Consequence of the period right before it. */
	readonly before: Pick<UsagePeriodRow, "plan_tier" | "action_taken"> | undefined;
}

/**
 * Action after a period: none within the limit. The first period beyond it in a calendar year is forgiven; the second one in a row that
 * was not moves growth to scale, unless its plan has changed since; otherwise the owners are notified.
 */
export function judgePeriod(period: EndedPeriod): UsagePeriodRow["action_taken"] {
	if (period.events <= period.limit) return "none";
	if (!period.isForgivenessUsed) return "forgiven";
	const { before } = period;
	const isSecond = before?.plan_tier === "growth" && before.action_taken === "notified";
	return period.plan === "growth" && period.planNow === "growth" && isSecond ? "upgraded" : "notified";
}
