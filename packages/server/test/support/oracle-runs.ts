import { test } from "node:test";
import fc from "fast-check";
import { isCore } from "./hostile-texts.ts";

const RUNS = process.env.ORACLE_RUNS;
const SEED = process.env.ORACLE_SEED;

/** Of fifteen: one in the core, a fifth beyond it. */
const usualRuns = isCore ? 1 : 3;

/**
 * How often a property of the oracles is tried, a part of `usual` in everyday runs: each time the same draws, so that a change that has nothing to do with them
 * never fails by chance. More and others: `ORACLE_RUNS=200 npm test -- oracle`, and `ORACLE_SEED=7` to draw the same again.
 */
export function oracleRuns(usual: number) {
	const numRuns = Math.ceil((Number(RUNS ?? usualRuns) * usual) / 15);
	const seed = SEED === undefined ? (RUNS === undefined ? 20_261_122 : undefined) : Number(SEED);
	return { numRuns, endOnFailure: true, ...(seed !== undefined && { seed }) };
}

/** A test that tries a property; more runs may take longer. */
export function oracleTest<T>(title: string, runs: number, drawn: fc.Arbitrary<T>, check: (drawn: T) => Promise<void>) {
	const timeout = 200_000 * Math.max(1, Math.ceil(Number(RUNS ?? 15) / 15));
	test(title, { timeout }, () => fc.assert(fc.asyncProperty(drawn, check), oracleRuns(runs)));
}
