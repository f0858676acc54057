import type { EventStore } from "../../packages/server/src/platform/event-store/event-store.ts";

const LOOK_EVERY_MS = 500;
/** The store picks its next merge within this time, or none. */
const QUIET_MS = 6000;

/** Resolves when no parts are merged any more, and none have been for a while: seconds that it took. */
export async function settle(store: EventStore): Promise<number> {
	const began = performance.now();
	let quietSince = began;
	let before = "";
	while (performance.now() - quietSince < QUIET_MS) {
		await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
		const [now] = await store.query<{ merges: number; parts: number }>({
			sql: `SELECT (SELECT count() FROM system.merges) AS merges,
				(SELECT count() FROM system.parts WHERE active AND database = currentDatabase()) AS parts`,
		});
		const state = `${now?.merges} ${now?.parts}`;
		if (now?.merges !== 0 || state !== before) quietSince = performance.now();
		before = state;
	}
	return (performance.now() - began) / 1000;
}
