import { type NumberedHit, numberedHit, numberOfPath } from "../support/numbered-hits.ts";

/** A row as the event store has it. */
export interface StoredRow {
	readonly kind: string;
	readonly path: string;
	/** The day in UTC, which is the zone of the site. */
	readonly day: string;
	readonly amount: number;
}

/** Sums as reports tell them. */
export interface Sums {
	readonly pageViews: number;
	readonly entrances: number;
	readonly conversions: number;
	readonly revenue: number;
}

/** What rows say, recomputed in the plainest way from the hits whose numbers they bear. */
export interface Recomputed {
	readonly sums: Sums;
	/** Page views by path and day, as `path day`. */
	readonly views: ReadonlyMap<string, number>;
	/** Numbers of the stored hits, with the times that each is stored. */
	readonly times: ReadonlyMap<number, number>;
	/** Rows that no hit of ours explains. */
	readonly strange: readonly string[];
}

/** A visit is a visitor's: drills are shorter than the pause that ends one. It has an entrance when it has a page view. */
export function recompute(rows: readonly StoredRow[], visitors: number): Recomputed {
	const times = new Map<number, number>();
	const views = new Map<string, number>();
	const seen = new Set<number>();
	const strange: string[] = [];
	let [pageViews, conversions, revenue] = [0, 0, 0];
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
		if (hit.amount === undefined) {
			pageViews++;
			seen.add(hit.visitor);
			const key = `${hit.path} ${row.day}`;
			views.set(key, (views.get(key) ?? 0) + 1);
		} else {
			conversions++;
			revenue += hit.amount;
		}
	}
	return { sums: { pageViews, entrances: seen.size, conversions, revenue }, views, times, strange };
}

const isRowOf = ({ amount }: NumberedHit, row: StoredRow): boolean =>
	row.kind === (amount === undefined ? "pageview" : "conversion") && row.amount === (amount ?? 0);
