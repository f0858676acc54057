import type { Clock } from "../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { RejectionWindow } from "../../tenancy/sites/index.ts";
import { windowOf } from "../collect/index.ts";
import { collectorsAtWork } from "../collector-progress/index.ts";
import { type HourRow, selectHours, sumRequests } from "./store.ts";

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

/**
 * Counts of all collectors for a site, by minute, up to a day; undefined without a collector and without stored counts.
 */
export async function readHitCounts(
	{ metadata, clock }: { readonly metadata: Metadata; readonly clock: Clock },
	siteId: string,
): Promise<((minutes: number) => RejectionWindow) | undefined> {
	const now = Math.floor(clock.now() / MINUTE_MS);
	const rows = await selectHours(metadata, siteId, Math.floor((now - DAY_MINUTES) / HOUR_MINUTES));
	if (rows.length === 0 && (await collectorsAtWork({ metadata, clock })).length === 0) return undefined;
	return (minutes) => {
		const isWithin = (minute: number) => minute <= now && minute > now - minutes;
		const { accepted, rejected, origins } = addUp(rows, isWithin);
		const none: ReadonlyMap<string, number> = new Map();
		const reasons = [...rejected].map(([reason, count]) => ({ reason, count, origins: origins.get(reason) ?? none }));
		return windowOf(accepted, reasons);
	};
}

/** How often the script of a site was asked for, of all collectors together; undefined when never. */
export const readScriptRequests = sumRequests;

function addUp(rows: readonly HourRow[], isWithin: (minute: number) => boolean) {
	let accepted = 0;
	const rejected = new Map<string, number>();
	const origins = new Map<string, Map<string, number>>();
	for (const { hour, counts } of rows) {
		const sum = (byMinute: Readonly<Record<string, number>> = {}) => {
			let hits = 0;
			for (const [minute, count] of Object.entries(byMinute)) {
				if (isWithin(hour * HOUR_MINUTES + Number(minute))) hits += count;
			}
			return hits;
		};
		accepted += sum(counts.accepted);
		for (const [reason, byMinute] of Object.entries(counts.rejected)) add(rejected, reason, sum(byMinute));
		for (const [reason, ofReason] of Object.entries(counts.origins)) {
			const known = origins.get(reason) ?? new Map<string, number>();
			for (const [origin, byMinute] of Object.entries(ofReason ?? {})) add(known, origin, sum(byMinute));
			origins.set(reason, known);
		}
	}
	return { accepted, rejected, origins };
}

/** Names that were not counted within the time are omitted. */
function add(counts: Map<string, number>, name: string, count: number): void {
	if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
}
