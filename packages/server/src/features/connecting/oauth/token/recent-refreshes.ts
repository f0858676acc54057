import { LruMap } from "../../../../platform/lib/lru-map.ts";

const MOST = 10_000;

/** When this process exchanged the latest refresh tokens: by it two refreshes at once are told from a stolen token. */
export interface RecentRefreshes {
	/** A token of this hash is being exchanged. */
	begin(hash: string): void;
	/** What it was exchanged for has gone out. */
	end(hash: string): void;
	/** Whether a request with a token of this hash was already here when what it was exchanged for went out. */
	isRace(hash: string, arrivedAt: number): boolean;
}

/** Times are those of `performance.now()`, which unlike the clock goes on between two requests of one millisecond. */
export function createRecentRefreshes(): RecentRefreshes {
	const answeredAt = new LruMap<string, number>(MOST);
	return {
		begin: (hash) => answeredAt.set(hash, Number.POSITIVE_INFINITY),
		end: (hash) => answeredAt.set(hash, performance.now()),
		isRace: (hash, arrivedAt) => arrivedAt < (answeredAt.get(hash) ?? 0),
	};
}
