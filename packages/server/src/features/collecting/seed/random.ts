/** A reproducible stream of random numbers: the same seed gives the same stream on every machine. */
export interface Random {
	/** From 0 inclusive to 1 exclusive. */
	next(): number;
	/** A whole number from 0 to `below - 1`. */
	below(below: number): number;
	/** True in `share` of the cases. */
	chance(share: number): boolean;
	/** Exponentially distributed with the given mean. */
	exponential(mean: number): number;
}

/** sfc32 (Chris Doty-Humphrey's PractRand), 32 bits a step. */
export function createRandom(seed: number): Random {
	let [a, b, c, counter] = [seed | 0, Math.floor(seed / 2 ** 32) | 0, 0x9e3779b9 | 0, 1];
	const step = () => {
		const result = (a + b + counter) | 0;
		counter = (counter + 1) | 0;
		a = b ^ (b >>> 9);
		b = (c + (c << 3)) | 0;
		c = (((c << 21) | (c >>> 11)) + result) | 0;
		return result >>> 0;
	};
	for (let round = 0; round < 12; round++) step();
	const next = () => step() / 2 ** 32;
	return {
		next,
		below: (below) => Math.floor(next() * below),
		chance: (share) => next() < share,
		exponential: (mean) => -Math.log(1 - next()) * mean,
	};
}

/** Draws entries by weight in constant time (Walker's alias method). */
export function weighted<Entry>(entries: readonly (readonly [Entry, number])[]): (random: Random) => Entry {
	const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
	const shares = entries.map(([, weight]) => (weight * entries.length) / total);
	const alias = entries.map((_, index) => index);
	const small = shares.flatMap((share, index) => (share < 1 ? [index] : []));
	const large = shares.flatMap((share, index) => (share < 1 ? [] : [index]));
	for (let low = small.pop(); low !== undefined; low = small.pop()) {
		const high = large.pop();
		if (high === undefined) break;
		alias[low] = high;
		const rest = (shares[high] ?? 0) - (1 - (shares[low] ?? 0));
		shares[high] = rest;
		(rest < 1 ? small : large).push(high);
	}
	return (random) => {
		const index = random.below(entries.length);
		const picked = entries[random.next() < (shares[index] ?? 1) ? index : (alias[index] ?? index)] ?? entries[0];
		if (picked === undefined) throw new Error("nothing to draw from");
		return picked[0];
	};
}

/** Weights that fall with the rank, as the popularity of pages does. */
export function byRank<Entry>(entries: readonly Entry[], exponent = 1): (readonly [Entry, number])[] {
	return entries.map((entry, rank) => [entry, 1 / (rank + 2) ** exponent] as const);
}
