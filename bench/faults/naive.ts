import { type NumberedHit, numberedHit, numberOfPath } from "../support/numbered-hits.ts";

/** A row as the event store has it. */
export interface StoredRow {
	readonly kind: string;
	readonly path: string;
	/** The day in UTC, which is the zone of the site. */
	readonly day: string;
	readonly amount: number;
	/** Source of the visit. */
	readonly source: string;
}

/** Sums as reports tell them. */
export interface Sums {
	readonly pageViews: number;
	readonly entrances: number;
	readonly conversions: number;
	readonly revenue: number;
}

/** Sums of one source. */
export type SourceSums = Omit<Sums, "entrances">;

/** Content of rows, recomputed in the plainest way from the hits whose numbers they carry. */
export interface Recomputed {
	readonly sums: Sums;
	/** Page views by path and day, as `path day`. */
	readonly views: ReadonlyMap<string, number>;
	/** Page views, conversions and revenue by source. */
	readonly sources: ReadonlyMap<string, SourceSums>;
	/** Numbers of the stored hits, with the times that each is stored. */
	readonly times: ReadonlyMap<number, number>;
	/** Rows that no hit of ours explains. */
	readonly strange: readonly string[];
	/** Rows of visits whose first hit is there, with another source than that hit has. */
	readonly misattributed: readonly string[];
}

/** The source of who comes directly. */
const DIRECT = "(direct)";
const NOTHING: SourceSums = { pageViews: 0, conversions: 0, revenue: 0 };

/** A visit is a visitor's: drills are shorter than the pause that ends one. It has an entrance when it has a page view. */
export function recompute(rows: readonly StoredRow[], visitors: number): Recomputed {
	const times = new Map<number, number>();
	const views = new Map<string, number>();
	const sources = new Map<string, SourceSums>();
	const seen = new Set<number>();
	const strange: string[] = [];
	const begun = new Map<number, string>();
	const misattributed: string[] = [];
	for (const row of rows) {
		// Facts of visits, not of hits.
		if (row.kind === "engaged") continue;
		const number = numberOfPath(row.path);
		const hit = number === undefined ? undefined : numberedHit(number, visitors);
		if (hit === undefined || !isRowOf(hit, row)) {
			strange.push(`${row.kind} ${row.path} ${row.amount}`);
			continue;
		}
		times.set(hit.number, (times.get(hit.number) ?? 0) + 1);
		const isView = hit.amount === undefined;
		const { pageViews, conversions, revenue } = sources.get(row.source) ?? NOTHING;
		if (hit.number < visitors) begun.set(hit.visitor, hit.source ?? DIRECT);
		const begunBy = begun.get(hit.visitor);
		if (begunBy !== undefined && row.source !== begunBy) misattributed.push(`${row.path} ${row.source}`);
		sources.set(row.source, {
			pageViews: pageViews + (isView ? 1 : 0),
			conversions: conversions + (isView ? 0 : 1),
			revenue: revenue + (hit.amount ?? 0),
		});
		if (!isView) continue;
		seen.add(hit.visitor);
		const key = `${hit.path} ${row.day}`;
		views.set(key, (views.get(key) ?? 0) + 1);
	}
	return {
		sums: { ...total([...sources.values()]), entrances: seen.size },
		views,
		sources,
		times,
		strange,
		misattributed,
	};
}

const total = (all: readonly SourceSums[]): SourceSums =>
	all.reduce(
		(sum, one) => ({
			pageViews: sum.pageViews + one.pageViews,
			conversions: sum.conversions + one.conversions,
			revenue: sum.revenue + one.revenue,
		}),
		NOTHING,
	);

const isRowOf = ({ amount }: NumberedHit, row: StoredRow): boolean =>
	row.kind === (amount === undefined ? "pageview" : "conversion") && row.amount === (amount ?? 0);
