import { botHitColumns } from "../../../../analytics/model/bot-flags.ts";
import { eventColumns } from "../../../../analytics/model/event-columns.ts";
import type { EventStore } from "../../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import type { Log } from "../../../../platform/log/log.ts";
import { type Batch, countLines, halve, middleOf, type Part } from "./halve.ts";
import type { Stretch } from "./parse-stretch.ts";
import { tryInsert } from "./retry.ts";
import type { Segment } from "./segment.ts";
import type { Spool } from "./spool.ts";
import type { SpoolRecord } from "./spool-record.ts";

/** So many refusals find a few bad rows among many. Where there are more, good ones are set aside with them. */
const MAX_REFUSALS = 200;

export interface LoadDeps {
	readonly spool: Spool;
	readonly store: Pick<EventStore, "insert">;
	readonly clock: Clock;
	readonly log: Log;
}

const TABLES = [
	{ table: "events", letter: "e", columns: Object.keys(eventColumns), rowsOf: ({ events }: SpoolRecord) => events },
	{ table: "bot_hits", letter: "b", columns: botHitColumns, rowsOf: ({ botHits }: SpoolRecord) => botHits },
];

/** Loads a stretch, table by table, and sets refused rows aside. `finished` holds tokens of earlier attempts. Throws temporary failures. */
export async function loadStretch(
	deps: LoadDeps,
	segment: Segment,
	{ step, records, damage }: Pick<Stretch, "step" | "records" | "damage">,
	finished: Set<string>,
): Promise<void> {
	const { spool, log } = deps;
	for (const damaged of damage) {
		const file = await spool.refused.keepDamage(segment, damaged);
		const fields = { segment: segment.path, from: damaged.from, bytes: damaged.bytes.length, file };
		log.error(fields, "part of the spool is damaged and was moved aside");
	}
	if (step === undefined) return;
	for (const { letter, rowsOf, ...table } of TABLES) {
		const parts = records.map((record): Part => ({ at: record.at, first: 0, bytes: rowsOf(record) }));
		// Made of what stands in the segment alone, so that the event store drops a step that comes twice.
		const token = `${segment.id}-${step}-${letter}`;
		await insertBatch(deps, table, { token, parts: parts.filter(({ bytes }) => bytes.length > 0) }, finished);
	}
}

/**
 * Brings rows into the event store. When it refuses them for what they are, their halves are tried under tokens of their
 * own, and so on, until the bad rows stand alone and are set aside. Each cut is durable before its halves are tried, and the
 * whole is never tried again: so nothing counts twice, wherever this is interrupted. Throws what may pass.
 */
async function insertBatch(
	{ spool: { journal, refused }, store, clock, log }: LoadDeps,
	of: { readonly table: string; readonly columns: readonly string[] },
	whole: Batch,
	finished: Set<string>,
): Promise<void> {
	const left = whole.parts.length === 0 ? [] : [whole];
	let refusals = 0;
	for (let batch = left.pop(); batch !== undefined; batch = left.pop()) {
		const { token, parts } = batch;
		let cut = journal.cutOf(token);
		if (cut === undefined) {
			if (finished.has(token)) continue;
			const [only, ...more] = parts;
			const tsv = only !== undefined && more.length === 0 ? only.bytes : Buffer.concat(parts.map(({ bytes }) => bytes));
			const error = await tryInsert(store, { ...of, tsv, deduplicationToken: token });
			if (error !== undefined) cut = ++refusals < MAX_REFUSALS ? middleOf(batch) : undefined;
			if (cut === undefined) {
				if (error !== undefined) {
					const rows = countLines(tsv);
					const at = new Date(clock.now()).toISOString();
					const file = await refused.keepRows({ ...of, error, token, rows, at }, tsv);
					log.error({ rows, file, error }, "the event store rejects these rows; they were moved aside");
				}
				finished.add(token);
				continue;
			}
			await journal.noteCut(token, cut);
		}
		left.push(...halve(batch, cut).reverse());
	}
}
