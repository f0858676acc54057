import { sha256Hex } from "../../../platform/lib/crypto.ts";
import type { IntegrationRow } from "./store.ts";

const MINUTES = 60;
/** By then the hits of the day before are stored, whatever the load at midnight. */
const DAILY_HOUR = 3;

/** Sites that are alike come at different minutes. */
const minuteOf = (siteId: string): number => Number.parseInt(sha256Hex(siteId).slice(0, 8), 16) % MINUTES;

/** When a site is synced next by itself; null = never. */
export function nextTurn(
	{ id, timezone }: { readonly id: string; readonly timezone: string },
	{ sync_frequency: frequency, is_active }: Pick<IntegrationRow, "sync_frequency" | "is_active">,
	nowMs: number,
): number | null {
	if (frequency === "manual" || is_active !== 1) return null;
	const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timezone);
	const minute = { minute: minuteOf(id), second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 };
	const isHourly = frequency === "hourly";
	const turn = now.with(isHourly ? minute : { hour: DAILY_HOUR, ...minute });
	const isAhead = turn.epochMilliseconds > nowMs;
	return (isAhead ? turn : turn.add(isHourly ? { hours: 1 } : { days: 1 })).epochMilliseconds;
}
