import { ServiceError } from "../../src/platform/errors/service-error.ts";
import type { EventInsert, EventStore } from "../../src/platform/event-store/event-store.ts";
import { StoreFailure } from "../../src/platform/event-store/store-error.ts";

/** Behaviour of the store on an insert: `lost` stores the rows without an answer. */
export type StoreMood = "well" | "away" | "lost" | "short of memory";

/** An event store made of counters that does what the real one promises: a whole insert or none, and each token once. */
export class ModelStore {
	readonly counts = new Map<string, number>();
	readonly tokens = new Set<string>();
	mood: StoreMood = "well";
	/** Lines that hold this are refused; nothing is when undefined. */
	refuses: string | undefined;
	inserts = 0;

	async insert({ table, tsv, deduplicationToken }: EventInsert): Promise<void> {
		this.inserts++;
		if (this.mood === "away") throw new ServiceError("database_unavailable");
		if (this.mood === "short of memory") throw engineError("MEMORY_LIMIT_EXCEEDED");
		const token = `${table} ${deduplicationToken}`;
		const lines = Buffer.from(tsv).toString().split("\n").slice(0, -1);
		const { refuses } = this;
		if (refuses !== undefined && lines.some((line) => line.includes(refuses))) throw engineError("CANNOT_PARSE_NUMBER");
		if (!this.tokens.has(token)) {
			this.tokens.add(token);
			for (const line of lines) this.counts.set(line, (this.counts.get(line) ?? 0) + 1);
		}
		if (this.mood === "lost") throw new ServiceError("database_unavailable");
	}
}

/** The error that the store answers with when the engine names one. */
export const engineError = (name: string): ServiceError =>
	new ServiceError("database_error", { cause: new StoreFailure(name, "INSERT INTO events", "", name) });

/** An event store that refuses the inserts for whose rows a test names an error. */
export const refusingInserts =
	(refusal: (rows: string) => Error | undefined) =>
	(store: EventStore): EventStore => ({
		...store,
		insert: async (insert) => {
			const error = refusal(Buffer.from(insert.tsv).toString());
			if (error !== undefined) throw error;
			await store.insert(insert);
		},
	});
