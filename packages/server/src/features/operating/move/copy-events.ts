import { deleteOfTable } from "../../../analytics/deletion/delete-rows.ts";
import type { EventQuery, EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { randomToken } from "../../../platform/lib/ids.ts";
import {
	type AskedDays,
	compareDays,
	type EventDay,
	inStretches,
	listDays,
	MAX_SECONDS,
	type MovedTable,
	movedTables,
} from "./event-days.ts";
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
async function differing(
	{ from, to }: EventCopying,
	table: MovedTable,
	stretch: Stretch,
): Promise<readonly EventDay[]> {
	const [wanted, found] = await Promise.all([print(from.store, table, stretch), print(to.store, table, stretch)]);
	return stretch.days.filter(({ day }) => wanted.get(day) !== found.get(day));
}

async function print(
	store: Pick<EventStore, "query">,
	table: MovedTable,
	{ days, today }: Stretch,
): Promise<ReadonlyMap<string, string>> {
	const { condition, params } = conditionOf(table, days[0]?.importId ?? "", days);
	const query: EventQuery = {
		sql: `SELECT toString(date) AS day, concat(${table.sums}, ' ', ${table.content}) AS print
FROM ${table.name} WHERE ${table.kept} AND ${condition} GROUP BY day`,
		params: { ...params, today },
		settings: { optimize_use_projections: 0, max_execution_time: MAX_SECONDS },
	};
	return new Map((await store.query<{ day: string; print: string }>(query)).map((row) => [row.day, row.print]));
}
