import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { type Condition, withoutImports } from "../../catalog/filters.ts";
import { rowSettings } from "../../catalog/projections.ts";
import type { DateRange } from "../question/date-range.ts";

/** A question that is compared with an earlier range. */
interface ComparedQuestion {
	/** Slugs. */
	readonly sites: readonly string[];
	readonly earlier: DateRange | undefined;
	readonly conditions: readonly Condition[];
}

// Read along the primary key, so that the first row is found without a scan.
const firstDay = (where: string) => `SELECT toString(date) AS day
FROM events
WHERE site = {site:String}${where}
ORDER BY site, date, hour, ts
LIMIT 1`;

/**
 * The part of `meta` that says from which day on the sites have data, where the earlier range begins before it: a change
 * against days that were not counted says nothing. Filters play no part, but the one that leaves imports out.
 */
export async function baselineStart(
	{ eventStore }: { readonly eventStore: Pick<EventStore, "query"> },
	{ sites, earlier, conditions }: ComparedQuestion,
): Promise<{ baseline_start?: string }> {
	if (earlier === undefined) return {};
	const sql = firstDay(conditions.includes(withoutImports) ? " AND import_id = ''" : "");
	const days = await Promise.all(
		sites.map((site) => eventStore.query<{ day: string }>({ sql, params: { site }, settings: rowSettings })),
	);
	const [first] = days.flatMap((rows) => rows.map(({ day }) => day)).sort();
	return first === undefined || first <= earlier.start.toString() ? {} : { baseline_start: first };
}
