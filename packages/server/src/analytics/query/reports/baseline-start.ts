import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { type Condition, withoutImports } from "../../catalog/filters.ts";
import { rowSettings } from "../../catalog/projections.ts";
import type { DateRange } from "../question/date-range.ts";

/** A question that is compared with an earlier range. */
interface ComparedQuestion {
	/** Slug of the site, or slugs of several. */
	readonly site: string | readonly string[];
	readonly comparison: DateRange | undefined;
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
	{ site, comparison, conditions }: ComparedQuestion,
): Promise<{ baseline_start?: string }> {
	if (comparison === undefined) return {};
	const sql = firstDay(conditions.includes(withoutImports) ? " AND import_id = ''" : "");
	const days = await Promise.all(
		[site]
			.flat()
			.map((slug) => eventStore.query<{ day: string }>({ sql, params: { site: slug }, settings: rowSettings })),
	);
	const [first] = days.flatMap((rows) => rows.map(({ day }) => day)).sort();
	return first === undefined || first <= comparison.start.toString() ? {} : { baseline_start: first };
}
