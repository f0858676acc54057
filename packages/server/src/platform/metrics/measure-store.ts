import type { EventStore } from "../event-store/event-store.ts";
import type { Clock } from "../lib/clock.ts";

/** Kind of a call to the event store. */
export type StoreWork = "query" | "stream" | "insert" | "command";

/** Told of each piece of work when it has ended, with its seconds and whether it went well. */
export type StoreObserver = (work: StoreWork, seconds: number, isDone: boolean) => void;

/** The store, which tells how long it takes. A stream takes as long as its reader: from the question to the last row. */
export function measureStore(store: EventStore, clock: Clock, observe: StoreObserver): EventStore {
	const secondsSince = (began: number) => (clock.monotonic() - began) / 1000;
	const timed = async <Result>(work: StoreWork, run: () => Promise<Result>): Promise<Result> => {
		const began = clock.monotonic();
		try {
			const result = await run();
			observe(work, secondsSince(began), true);
			return result;
		} catch (error) {
			observe(work, secondsSince(began), false);
			throw error;
		}
	};
	async function* timedStream<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
		const began = clock.monotonic();
		let isDone = false;
		try {
			yield* parts;
			isDone = true;
		} finally {
			observe("stream", secondsSince(began), isDone);
		}
	}
	return {
		...store,
		query: (query) => timed("query", () => store.query(query)),
		stream: (query) => timedStream(store.stream(query)),
		streamBytes: (query) => timedStream(store.streamBytes(query)),
		insert: (insert) => timed("insert", () => store.insert(insert)),
		command: (...command) => timed("command", () => store.command(...command)),
	};
}
