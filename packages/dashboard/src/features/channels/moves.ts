/** Visits of one source, medium and campaign. */
export interface Touch {
	readonly source: string;
	readonly medium: string;
	readonly campaign: string;
	readonly visits: number;
}

/** Visits that get another channel. */
export interface Move {
	readonly from: string;
	readonly to: string;
	readonly visits: number;
	/** Their traffic sources, the one with the most visits first. */
	readonly touches: readonly Touch[];
}

/** Visits whose channel changes; `before` and `after` are in the order of the touches. */
export function movesOf(
	touches: readonly Touch[],
	before: readonly string[],
	after: readonly string[],
): readonly Move[] {
	const moves = new Map<string, Move>();
	for (const [at, touch] of touches.entries()) {
		const [from, to] = [before[at] ?? "", after[at] ?? ""];
		if (from === to) continue;
		const key = JSON.stringify([from, to]);
		const known = moves.get(key);
		moves.set(key, {
			...{ from, to },
			visits: (known?.visits ?? 0) + touch.visits,
			touches: [...(known?.touches ?? []), touch],
		});
	}
	return [...moves.values()].toSorted((a, b) => b.visits - a.visits);
}

/** The sources with their mediums among these, whatever the campaign; the most visits first. */
export function sourcesOf(touches: readonly Touch[]): readonly Omit<Touch, "campaign">[] {
	const sources = new Map<string, Omit<Touch, "campaign">>();
	for (const { source, medium, visits } of touches) {
		const key = JSON.stringify([source, medium]);
		sources.set(key, { source, medium, visits: visits + (sources.get(key)?.visits ?? 0) });
	}
	return [...sources.values()].toSorted((a, b) => b.visits - a.visits);
}
