const AGAIN_MS = 50;

/** Does `act` once the signal aborts, and again until stopped: what it is to end may not have begun yet. */
export function repeatOnAbort(signal: AbortSignal, act: () => Promise<unknown>): () => void {
	let timer: NodeJS.Timeout | undefined;
	let stopped = false;
	const again = () => {
		act()
			.catch(() => undefined)
			.then(() => {
				if (!stopped) timer = setTimeout(again, AGAIN_MS);
			});
	};
	signal.addEventListener("abort", again, { once: true });
	return () => {
		stopped = true;
		signal.removeEventListener("abort", again);
		clearTimeout(timer);
	};
}
