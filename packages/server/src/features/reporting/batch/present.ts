import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Plan } from "./plan.ts";
import type { BatchResult, Outcome } from "./run-batch.ts";
import type { BatchQuery } from "./schemas.ts";

/** A batch that ran. */
interface Ran {
	readonly batchId: string;
	readonly queries: readonly BatchQuery[];
	readonly result: BatchResult;
	readonly includeTiming: boolean;
	/** Milliseconds since the Unix epoch. */
	readonly now: number;
}

/** Result of a query. */
export function presentOutcome({ ms, ...outcome }: Outcome, includeTiming: boolean) {
	return { ...outcome, ...(includeTiming && { timing_ms: Math.round(ms) }) };
}

/** The answer of a batch. */
export function presentBatch({ batchId, queries, result, includeTiming, now }: Ran) {
	const ordered = queries.flatMap(({ id }) => {
		const outcome = result.outcomes.get(id);
		return outcome === undefined ? [] : [[id, outcome] as const];
	});
	const count = (...wanted: Outcome["status"][]) => ordered.filter(([, { status }]) => wanted.includes(status)).length;
	const [successful, failed] = [count("success"), count("error")];
	return {
		batch_id: batchId,
		status: overall(successful, failed),
		results: Object.fromEntries(ordered.map(([id, outcome]) => [id, presentOutcome(outcome, includeTiming)])),
		meta: {
			total_queries: queries.length,
			successful,
			failed,
			skipped: count("skipped", "dependency_failed"),
			total_timing_ms: Math.round(result.ms),
			parallel_execution: result.wasParallel,
		},
		timestamp: timestamp(now),
	};
}

function overall(successful: number, failed: number) {
	if (failed === 0) return "completed" as const;
	return successful === 0 ? ("failed" as const) : ("partial" as const);
}

const presentFaults = (faults: Plan["errors"]) =>
	faults.map(({ queryId, message }) => ({ query_id: queryId, message }));

/** The answer of a validation. */
export function presentPlan({ errors, warnings, groups }: Plan, queryCount: number) {
	const names = groups.map((queries) => queries.map(({ id }) => id));
	return {
		valid: errors.length === 0,
		query_count: queryCount,
		execution_order: names.flat(),
		parallel_groups: names,
		errors: presentFaults(errors),
		warnings: presentFaults(warnings),
	};
}
