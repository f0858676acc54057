import type { EventStore } from "../event-store/event-store.ts";
import { kindOf, type SpanFacts, type Trace, traced } from "../lib/trace.ts";

const factsOf = (operation: string, more: Readonly<Record<string, string | number>> = {}): SpanFacts => ({
	name: `event store ${operation}`,
	kind: "client",
	attributes: { "db.system.name": "clickhouse", "db.operation.name": operation, ...more },
});

/** The store with a span for each piece of work, waiting for its turn included. Statements and values stay out of it. */
export function traceStore(store: EventStore, trace: Trace): EventStore {
	async function* tracedStream<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
		const span = trace.begin(factsOf("stream"));
		const iterator = span.within(() => parts[Symbol.asyncIterator]());
		try {
			for (let next = await span.within(() => iterator.next()); next.done !== true; ) {
				yield next.value;
				next = await span.within(() => iterator.next());
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
	}
	return {
		...store,
		query: (query) => traced(trace, factsOf("query"), () => store.query(query)),
		stream: (query) => tracedStream(store.stream(query)),
		streamBytes: (query) => tracedStream(store.streamBytes(query)),
		insert: (insert) =>
			traced(
				trace,
				factsOf("insert", { "db.collection.name": insert.table, "footfall.bytes": insert.tsv.byteLength }),
				() => store.insert(insert),
			),
		command: (...command) => traced(trace, factsOf("command"), () => store.command(...command)),
	};
}
