/** The hits of each range of scores, as the API counts them. */
export interface Distribution {
	readonly score_0: number;
	readonly score_1_30: number;
	readonly score_31_60: number;
	readonly score_61_80: number;
	readonly score_81_100: number;
}

/** A range of scores as a column. */
interface ScoreColumn {
	readonly from: number;
	readonly to: number;
	readonly count: number;
	/** 0 to 1: by the logarithm, as few hits are suspicious beside those that are not. */
	readonly height: number;
	/** True where the threshold leaves out all of them. */
	readonly isLeftOut: boolean;
}

const ranges = [
	["score_0", 0, 0],
	["score_1_30", 1, 30],
	["score_31_60", 31, 60],
	["score_61_80", 61, 80],
	["score_81_100", 81, 100],
] as const;

/** The hits without any sign stand in a narrow column of their own. */
const widthOfNone = 8;
const widthOf = (from: number, to: number): number => (to === 0 ? widthOfNone : to - from + 1);

/** The ranges of scores beside the site's threshold. */
export function scoreColumns(
	distribution: Distribution,
	threshold: number,
): readonly (ScoreColumn & { width: number })[] {
	const most = Math.max(...ranges.map(([key]) => distribution[key]));
	return ranges.map(([key, from, to]) => ({
		from,
		to,
		count: distribution[key],
		height: most === 0 ? 0 : Math.log1p(distribution[key]) / Math.log1p(most),
		isLeftOut: from > threshold,
		width: widthOf(from, to),
	}));
}

/** Where the threshold stands along the columns, 0 to 1. */
export const thresholdAt = (threshold: number): number => (widthOfNone + threshold) / (widthOfNone + 100);
