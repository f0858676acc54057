import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { rowSettings } from "../../catalog/projections.ts";

/** Stored rows of a site in a day or month, and the sums of their measures. */
export interface StoredSums {
	readonly site: string;
	/** `YYYY-MM-DD` or `YYYY-MM` */
	readonly period: string;
	readonly rows: number;
	readonly entrances: number;
	readonly engaged: number;
	readonly page_views: number;
	readonly conversions: number;
	readonly microconversions: number;
	/** A decimal as text: nothing of it is rounded. */
	readonly revenue: string;
	readonly visit_seconds: number;
}

/** All rows are read: longer than a report may take. */
const SECONDS = 3600;
const PERIODS = { day: "toString(date)", month: "formatDateTime(date, '%Y-%m')" } as const;

/**
 * Everything in the table of events, or in some parts of it, imports included, summed by site and day or month, in this order. The
 * table is that of the store's own database, or of another one of its server.
 */
export const storedSums = (
	eventStore: Pick<EventStore, "query">,
	by: keyof typeof PERIODS,
	{ parts, database }: { readonly parts?: readonly string[]; readonly database?: string } = {},
): Promise<StoredSums[]> =>
	eventStore.query<StoredSums>({
		sql: `SELECT site, ${PERIODS[by]} AS period, count() AS rows, sum(entrance) AS entrances, sum(engaged) AS engaged,
	sum(page_view) AS page_views, sum(conversion) AS conversions, sum(microconversion) AS microconversions,
	toString(sum(revenue)) AS revenue, sum(visit_seconds) AS visit_seconds
FROM ${database === undefined ? "" : "{database:Identifier}."}events${parts === undefined ? "" : "\nWHERE _part IN {parts:Array(String)}"}
GROUP BY site, period
ORDER BY site, period`,
		params: { ...(parts && { parts }), ...(database !== undefined && { database }) },
		settings: { ...rowSettings, max_execution_time: SECONDS },
	});

/** Where two such sums differ, a line each; empty when they are the same. */
export function differingSums(expected: readonly StoredSums[], found: readonly StoredSums[]): string[] {
	const keyOf = ({ site, period }: StoredSums) => `${site} ${period}`;
	const byKey = new Map(found.map((sums) => [keyOf(sums), sums]));
	const lines: string[] = [];
	for (const sums of expected) {
		const other = byKey.get(keyOf(sums));
		byKey.delete(keyOf(sums));
		const names = Object.keys(sums) as (keyof StoredSums)[];
		const differing = names.filter((name) => sums[name] !== other?.[name]);
		if (other === undefined) lines.push(`${keyOf(sums)}: ${sums.rows} rows are missing`);
		else if (differing.length > 0) {
			const told = differing.map((name) => `${name} ${other[name]} in place of ${sums[name]}`);
			lines.push(`${keyOf(sums)}: ${told.join(", ")}`);
		}
	}
	for (const [key, { rows }] of byKey) lines.push(`${key}: ${rows} rows too many`);
	return lines;
}
