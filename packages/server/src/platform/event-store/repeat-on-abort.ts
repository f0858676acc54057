import { type Cancel, systemClock } from "../lib/clock.ts";

const AGAIN_MS = 50;

/** Runs `act` once the signal aborts, and repeats it until stopped, as its target may not have started yet. */
export function repeatOnAbort(signal: AbortSignal, act: () => Promise<unknown>): () => void {
	let cancel: Cancel | undefined;
	let stopped = false;
	const again = () => {
		act()
			.catch(() => undefined)
			.then(() => {
				if (!stopped) cancel = systemClock.after(AGAIN_MS, again);
			});
	};
	signal.addEventListener("abort", again, { once: true });
	return () => {
		stopped = true;
		signal.removeEventListener("abort", again);
		cancel?.();
	};
}
