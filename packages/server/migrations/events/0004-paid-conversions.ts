import { quoted } from "./create-table.ts";
import type { EventMigration } from "./migration.ts";

// Written out, and not taken from the code around: what a step says never changes again.
const SUMS =
	"sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sumIf(conversion, revenue > 0)";
const VISITORS =
	"uniqCombinedIf(20)(bitShiftRight(session, 17) + bitShiftLeft(toUInt64(date), 47), (entrance > 0) AND (session > 0)), sum(visitor)";
const EVENT = "event_type, utm_source, utm_medium, utm_campaign, utm_term, utm_content";

const projections = {
	by_day: `(SELECT site, date, import_id, ${SUMS}, sum(visit_seconds), ${VISITORS} GROUP BY site, date, import_id) FIRST`,
	by_event: `(SELECT site, date, import_id, ${EVENT}, ${SUMS} GROUP BY site, date, import_id, ${EVENT})`,
};

/**
 * Conversions with an amount, by which the average order value is divided. Where the engine rebuilds the two projections in the background, the
 * reports that they answer read the rows until it has.
 */
export const paidConversions: EventMigration = {
	version: 4,
	name: "paid-conversions",
	statements: ({ cluster }) => {
		const table = cluster === undefined ? "events" : `events_local ON CLUSTER ${quoted(cluster)}`;
		return Object.entries(projections).flatMap(([name, query]) => [
			`ALTER TABLE ${table} DROP PROJECTION IF EXISTS ${name}`,
			`ALTER TABLE ${table} ADD PROJECTION IF NOT EXISTS ${name} ${query}`,
			`ALTER TABLE ${table} MATERIALIZE PROJECTION ${name}`,
		]);
	},
};
