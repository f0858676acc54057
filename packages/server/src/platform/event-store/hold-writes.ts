import type { EventStore } from "./event-store.ts";

/** Runs work on a store without concurrent writes: running ones are awaited, new ones wait. */
export type HoldWrites = <T>(work: (store: EventStore) => Promise<T>) => Promise<T>;

/** Allows pausing the writes of a store; reads continue. */
export function holdable<Store extends EventStore>(
	store: Store,
): { readonly store: Store; readonly holdWrites: HoldWrites } {
	/** While writes are held: resolves when they are no longer. */
	let held: Promise<void> | undefined;
	const underWay = new Set<Promise<unknown>>();
	const write = async <T>(work: () => Promise<T>): Promise<T> => {
		while (held !== undefined) await held;
		const running = work();
		const ended: Promise<unknown> = running.then(
			() => underWay.delete(ended),
			() => underWay.delete(ended),
		);
		underWay.add(ended);
		return running;
	};
	const holdWrites: HoldWrites = async (work) => {
		while (held !== undefined) await held;
		const { promise, resolve } = Promise.withResolvers<void>();
		held = promise;
		try {
			await Promise.all(underWay);
			return await work(store);
		} finally {
			held = undefined;
			resolve();
		}
	};
	return {
		store: {
			...store,
			insert: (insert) => write(() => store.insert(insert)),
			command: (...command) => write(() => store.command(...command)),
		},
		holdWrites,
	};
}
