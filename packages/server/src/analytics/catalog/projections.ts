import type { EventColumn, StoredColumn } from "../model/event-columns.ts";

/**
 * The columns by which the aggregate projections of `events` hold sums of the measures: one projection a family of reports.
 * Those after the dimensions are summed up, or counted, in some projections only. The same as in the event migrations.
 */
const projections = {
	by_day: ["visit_seconds", "session", "revenue"],
	by_hour: ["hour", "visit_seconds"],
	by_source: ["channel", "referrer", "utm_source", "utm_medium", "utm_campaign", "visit_seconds"],
	by_audience: ["country", "device", "browser", "os", "visit_seconds"],
	by_page: ["path", "content_group"],
	by_landing: ["landing_path", "landing_group", "visit_seconds"],
	by_event: ["event_type", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "revenue"],
} as const satisfies Record<string, readonly EventColumn[]>;

/** Columns that every projection holds. */
const common: ReadonlySet<StoredColumn> = new Set(["site", "date", "import_id"]);

/** Name of an aggregate projection. */
export type Projection = keyof typeof projections;

type Settings = Readonly<Record<string, string | number>>;

/** The projection that holds sums by these columns; undefined when only the rows can tell. */
export function projectionFor(columns: Iterable<StoredColumn>): Projection | undefined {
	const needed = [...columns].filter((column) => !common.has(column));
	const names = Object.keys(projections) as Projection[];
	return names.find((name) => {
		const held: readonly StoredColumn[] = projections[name];
		return needed.every((column) => held.includes(column));
	});
}

/** Settings for a query that needs the rows themselves. */
export const rowSettings: Settings = { optimize_use_projections: 0 };

/**
 * Settings for a query of sums over these columns. The engine finds the projection by itself, but trying all of them
 * takes as long as a small report: so it is told which one to try, or that there is none.
 */
export function projectionSettings(columns: Iterable<StoredColumn>): Settings {
	const found = projectionFor(columns);
	if (found === undefined) return rowSettings;
	// So few rows that sharing them out among threads takes longer than reading them.
	return { preferred_optimize_projection_name: found, optimize_use_implicit_projections: 0, max_threads: 1 };
}
