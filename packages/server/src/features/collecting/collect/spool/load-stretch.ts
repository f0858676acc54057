import { botHitColumns } from "../../../../analytics/model/bot-flags.ts";
import { eventColumns } from "../../../../analytics/model/event-columns.ts";
import type { EventStore } from "../../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import type { Log } from "../../../../platform/log/log.ts";
import { type Batch, countLines, halve, middleOf, type Part } from "./halve.ts";
import type { LoadJournal } from "./load-journal.ts";
import type { Stretch } from "./parse-stretch.ts";
import { rowError } from "./retry.ts";
import type { Segment } from "./segment.ts";
import type { Spool } from "./spool.ts";
import type { SpoolRecord } from "./spool-record.ts";

/** So many refusals find a few bad rows among many. Where there are more, good ones are set aside with them. */
const MAX_REFUSALS = 200;

interface InsertDeps {
	readonly store: Pick<EventStore, "insert">;
	readonly journal: Pick<LoadJournal, "cutOf" | "noteCut">;
	readonly table: string;
	readonly columns: readonly string[];
	/** Tokens that the store has had from this process since it began the step; added to. */
	readonly finished: Set<string>;
	/** Keeps rows that the store refuses, with the engine's name of its error. */
	readonly setAside: (batch: Batch, error: string) => Promise<void>;
}

/**
 * Brings rows into the event store. When it refuses them for what they are, their halves are tried under tokens of their
 * own, and so on, until the bad rows stand alone and are set aside. Each cut is durable before its halves are tried, and the
 * whole is never tried again: so nothing counts twice, wherever this is interrupted. Throws what may pass.
 */
async function insertBatch(deps: InsertDeps, whole: Batch): Promise<void> {
	const left = whole.parts.length === 0 ? [] : [whole];
	let refusals = 0;
	for (let batch = left.pop(); batch !== undefined; batch = left.pop()) {
		let cut = deps.journal.cutOf(batch.token);
		if (cut === undefined) {
			const refusal = await tryInsert(deps, batch);
			if (refusal === undefined) continue;
			cut = ++refusals < MAX_REFUSALS ? middleOf(batch) : undefined;
			if (cut === undefined) {
				await deps.setAside(batch, refusal);
				deps.finished.add(batch.token);
				continue;
			}
			await deps.journal.noteCut(batch.token, cut);
		}
		left.push(...halve(batch, cut).reverse());
	}
}

/** The engine's error when it lies with the rows. */
async function tryInsert(deps: InsertDeps, { token, parts }: Batch): Promise<string | undefined> {
	const { store, table, columns, finished } = deps;
	if (finished.has(token)) return undefined;
	const [only, ...more] = parts;
	const tsv = only !== undefined && more.length === 0 ? only.bytes : Buffer.concat(parts.map(({ bytes }) => bytes));
	try {
		await store.insert({ table, columns, tsv, deduplicationToken: token });
		finished.add(token);
		return undefined;
	} catch (error) {
		const refusal = rowError(error);
		if (refusal === undefined) throw error;
		return refusal;
	}
}

export interface LoadDeps {
	readonly spool: Spool;
	readonly store: Pick<EventStore, "insert">;
	readonly clock: Clock;
	readonly log: Log;
}

const TABLES = [
	{ name: "events", letter: "e", columns: Object.keys(eventColumns), rowsOf: ({ events }: SpoolRecord) => events },
	{ name: "bot_hits", letter: "b", columns: botHitColumns, rowsOf: ({ botHits }: SpoolRecord) => botHits },
];

/** Loads a stretch, table by table, and sets refused rows aside. `finished` holds tokens of earlier attempts. Throws temporary failures. */
export async function loadStretch(
	deps: LoadDeps,
	segment: Segment,
	{ step, records, damage }: Pick<Stretch, "step" | "records" | "damage">,
	finished: Set<string>,
): Promise<void> {
	const { spool, store, log } = deps;
	for (const damaged of damage) {
		const file = await spool.refused.keepDamage(segment, damaged);
		const fields = { segment: segment.path, from: damaged.from, bytes: damaged.bytes.length, file };
		log.error(fields, "part of the spool is damaged and was moved aside");
	}
	if (step === undefined) return;
	for (const { name: table, letter, columns, rowsOf } of TABLES) {
		const parts = records.map((record): Part => ({ at: record.at, first: 0, bytes: rowsOf(record) }));
		// Made of what stands in the segment alone, so that the event store drops a step that comes twice.
		const token = `${segment.id}-${step}-${letter}`;
		const batch = { token, parts: parts.filter(({ bytes }) => bytes.length > 0) };
		const setAside = (refused: Batch, error: string) => keepRefused(deps, { table, columns, error }, refused);
		await insertBatch({ store, journal: spool.journal, table, columns, finished, setAside }, batch);
	}
}

async function keepRefused(
	{ spool, clock, log }: LoadDeps,
	of: { readonly table: string; readonly columns: readonly string[]; readonly error: string },
	{ token, parts }: Batch,
): Promise<void> {
	const tsv = Buffer.concat(parts.map(({ bytes }) => bytes));
	const rows = countLines(tsv);
	const file = await spool.refused.keepRows({ ...of, token, rows, at: new Date(clock.now()).toISOString() }, tsv);
	log.error({ rows, file, error: of.error }, "the event store rejects these rows; they were moved aside");
}
