import { ServiceError } from "../errors/service-error.ts";
import type { Clock } from "../lib/clock.ts";
import { kindOf, type SpanFacts, type Trace, traced } from "../lib/trace.ts";
import type { EventInsert, EventStore } from "./event-store.ts";

// From the outside in a statement passes: kept answers, tracing, measuring, readiness of the tables, held writes, noted changes, turns.
// So a span and the measured seconds hold every wait, a kept answer causes neither, and a statement before its tables fails at once.

/** A call that is answered once, or `stream`: one that is read piece by piece. */
export type StoreWork = "query" | "stream" | "insert" | "command";

/** Interceptors of a store's calls; each runs `next`, or throws in its place. */
interface Layer {
	call<T>(work: Exclude<StoreWork, "stream">, next: () => Promise<T>, insert?: EventInsert): Promise<T>;
	read<Part>(next: () => AsyncIterable<Part>): AsyncIterable<Part>;
}

const within = (store: EventStore, { call, read }: Layer): EventStore => ({
	...store,
	query: (query) => call("query", () => store.query(query)),
	stream: (query) => read(() => store.stream(query)),
	streamBytes: (query) => read(() => store.streamBytes(query)),
	insert: (insert) => call("insert", () => store.insert(insert), insert),
	command: (...command) => call("command", () => store.command(...command)),
});

/** The store, which says `database_unavailable` until its tables are up to date. Its ping answers as soon as it can. */
export function lateStore(store: EventStore, isReady: () => boolean): EventStore {
	const check = () => {
		if (!isReady()) throw new ServiceError("database_unavailable");
	};
	return within(store, {
		call: async (_work, next) => {
			check();
			return next();
		},
		read: async function* (next) {
			check();
			yield* next();
		},
	});
}

/** Told of each piece of work when it has ended, with its seconds and whether it went well. */
export type StoreObserver = (work: StoreWork, seconds: number, isDone: boolean) => void;

/** The store, which tells how long it takes. A stream takes as long as its reader: from the question to the last row. */
export function measureStore(store: EventStore, clock: Clock, observe: StoreObserver): EventStore {
	const secondsSince = (began: number) => (clock.monotonic() - began) / 1000;
	return within(store, {
		call: async (work, next) => {
			const began = clock.monotonic();
			try {
				const result = await next();
				observe(work, secondsSince(began), true);
				return result;
			} catch (error) {
				observe(work, secondsSince(began), false);
				throw error;
			}
		},
		read: async function* (next) {
			const began = clock.monotonic();
			let isDone = false;
			try {
				yield* next();
				isDone = true;
			} finally {
				observe("stream", secondsSince(began), isDone);
			}
		},
	});
}

const spanOf = (work: StoreWork, insert?: EventInsert): SpanFacts => ({
	name: `event store ${work}`,
	kind: "client",
	attributes: {
		"db.system.name": "clickhouse",
		"db.operation.name": work,
		...(insert && { "db.collection.name": insert.table, "footfall.bytes": insert.tsv.byteLength }),
	},
});

/** The store with a span for each piece of work, waiting for its turn included. Statements and values stay out of it. */
export const traceStore = (store: EventStore, trace: Trace): EventStore =>
	within(store, {
		call: (work, next, insert) => traced(trace, spanOf(work, insert), next),
		read: async function* (next) {
			const span = trace.begin(spanOf("stream"));
			const iterator = span.within(() => next()[Symbol.asyncIterator]());
			try {
				for (let step = await span.within(() => iterator.next()); step.done !== true; ) {
					yield step.value;
					step = await span.within(() => iterator.next());
				}
				span.end();
			} catch (error) {
				span.end(kindOf(error));
				throw error;
			} finally {
				// A reader who leaves early ends it too; a second end changes nothing.
				await iterator.return?.();
				span.end();
			}
		},
	});
