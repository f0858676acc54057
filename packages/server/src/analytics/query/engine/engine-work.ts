import { AsyncLocalStorage } from "node:async_hooks";
import type { EventQuery } from "../../../platform/event-store/event-store.ts";

/** Work of the engine for one request. */
export interface EngineWork {
	/** Statements that were asked, those too whose answers were kept. */
	readonly statements: number;
	/** Milliseconds that the engine worked on them; none for kept answers and for those that somebody else had asked already. */
	readonly ms: number;
	/** The texts of the statements, where they are wanted. */
	readonly sql: readonly string[];
}

interface Noted extends EngineWork {
	statements: number;
	ms: number;
	readonly sql: string[];
	readonly keepsSql: boolean;
}

const storage = new AsyncLocalStorage<Noted>();

/** Does `work` and notes what the engine does for it. */
export function notingWork(keepsSql: boolean, work: (noted: EngineWork) => void): void {
	const noted: Noted = { statements: 0, ms: 0, sql: [], keepsSql };
	storage.run(noted, () => work(noted));
}

/** Work of the engine for the current request; undefined outside of one. */
export const currentWork = (): EngineWork | undefined => storage.getStore();

/** The query, which tells the request at hand of what the engine does for it. */
export function noted<Query extends EventQuery>(query: Query): Query {
	const work = storage.getStore();
	if (work === undefined) return query;
	work.statements += 1;
	// A stream may run for hours, so its work keeps no texts.
	if (work.keepsSql) work.sql.push(query.sql);
	return {
		...query,
		onStatistics: ({ elapsed }) => {
			work.ms += elapsed * 1000;
		},
	};
}
