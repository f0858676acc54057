/** After these milliseconds half of what was used counts. */
const HALF_LIFE_MS = 10_000;
/** Names beyond this many are looked through for those that no longer matter. */
const SWEEP_ABOVE = 1000;
const NEGLIGIBLE_MS = 1;

/** How much of the engine's time each name had lately. */
export interface EngineUse {
	add(name: string, ms: number, now: number): void;
	/** Milliseconds, what is long ago counting less. */
	of(name: string, now: number): number;
	/** The most that any other name had. */
	ofOthers(name: string, now: number): number;
}

/** Sums of milliseconds that fade by half every ten seconds. */
export function createEngineUse(): EngineUse {
	const used = new Map<string, { ms: number; at: number }>();
	const of = (name: string, now: number) => {
		const known = used.get(name);
		return known === undefined ? 0 : known.ms * 2 ** ((known.at - now) / HALF_LIFE_MS);
	};
	return {
		of,
		ofOthers(name, now) {
			let most = 0;
			for (const other of used.keys()) if (other !== name) most = Math.max(most, of(other, now));
			return most;
		},
		add(name, ms, now) {
			used.set(name, { ms: of(name, now) + ms, at: now });
			if (used.size <= SWEEP_ABOVE) return;
			for (const other of used.keys()) if (of(other, now) < NEGLIGIBLE_MS) used.delete(other);
		},
	};
}
