/** Sums have at most four decimals: as whole numbers of the smallest step they add up without error. */
export const DECIMAL_STEPS = 10_000;
