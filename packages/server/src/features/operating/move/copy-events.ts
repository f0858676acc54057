import { rowSettings } from "../../../analytics/catalog/projections.ts";
import { deleteOfTable, type EventTable } from "../../../analytics/deletion/delete-rows.ts";
import { botHitColumns } from "../../../analytics/model/bot-flags.ts";
import { eventColumns } from "../../../analytics/model/event-columns.ts";
import type { EventQuery, EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { randomToken } from "../../../platform/lib/ids.ts";
import { MoveError } from "./move-error.ts";

/** Rows whose copying is done again after a crash, at most, unless a single day has more. */
const STRETCH_ROWS = 1_000_000;
/** Of one insert: well below the rows of which a server makes several blocks. */
const BATCH_BYTES = 16 * 1024 * 1024;
/** Inserts under way while the next rows are read. */
const INSERTS = 2;
/** Of days that change while they are copied. */
const ATTEMPTS = 3;
const FIRST_DAY = "1970-01-01";
const LINE_FEED = 0x0a;

export interface EventPlace {
	readonly store: EventStore;
	/** Name of the cluster that holds the tables; one server when absent. */
	readonly cluster?: string | undefined;
}

export interface EventCopying {
	readonly clock: Clock;
	readonly from: EventPlace;
	readonly to: EventPlace;
	/** Threads of the engine that is read from, which may have others to answer. */
	readonly threads: number;
	readonly signal: AbortSignal;
	/** Told after each step: the table, its days, and rows. */
	readonly onCopied: (table: string, days: readonly EventDay[]) => void;
}

/** Makes the days of `to` equal to those of `from`, in every table; may be repeated. Throws `differs` for a day that is not equal after it was copied. */
export async function copyEvents(copying: EventCopying, asked: AskedDays): Promise<void> {
	for (const table of movedTables) await copyTable(copying, table, asked);
}

export async function differingDays({ from, to }: EventCopying, asked: AskedDays): Promise<string[]> {
	const lines: string[] = [];
	for (const table of movedTables) {
		const { missing, doomed } = await compare({ from, to }, table, asked);
		const days = new Set([...missing, ...doomed].map(({ day, importId }) => `${table.name} ${day} ${importId}`.trim()));
		lines.push(...days);
	}
	return lines;
}

async function compare({ from, to }: Pick<EventCopying, "from" | "to">, table: MovedTable, asked: AskedDays) {
	const [wanted, found] = await Promise.all([listDays(from.store, table, asked), listDays(to.store, table, asked)]);
	return compareDays(wanted, found);
}

async function copyTable(copying: EventCopying, table: MovedTable, asked: AskedDays): Promise<void> {
	for (let attempt = 1; ; attempt++) {
		// One that is not the same after it was copied may have the same sums.
		const { doomed, missing } = await compare(
			copying,
			table,
			attempt === 1 ? asked : { ...asked, exactFrom: FIRST_DAY },
		);
		await deleteDays(copying, table, doomed);
		const changed: EventDay[] = [];
		for (const days of inStretches(missing, STRETCH_ROWS)) {
			await copyStretch(copying, table, { days, today: asked.today });
			changed.push(...(await differing(copying, table, { days, today: asked.today })));
			copying.onCopied(table.name, days);
		}
		if (changed.length === 0) return;
		if (attempt < ATTEMPTS) continue;
		const named = changed.map(({ day, importId }) => `${day} ${importId}`.trim()).join(", ");
		throw new MoveError("differs", `What was copied of ${table.name} is not what was read: ${named}`);
	}
}

async function deleteDays({ clock, to }: EventCopying, table: MovedTable, days: readonly EventDay[]): Promise<void> {
	const deps = { clock, eventStore: to.store, cluster: to.cluster, revisions: { bump: () => undefined } };
	for (const [importId, ofOne] of Map.groupBy(days, (day) => day.importId)) {
		const { condition, params } = conditionOf(table, importId, ofOne);
		await deleteOfTable(deps, table.name, { condition, params, sites: [] });
	}
}

interface Stretch {
	/** Of one import. */
	readonly days: readonly EventDay[];
	readonly today: string;
}

function conditionOf(table: MovedTable, importId: string, days: readonly EventDay[]) {
	return {
		condition: `${table.importId} = {importId:String} AND date IN {days:Array(Date)}`,
		params: { importId, days: days.map(({ day }) => day) },
	};
}

/** The rows go as the engine writes them, and are never looked at here. */
async function copyStretch(copying: EventCopying, table: MovedTable, { days, today }: Stretch): Promise<void> {
	const { from, to, threads, signal } = copying;
	const { condition, params } = conditionOf(table, days[0]?.importId ?? "", days);
	const rows = from.store.streamBytes({
		sql: `SELECT ${table.columns.join(", ")} FROM ${table.name} WHERE ${table.kept} AND ${condition}`,
		params: { ...params, today },
		settings: { max_execution_time: MAX_SECONDS, max_threads: threads },
		format: "TabSeparated",
		signal,
	});
	// One for each attempt: the rows of an earlier one were deleted, and the engine may still know its tokens.
	const attempt = randomToken(12);
	const underWay = new Set<Promise<void>>();
	let failure: unknown;
	let number = 0;
	for await (const tsv of inBatches(rows, BATCH_BYTES)) {
		signal.throwIfAborted();
		if (failure !== undefined) break;
		const insert = {
			table: table.name,
			columns: table.columns,
			tsv,
			deduplicationToken: `move-${attempt}-${number++}`,
		};
		const inserting: Promise<void> = to.store
			.insert(insert)
			.catch((error: unknown) => {
				failure ??= error;
			})
			.finally(() => underWay.delete(inserting));
		underWay.add(inserting);
		if (underWay.size >= INSERTS) await Promise.race(underWay);
	}
	await Promise.all(underWay);
	if (failure !== undefined) throw failure;
}

/** Whole lines of at least so many bytes together, but for the last ones. */
async function* inBatches(pieces: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
	let waiting: Uint8Array[] = [];
	let size = 0;
	for await (const piece of pieces) {
		waiting.push(piece);
		size += piece.byteLength;
		if (size < bytes) continue;
		const all = Buffer.concat(waiting);
		const end = all.lastIndexOf(LINE_FEED) + 1;
		if (end > 0) yield all.subarray(0, end);
		waiting = [all.subarray(end)];
		size = all.byteLength - end;
	}
	if (size > 0) yield Buffer.concat(waiting);
}

/** The days of a stretch that are not the same now, by their whole content. */
async function differing({ from, to }: EventCopying, table: MovedTable, stretch: Stretch) {
	const [wanted, found] = await Promise.all([print(from.store, table, stretch), print(to.store, table, stretch)]);
	return stretch.days.filter(({ day }) => wanted.get(day) !== found.get(day));
}

async function print(store: Pick<EventStore, "query">, table: MovedTable, { days, today }: Stretch) {
	const { condition, params } = conditionOf(table, days[0]?.importId ?? "", days);
	const query: EventQuery = {
		sql: `SELECT toString(date) AS day, concat(${table.sums}, ' ', ${table.content}) AS print
FROM ${table.name} WHERE ${table.kept} AND ${condition} GROUP BY day`,
		params: { ...params, today },
		settings: { optimize_use_projections: 0, max_execution_time: MAX_SECONDS },
	};
	return new Map((await store.query<{ day: string; print: string }>(query)).map((row) => [row.day, row.print]));
}

/** All rows are read: longer than a report may take. */
const MAX_SECONDS = 24 * 3600;

/** A table of the event store that is moved. */
interface MovedTable {
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
const movedTables: readonly MovedTable[] = [
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

interface AskedDays {
	/** Days before this one, `YYYY-MM-DD`; all when absent. */
	readonly before?: string | undefined;
	/** From this day on the whole content counts, not the sums alone. */
	readonly exactFrom?: string | undefined;
	/** `YYYY-MM-DD` */
	readonly today: string;
}

const [FIRST, LAST] = ["1970-01-01", "2149-06-06"];

/** The days of a table with what tells their content. */
async function listDays(
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
function compareDays(wanted: readonly EventDay[], found: readonly EventDay[]) {
	const there = new Map(found.map((day) => [keyOf(day), day.print]));
	const named = new Set(wanted.map(keyOf));
	const missing = wanted.filter((day) => there.get(keyOf(day)) !== day.print);
	const changed = new Set(missing.map(keyOf));
	return { missing, doomed: found.filter((day) => changed.has(keyOf(day)) || !named.has(keyOf(day))) };
}

/** Days that are copied together: of one month and import, so that they lie in one partition, and of so many rows. */
function inStretches(days: readonly EventDay[], maxRows: number): EventDay[][] {
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
