import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { projectionSettings, rowSettings } from "../../catalog/projections.ts";

/** Events of one day of a site, in its time zone. */
export interface UsageDay {
	readonly site: string;
	/** `YYYY-MM-DD` */
	readonly date: string;
	readonly events: number;
}

const WHICH = "site IN {sites:Array(String)} AND date >= {from:Date}";

// A plan holds what was collected here: imported rows came from elsewhere.
const COUNTED = `SELECT site, date, sum(page_view) + sum(conversion) + sum(microconversion) AS events
FROM events
WHERE ${WHICH} AND import_id = ''
GROUP BY site, date
ORDER BY site, date`;

const LEFT_OUT = `SELECT site, date, sum(hits) AS events
FROM bot_hits
WHERE ${WHICH} AND counted = 0
GROUP BY site, date
ORDER BY site, date`;

/**
 * Usage of some sites since a day: counted events, and hits above their site's bot threshold, which are kept for 90
 * days.
 */
export async function eventUsage(
	{ eventStore }: { readonly eventStore: Pick<EventStore, "query"> },
	sites: readonly string[],
	from: string,
): Promise<{ readonly human: readonly UsageDay[]; readonly agent: readonly UsageDay[] }> {
	if (sites.length === 0) return { human: [], agent: [] };
	const params = { sites, from };
	const [human, agent] = await Promise.all([
		eventStore.query<UsageDay>({ sql: COUNTED, params, settings: projectionSettings([]) }),
		eventStore.query<UsageDay>({ sql: LEFT_OUT, params, settings: rowSettings }),
	]);
	return { human, agent };
}
