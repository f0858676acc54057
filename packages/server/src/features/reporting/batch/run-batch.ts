import { type FieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { BatchOptions, BatchQuery } from "./schemas.ts";

export type RouteAnswer =
	| { readonly status: "success"; readonly data: unknown }
	| { readonly status: "error"; readonly error: RouteError };

/** An error as answers tell it. */
export interface RouteError {
	readonly code: string;
	readonly message: string;
	readonly detail?: FieldError[];
}

/** Result of a query and its milliseconds. */
export type Outcome = (RouteAnswer | { readonly status: "dependency_failed" | "skipped" }) & { readonly ms: number };

export interface BatchResult {
	/** By query id, in the order of the request. */
	readonly outcomes: ReadonlyMap<string, Outcome>;
	/** More than one query ran at once. */
	readonly wasParallel: boolean;
	readonly ms: number;
}

export interface RunBatchDeps {
	/** Asks a query's route; never throws. */
	readonly ask: (query: BatchQuery) => Promise<RouteAnswer>;
	readonly clock: Pick<Clock, "monotonic">;
	/** Aborts at the deadline: running queries end with `gateway_timeout`. */
	readonly signal: AbortSignal;
	/** Hears of each query as it ends. */
	readonly onEnd?: (id: string, outcome: Outcome) => void;
}

const timedOut = new ServiceError("gateway_timeout", { message: "The batch ended before this query" });
const timeout: RouteAnswer = { status: "error", error: { code: timedOut.code, message: timedOut.message } };

/** Runs queries, given in an order in which each follows its dependencies. */
export async function runBatch(
	deps: RunBatchDeps,
	queries: readonly BatchQuery[],
	options: Pick<BatchOptions, "fail_fast" | "dry_run" | "parallel_limit">,
): Promise<BatchResult> {
	const { clock } = deps;
	const began = clock.monotonic();
	const outcomes = new Map<string, Outcome>();
	const running = new Map<string, { readonly since: number; readonly ended: Promise<void> }>();
	let mostAtOnce = 0;
	const end = (id: string, outcome: Outcome) => {
		outcomes.set(id, outcome);
		deps.onEnd?.(id, outcome);
	};

	const start = (query: BatchQuery) => {
		const since = clock.monotonic();
		const ended = deps.ask(query).then((answer) => {
			// Too late when the batch has ended.
			if (running.delete(query.id)) end(query.id, { ...answer, ms: clock.monotonic() - since });
		});
		running.set(query.id, { since, ended });
		mostAtOnce = Math.max(mostAtOnce, running.size);
	};
	const advance = (waiting: readonly BatchQuery[]) =>
		waiting.filter((query) => {
			const fate = fateOf(query, outcomes, options);
			if (fate === "run" && running.size < options.parallel_limit) start(query);
			else if (fate === "run" || fate === "wait") return true;
			else end(query.id, { status: fate, ms: 0 });
			return false;
		});

	const timeUp = aborted(deps.signal);
	let waiting = advance(queries);
	while (running.size > 0 && !deps.signal.aborted) {
		await Promise.race([timeUp, ...[...running.values()].map(({ ended }) => ended)]);
		if (!deps.signal.aborted) waiting = advance(waiting);
	}
	const now = clock.monotonic();
	for (const [id, { since }] of running) end(id, { ...timeout, ms: now - since });
	for (const { id } of waiting) end(id, { ...timeout, ms: 0 });
	running.clear();
	return { outcomes, wasParallel: mostAtOnce > 1, ms: now - began };
}

type Fate = "run" | "wait" | "dependency_failed" | "skipped";

function fateOf(
	query: BatchQuery,
	outcomes: ReadonlyMap<string, Outcome>,
	options: Pick<BatchOptions, "fail_fast" | "dry_run">,
): Fate {
	const before = query.depends_on.map((id) => outcomes.get(id)?.status);
	if (before.some((status) => status === "error" || status === "dependency_failed")) return "dependency_failed";
	const hasFailed = () => outcomes.values().some(({ status }) => status === "error");
	if (options.dry_run || before.includes("skipped") || (options.fail_fast && hasFailed())) return "skipped";
	return before.includes(undefined) ? "wait" : "run";
}

function aborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});
}
