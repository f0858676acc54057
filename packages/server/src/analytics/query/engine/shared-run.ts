/** Work that several wait for and that runs once. */
export interface SharedRun<Result> {
	/** False when nobody waits any more, so that the work was ended. */
	readonly isWanted: boolean;
	/** The result for one more who waits: until their signal aborts, which rejects with its reason. */
	join(signal: AbortSignal | undefined): Promise<Result>;
}

/** Begins the work. It is told to end when the signals of all who wait have aborted; one without a signal waits for ever. */
export function shareRun<Result>(begin: (signal: AbortSignal) => Promise<Result>): SharedRun<Result> {
	const end = new AbortController();
	const result = begin(end.signal);
	// Those who wait are told; there may be none of them left.
	result.catch(() => undefined);
	let waiting = 0;
	return {
		get isWanted() {
			return !end.signal.aborted;
		},
		join(signal) {
			waiting += 1;
			if (signal === undefined) return result;
			return new Promise((resolve, reject) => {
				const leave = () => {
					reject(signal.reason);
					waiting -= 1;
					if (waiting === 0) end.abort(signal.reason);
				};
				if (signal.aborted) return leave();
				signal.addEventListener("abort", leave, { once: true });
				result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
			});
		},
	};
}
