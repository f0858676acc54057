import { percentage } from "../../../analytics/catalog/rates.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { AlertDeps } from "./deps.ts";
import type { Reading } from "./judge.ts";
import type { Rule } from "./rule-fields.ts";
import { baselineConditions, type ComparisonWindow, windowMs } from "./vocabulary.ts";

/** Minutes for which refused hits are remembered. */
const KEPT = 1440;

/** How many windows of a length are ever known: the minute that runs belongs to none. */
export const refusedWindows = (length: ComparisonWindow): number =>
	Math.floor((KEPT - 1) / (windowMs[length] / MINUTE_MS));

interface Counts {
	readonly accepted: number;
	readonly rejected: number;
}

/**
 * The share of a site's hits that were refused, as the collectors counted them in the last 24 hours; undefined when there is
 * no collector. Windows without a hit do not exist.
 */
export async function readRefused(
	{ refused, clock }: Pick<AlertDeps, "refused" | "clock">,
	{ siteId, comparison_window, condition_type, baseline_period }: Rule,
	until: number,
): Promise<Reading | undefined> {
	const minutes = windowMs[comparison_window] / MINUTE_MS;
	// The log counts back from the minute that runs, which belongs to no window yet.
	const running = Math.floor(clock.now() / MINUTE_MS) - until / MINUTE_MS + 1;
	const counted = await refused(siteId);
	if (counted === undefined) return undefined;
	const upTo = (back: number): Counts => counted(Math.min(running + back, KEPT));
	const windows: Counts[] = [];
	const count = Math.floor((KEPT - running) / minutes);
	for (let index = 0; index < count; index++) {
		const [outer, inner] = [upTo((index + 1) * minutes), upTo(index * minutes)];
		windows.push({ accepted: outer.accepted - inner.accepted, rejected: outer.rejected - inner.rejected });
	}
	const [current, before, ...older] = windows;
	if (current === undefined) return undefined;
	const usesBaseline = baseline_period === "24h" && baselineConditions.has(condition_type);
	const baseline = usesBaseline ? [before, ...older].filter(hasHits).map(shareOf) : [];
	return {
		value: shareOf(current),
		before: before === undefined ? undefined : shareOf(before),
		baseline,
		isRunning: hasHits(current),
	};
}

const hasHits = (counts: Counts | undefined): counts is Counts =>
	counts !== undefined && counts.accepted + counts.rejected > 0;

const shareOf = ({ accepted, rejected }: Counts): number => percentage(rejected, accepted + rejected);
