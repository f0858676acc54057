import { rowSettings } from "../../../analytics/catalog/projections.ts";
import type { EventTable } from "../../../analytics/deletion/delete-rows.ts";
import { botHitColumns } from "../../../analytics/model/bot-flags.ts";
import { eventColumns } from "../../../analytics/model/event-columns.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";

/** All rows are read: longer than a report may take. */
export const MAX_SECONDS = 24 * 3600;

/** A table of the event store that is moved. */
export interface MovedTable {
	readonly name: EventTable;
	readonly columns: readonly string[];
	/** The import of a row; empty text where there is none. */
	readonly importId: string;
	/** Rows that the engine does not drop by itself, today or yesterday. */
	readonly kept: string;
	/** Cheap fingerprint of the content, as text. */
	readonly sums: string;
	/** Exact fingerprint of the content. */
	readonly content: string;
}

const MEASURES = [
	"entrance",
	"rejoined",
	"engaged",
	"page_view",
	"conversion",
	"microconversion",
	"revenue",
	"visit_seconds",
	"visitor",
];
const texts = (sums: readonly string[]): string => sums.map((sum) => `toString(${sum})`).join(", ");

/** The tables, largest first. The engine folds old suspicious hits when it likes, which leaves the sums as they are. */
export const movedTables: readonly MovedTable[] = [
	{
		name: "events",
		columns: Object.keys(eventColumns),
		importId: "import_id",
		kept: "1",
		sums: `concatWithSeparator(' ', ${texts(["count()", ...MEASURES.map((measure) => `sum(${measure})`)])})`,
		content: `toString(sum(cityHash64(${Object.keys(eventColumns)
			.map((name) => (name === "properties" ? "toString(properties)" : name))
			.join(", ")})))`,
	},
	{
		name: "bot_hits",
		columns: [...botHitColumns, "first_ts", "hits"],
		importId: "''",
		kept: "date > {today:Date} - 90 AND (counted = 0 OR date > {today:Date} - 8)",
		sums: `concatWithSeparator(' ', ${texts(["sum(hits)", "sum(hits * cityHash64(site, score, flags, counted))"])})`,
		content: "''",
	},
];

/** The rows of a day, or of a day of an import. */
export interface EventDay {
	readonly importId: string;
	/** `YYYY-MM-DD` */
	readonly day: string;
	readonly rows: number;
	/** The same in both stores when the rows are. */
	readonly print: string;
}

export interface AskedDays {
	/** Days before this one, `YYYY-MM-DD`; all when absent. */
	readonly before?: string | undefined;
	/** From this day on the whole content counts, not the sums alone. */
	readonly exactFrom?: string | undefined;
	/** `YYYY-MM-DD` */
	readonly today: string;
}

const [FIRST, LAST] = ["1970-01-01", "2149-06-06"];

/** The days of a table with what tells their content. */
export async function listDays(
	store: Pick<EventStore, "query">,
	table: MovedTable,
	{ before = LAST, exactFrom, today }: AskedDays,
): Promise<EventDay[]> {
	const { name, importId, kept } = table;
	const list = (print: string, from: string) =>
		store.query<EventDay>({
			sql: `SELECT ${importId} AS importId, toString(date) AS day, count() AS rows, ${print} AS print
FROM ${name}
WHERE ${kept} AND date >= {from:Date} AND date < {before:Date}
GROUP BY importId, day
ORDER BY importId, day`,
			params: { before, from, today },
			settings: { ...rowSettings, max_execution_time: MAX_SECONDS },
		});
	const days = await list(table.sums, FIRST);
	if (exactFrom === undefined) return days;
	const exact = new Map((await list(table.content, exactFrom)).map((day) => [keyOf(day), day.print]));
	return days.map((day) => ({ ...day, print: `${day.print} ${exact.get(keyOf(day)) ?? ""}` }));
}

const keyOf = ({ importId, day }: EventDay): string => `${day} ${importId}`;

/** Where the days of two stores differ: `doomed` are to be deleted in the second one, then `missing` are to be copied to it. */
export function compareDays(wanted: readonly EventDay[], found: readonly EventDay[]) {
	const there = new Map(found.map((day) => [keyOf(day), day.print]));
	const named = new Set(wanted.map(keyOf));
	const missing = wanted.filter((day) => there.get(keyOf(day)) !== day.print);
	const changed = new Set(missing.map(keyOf));
	return { missing, doomed: found.filter((day) => changed.has(keyOf(day)) || !named.has(keyOf(day))) };
}

/** Days that are copied together: of one month and import, so that they lie in one partition, and of so many rows. */
export function inStretches(days: readonly EventDay[], maxRows: number): EventDay[][] {
	const stretches: EventDay[][] = [];
	for (const month of Map.groupBy(days, ({ importId, day }) => `${day.slice(0, 7)} ${importId}`).values()) {
		let stretch: EventDay[] = [];
		let rows = 0;
		for (const day of month) {
			if (stretch.length > 0 && rows + day.rows > maxRows) {
				stretches.push(stretch);
				[stretch, rows] = [[], 0];
			}
			stretch.push(day);
			rows += day.rows;
		}
		stretches.push(stretch);
	}
	return stretches;
}
