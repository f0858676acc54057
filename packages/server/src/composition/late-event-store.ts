import { ServiceError } from "../platform/errors/service-error.ts";
import type { EventStore } from "../platform/event-store/event-store.ts";

/** An event store that says `database_unavailable` until its tables are up to date. Its ping answers as soon as it can. */
export function lateEventStore<Store extends EventStore>(store: Store, isReady: () => boolean): Store {
	const check = () => {
		if (!isReady()) throw new ServiceError("database_unavailable");
	};
	return {
		...store,
		query: async <Row extends object>(...args: Parameters<EventStore["query"]>) => {
			check();
			return store.query<Row>(...args);
		},
		stream: async function* <Row extends object>(...args: Parameters<EventStore["stream"]>) {
			check();
			yield* store.stream<Row>(...args);
		},
		streamBytes: async function* (...args: Parameters<EventStore["streamBytes"]>) {
			check();
			yield* store.streamBytes(...args);
		},
		insert: async (...args: Parameters<EventStore["insert"]>) => {
			check();
			await store.insert(...args);
		},
		command: async (...args: Parameters<EventStore["command"]>) => {
			check();
			await store.command(...args);
		},
	};
}
