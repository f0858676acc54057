import { botHitColumns } from "../../../../analytics/model/bot-hit-row.ts";
import { eventColumns } from "../../../../analytics/model/event-columns.ts";
import type { EventStore } from "../../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import type { Log } from "../../../../platform/log/log.ts";
import { type Batch, countLines, type Part } from "./halve.ts";
import { insertBatch } from "./insert-batch.ts";
import { stepToken } from "./load-plan.ts";
import type { Stretch } from "./parse-stretch.ts";
import type { Segment } from "./segment.ts";
import type { Spool } from "./spool.ts";
import type { SpoolRecord } from "./spool-record.ts";

interface LoadDeps {
	readonly spool: Spool;
	readonly store: Pick<EventStore, "insert">;
	readonly clock: Clock;
	readonly log: Log;
}

interface Table {
	readonly name: string;
	readonly columns: readonly string[];
	readonly rowsOf: (record: SpoolRecord) => Uint8Array;
}

const TABLES: readonly Table[] = [
	{ name: "events", columns: Object.keys(eventColumns), rowsOf: ({ events }) => events },
	{ name: "bot_hits", columns: botHitColumns, rowsOf: ({ botHits }) => botHits },
];

/**
 * Brings a stretch of a segment into the event store, table by table, and sets aside what cannot go there. `finished` holds
 * what was done before an attempt failed, so that a repetition does only what is missing. Throws what may pass.
 */
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
		log.error(fields, "part of the spool is damaged; it was set aside");
	}
	if (step === undefined) return;
	for (const { name: table, columns, rowsOf } of TABLES) {
		const parts = records.map((record): Part => ({ at: record.at, first: 0, bytes: rowsOf(record) }));
		const batch = { token: stepToken(segment, step, table), parts: parts.filter(({ bytes }) => bytes.length > 0) };
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
	log.error({ rows, file, error: of.error }, "the event store refuses these rows for good; they were set aside");
}
