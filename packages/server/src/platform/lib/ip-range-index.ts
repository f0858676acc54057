import type { IpAddress, IpRange } from "./ip-address.ts";

/** Ranges to look addresses up in. */
export interface IpRangeIndex<T> {
	/** Value of the narrowest range that contains the address; undefined if there is none. */
	find(address: IpAddress): T | undefined;
}

interface Level<T> {
	readonly prefix: number;
	readonly shift: bigint;
	readonly byNetwork: Map<bigint, T>;
}

/** Prepares ranges so that a look-up costs one map access for each length of prefix among them. Of equal ranges the first counts. */
export function indexIpRanges<T>(entries: Iterable<readonly [IpRange, T]>): IpRangeIndex<T> {
	const levels: Readonly<Record<4 | 6, Level<T>[]>> = { 4: [], 6: [] };
	for (const [{ family, bits, prefix }, value] of entries) {
		let level = levels[family].find((known) => known.prefix === prefix);
		if (level === undefined) {
			level = { prefix, shift: BigInt((family === 4 ? 32 : 128) - prefix), byNetwork: new Map() };
			levels[family].push(level);
		}
		const network = bits >> level.shift;
		if (!level.byNetwork.has(network)) level.byNetwork.set(network, value);
	}
	for (const family of [4, 6] as const) levels[family].sort((a, b) => b.prefix - a.prefix);
	return {
		find: ({ family, bits }) => {
			for (const { shift, byNetwork } of levels[family]) {
				const value = byNetwork.get(bits >> shift);
				if (value !== undefined) return value;
			}
			return undefined;
		},
	};
}
