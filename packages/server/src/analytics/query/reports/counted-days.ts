import type { EventStore } from "../../../platform/event-store/event-store.ts";

/** The days of a site that have rows, `YYYY-MM-DD`. */
export interface CountedDays {
	/** Days with hits of its own. */
	readonly own: readonly string[];
	/** Days that an import brought. */
	readonly imported: readonly string[];
}

// Of the projection by day, which knows imports apart.
const DAYS = `
SELECT toString(date) AS day, import_id = '' AS is_own
FROM events
WHERE site = {site:String}
GROUP BY date, is_own
ORDER BY date`;

/** On which days a site has hits of its own, and on which it has imported rows. */
export async function countedDays(
	{ eventStore }: { readonly eventStore: Pick<EventStore, "query"> },
	site: string,
): Promise<CountedDays> {
	const rows = await eventStore.query<{ day: string; is_own: number | boolean }>({ sql: DAYS, params: { site } });
	const days = (isOwn: boolean) => rows.filter((row) => Boolean(row.is_own) === isOwn).map(({ day }) => day);
	return { own: days(true), imported: days(false) };
}
