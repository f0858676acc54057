/** How sure a comparison is. */
export const confidences = ["high", "medium", "low"] as const;
export type Confidence = (typeof confidences)[number];

/** Sample of a comparison, over both weeks. */
export interface Sample {
	/** Of the 14, those on which something was counted. */
	readonly days: number;
	readonly events: number;
	/** Null where it does not rest on conversions. */
	readonly conversions: number | null;
}

/** Minimum for medium and high confidence. */
const least = { days: [7, 14], events: [100, 1000], conversions: [20, 100] } as const;

/** The lowest confidence of days, events and conversions. */
export function confidenceOf(sample: Sample): Confidence {
	const reached = (Object.keys(least) as (keyof Sample)[]).flatMap((name) => {
		const [value, [medium, high]] = [sample[name], least[name]];
		if (value === null) return [];
		return [value >= high ? 2 : value >= medium ? 1 : 0];
	});
	return (["low", "medium", "high"] as const)[Math.min(...reached) as 0 | 1 | 2];
}

/** The smallest change that counts, in percent. */
const CHANGE = 20;
const multipliers: Readonly<Record<Confidence, number>> = { high: 1, medium: 1.25, low: 1.5 };

/** The change in percent from which a rule fires at a confidence. */
export const thresholdAt = (confidence: Confidence): number => CHANGE * multipliers[confidence];
