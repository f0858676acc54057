/** Tells a waiting hit whether its rows are durable. */
export type Committed = (error: Error | undefined) => void;

/** Hits whose rows become durable together. */
export interface Group {
	/** Rows of the bot table: they stand behind those of the events, so they are written last. */
	readonly botHits: string[];
	botBytes: number;
	readonly waiting: Committed[];
	readonly sites: Set<string>;
	rows: number;
	/** Bytes of all its rows. */
	bytes: number;
}

/** A group that nobody waits for yet. */
export const emptyGroup = (): Group => ({
	botHits: [],
	botBytes: 0,
	waiting: [],
	sites: new Set(),
	rows: 0,
	bytes: 0,
});
