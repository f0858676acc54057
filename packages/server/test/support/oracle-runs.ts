const RUNS = process.env.ORACLE_RUNS;
const SEED = process.env.ORACLE_SEED;

/**
 * How often a property of the oracles is tried, a fifth of `usual` in everyday runs: each time the same draws, so that a change that has nothing to do with them
 * never fails by chance. More and others: `ORACLE_RUNS=200 npm test -- oracle`, and `ORACLE_SEED=7` to draw the same again.
 */
export function oracleRuns(usual: number) {
	const numRuns = Math.ceil((Number(RUNS ?? 3) * usual) / 15);
	const seed = SEED === undefined ? (RUNS === undefined ? 20_261_122 : undefined) : Number(SEED);
	return { numRuns, endOnFailure: true, ...(seed !== undefined && { seed }) };
}

/** How long a test may take that tries a property of the oracles; more runs take longer. */
export const oracleLimit = (usualMs: number) => ({
	timeout: usualMs * Math.max(1, Math.ceil(Number(RUNS ?? 15) / 15)),
});
