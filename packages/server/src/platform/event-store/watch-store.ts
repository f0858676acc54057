import type { Cancel, Clock } from "../lib/clock.ts";

/** With the limit below, a silence is noticed in eight seconds. */
const EVERY_MS = 1500;
const WITHIN_MS = 2000;
/** So many unanswered questions in a row, not one: this process itself may have been held up meanwhile. */
const SILENT_AFTER = 3;

/** Dependencies of the watchdog. */
interface WatchDeps {
	readonly clock: Clock;
	/** Throws unless the store answers. */
	readonly ping: (signal: AbortSignal) => Promise<void>;
	/** Called when the store has not answered for six to eight seconds, and again as long as it does not. */
	readonly onSilence: () => void;
}

/** Tells whether the store answers. */
export interface StoreWatch {
	/** When the store was first found not to answer (`clock.monotonic()`); undefined while it answers. */
	silentSince(): number | undefined;
	close(): void;
}

/** Asks the store again and again for a sign of life, which needs nothing of its engine, so that no query holds it up. */
export function watchStore({ clock, ping, onSilence }: WatchDeps): StoreWatch {
	let silentSince: number | undefined;
	let unanswered = 0;
	let cancel: Cancel;
	const closing = new AbortController();

	const ask = async () => {
		const limit = clock.deadline(WITHIN_MS, closing.signal);
		try {
			await ping(limit);
			[silentSince, unanswered] = [undefined, 0];
		} catch {
			silentSince ??= clock.monotonic();
			// A refusal is an answer too: an ended process recovers by itself.
			unanswered = limit.aborted ? unanswered + 1 : 0;
		}
		if (closing.signal.aborted) return;
		if (unanswered >= SILENT_AFTER) {
			unanswered = 0;
			onSilence();
		}
		// Without a pause while it is silent.
		cancel = clock.after(unanswered > 0 ? 0 : EVERY_MS, ask);
	};
	cancel = clock.after(EVERY_MS, ask);
	return {
		silentSince: () => silentSince,
		close() {
			closing.abort();
			cancel();
		},
	};
}
