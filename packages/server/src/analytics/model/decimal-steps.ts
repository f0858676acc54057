/** Sums have at most so many decimals. */
export const DECIMALS = 4;
/** As whole numbers of the smallest step sums add up without error. */
export const DECIMAL_STEPS = 10 ** DECIMALS;
