import type { EventStore } from "../../../../platform/event-store/event-store.ts";
import { type Batch, halve, middleOf } from "./halve.ts";
import type { LoadJournal } from "./load-journal.ts";
import { rowError } from "./retry.ts";

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
export async function insertBatch(deps: InsertDeps, whole: Batch): Promise<void> {
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
