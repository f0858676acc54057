import { hash } from "node:crypto";
import { eventColumns } from "../../../analytics/model/event-columns.ts";
import { firstKeptDay, todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { countedDays } from "../../../analytics/query/reports/site-days.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { addToDays } from "../../tenancy/billing/index.ts";
import type { GoalMatcher, SiteFacts } from "../../tenancy/sites/index.ts";
import { goalLines } from "../collect/index.ts";
import {
	countVisits,
	type Days,
	type EarlierVisit,
	type EarlierVisits,
	type MatchingDay,
	matchingDays,
	publishedTimes,
	streamVisits,
} from "./store.ts";

export interface CountingDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** Without cached answers. */
	readonly eventStore: EventStore;
	/** How long a visit lives without a hit, ms. */
	readonly sessionTimeoutMs: number;
}

export interface Counting {
	readonly site: SiteFacts;
	readonly goal: GoalMatcher;
	/** First day, `YYYY-MM-DD`, that is left out; the site's today when absent or later. */
	readonly before: string | undefined;
	/** Counts what would be counted and writes nothing. */
	readonly isDryRun: boolean;
}

/** Hits are in the event store by then. */
export const STORED_WITHIN_MS = MINUTE_MS;
/** A request that takes longer is continued by another one. */
const MOST_MS = 10_000;
/** Matching events of the days that are counted together. */
const EVENTS = 20_000;
/** Rows of an insert: few enough to be stored whole or not at all, as they are of one month. */
const ROWS = 5000;
const COLUMNS = Object.keys(eventColumns);
const EVER = "1970-01-01";

/**
 * Counts the visits of a goal that ended before today and have not reached it, latest day first. May be repeated, and run twice at once: an
 * insert is named after the visits in it, and a visit that has a row of the goal gets no other.
 */
export async function countEarlier(deps: CountingDeps, { site, goal, before, isDryRun }: Counting) {
	const { clock } = deps;
	const today = todayIn(site.timezone, clock).toString();
	const end = before !== undefined && before < today ? before : today;
	const isShortLived = goal.kind === "event" || goal.counts_as === "microconversion";
	const from = isShortLived ? firstKeptDay(site.timezone, clock).toString() : EVER;
	const visits = { site: site.id, goal, liveSince: clock.now() - STORED_WITHIN_MS - deps.sessionTimeoutMs };
	const first = (await countedDays(deps, site.id)).own.find((day) => day >= from && day < end) ?? null;
	const to = first && Temporal.PlainDate.from(end).subtract({ days: 1 }).toString();
	const total = { visits: 0, imported_events: 0 };
	const until = clock.monotonic() + MOST_MS;
	let done = end;
	for (const days of together(await matchingDays(deps, visits, { from, before: end }))) {
		if (done < end && clock.monotonic() > until) return { ...total, from: done, to, is_complete: false };
		total.imported_events += days.imported;
		if (days.own > 0) total.visits += await (isDryRun ? countVisits : countDays)({ ...deps, site }, visits, days);
		done = days.first;
	}
	return { ...total, from: first, to, is_complete: true };
}

/** Days that are counted together: of one month, as an insert into several may be stored in part. */
function together(days: readonly MatchingDay[]) {
	const groups: { first: string; readonly last: string; own: number; imported: number }[] = [];
	for (const { day, own, imported } of days) {
		const group = groups.at(-1);
		if (group?.first.slice(0, 7) === day.slice(0, 7) && group.own + own <= EVENTS) {
			group.first = day;
			group.own += own;
			group.imported += imported;
		} else groups.push({ first: day, last: day, own, imported });
	}
	return groups;
}

type StoringDeps = CountingDeps & Pick<Counting, "site">;

/** Stores a row for each visit of some days: their number. */
async function countDays(deps: StoringDeps, visits: EarlierVisits, days: Days): Promise<number> {
	const taken = await publishedTimes(deps, visits, days);
	let counted = 0;
	const waiting: EarlierVisit[] = [];
	for await (const rows of streamVisits(deps, visits, days)) {
		for (const row of rows) waiting.push(row);
		counted += rows.length;
		while (waiting.length >= ROWS) await storeRows(deps, visits.goal, waiting.splice(0, ROWS), taken);
	}
	if (waiting.length > 0) await storeRows(deps, visits.goal, waiting, taken);
	return counted;
}

/** Stores the conversions of some visits, whose times are added to the published ones that are `taken`. */
async function storeRows(
	{ eventStore, metadata, site }: StoringDeps,
	goal: GoalMatcher,
	batch: readonly EarlierVisit[],
	taken: Set<number>,
): Promise<void> {
	const lines = batch.flatMap((row) => {
		const { visit, day: date, hour, path, content_group: contentGroup } = row;
		let ts = row.at;
		while (taken.has(ts)) ts += 1;
		taken.add(ts);
		return goalLines({ site: site.id, date, hour, session: visit, dimensions: row, path, contentGroup }, goal, ts);
	});
	// Before the rows, as the highest usage of a day is kept. Repeated after a failure, rows count twice here: usage is too low, never too high.
	const days = [...Map.groupBy(batch, ({ day }) => day)];
	const usage = days.map(([day, rows]) => ({ organization_id: site.organizationId, day, earlier_events: rows.length }));
	await addToDays(metadata, usage);
	const named = hash("sha256", batch.map(({ visit }) => visit).join(" "));
	await eventStore.insert({
		table: "events",
		columns: COLUMNS,
		tsv: Buffer.from(lines.join("")),
		deduplicationToken: `goal-${site.id}-${goal.id}-${named}`,
	});
}
