interface Distribution {
	readonly score_0: number;
	readonly score_1_30: number;
	readonly score_31_60: number;
	readonly score_61_80: number;
	readonly score_81_100: number;
	readonly total_hits: number;
}

/**
 * Percent of the hits whose score is above the site's threshold: they are in no report. Undefined where the threshold
 * lies inside of a range of scores, as the number is unknown then.
 */
export function botsLeftOut(hits: Distribution, threshold: number): number | undefined {
	const above: Readonly<Record<number, number>> = {
		0: hits.score_1_30 + hits.score_31_60 + hits.score_61_80 + hits.score_81_100,
		30: hits.score_31_60 + hits.score_61_80 + hits.score_81_100,
		60: hits.score_61_80 + hits.score_81_100,
		80: hits.score_81_100,
		100: 0,
	};
	const left = above[threshold];
	return left === undefined || hits.total_hits === 0 ? undefined : (100 * left) / hits.total_hits;
}
