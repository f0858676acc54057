import type { EventColumn, StoredColumn } from "../model/event-columns.ts";

/**
 * The columns by which the aggregate projections of `events` hold sums of the measures: one projection a family of reports.
 * Those after the dimensions are summed up, or counted, in some projections only. The same as in the event migrations.
 */
const projections = {
	by_hour: ["hour", "visit_seconds", "session"],
	by_source: ["channel", "referrer", "utm_source", "utm_medium", "utm_campaign", "visit_seconds"],
	by_audience: ["country", "device", "browser", "os", "visit_seconds"],
	by_page: ["path", "content_group"],
	by_landing: ["landing_path", "landing_group", "visit_seconds"],
	by_event: ["event_type", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"],
} as const satisfies Record<string, readonly EventColumn[]>;

/** Columns that every projection holds. */
const common: ReadonlySet<StoredColumn> = new Set(["site", "date", "import_id"]);

/** Settings for a query that needs the rows themselves. */
export const rowSettings: Readonly<Record<string, string | number>> = { optimize_use_projections: 0 };

/**
 * Settings for a query of sums over these columns. The engine finds the projection by itself, but trying all of them
 * takes as long as a small report: so it is told which one to try, or that there is none.
 */
export function projectionSettings(columns: Iterable<StoredColumn>): Readonly<Record<string, string | number>> {
	const needed = [...columns].filter((column) => !common.has(column));
	const fits = (held: readonly StoredColumn[]) => needed.every((column) => held.includes(column));
	const found = Object.entries(projections).find(([, held]) => fits(held));
	if (found === undefined) return rowSettings;
	// So few rows that sharing them out among threads takes longer than reading them.
	return { preferred_optimize_projection_name: found[0], optimize_use_implicit_projections: 0, max_threads: 1 };
}
