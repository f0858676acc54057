import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { actingAs, type Guard, type Reader } from "../../../access/index.ts";
import { type FieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { receiveError } from "../../../platform/http/error-handler.ts";
import { askedBy, currentAsker } from "../../../platform/lib/asker.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { type Plan, planBatch, routeCall } from "./plan.ts";
import { BatchAnswers, BatchBody, type BatchOptions, type BatchQuery, ValidateAnswer } from "./schemas.ts";

/** A JSON object a line (https://github.com/ndjson/ndjson-spec). */
const LINES = "application/x-ndjson";

/** Whether a client asks for the answers one by one. */
const wantsLines = (accept = ""): boolean =>
	accept.split(",").some((part) => part.split(";", 1)[0]?.trim().toLowerCase() === LINES);

/** A batch as it runs: a line a query as it ends, `{id,status,data|error,timing_ms}`, then one with all but the results. */
function linesOf(
	run: (onEnd: NonNullable<RunBatchDeps["onEnd"]>) => Promise<BatchResult>,
	present: (result: BatchResult) => ReturnType<typeof presentBatch>,
	includeTiming: boolean,
): Readable {
	const lines = new PassThrough();
	const write = (line: object) => lines.write(`${JSON.stringify(line)}\n`);
	void run((id, outcome) => write({ id, ...presentOutcome(outcome, includeTiming) })).then(
		(result) => {
			const { results: _, ...rest } = present(result);
			write(rest);
			lines.end();
		},
		(error: unknown) => lines.destroy(error instanceof Error ? error : new Error(String(error))),
	);
	return lines;
}

/** Limit on the answers of a batch together: all are in memory until its last query has ended. */
const MAX_MB = 64;

/** Counts the bytes of the answers of one batch; `payload_too_large` for one that is beyond the limit, and for all after it. */
function createAnswerBudget(): (bytes: number) => void {
	let left = MAX_MB * 1024 ** 2;
	return (bytes) => {
		left -= bytes;
		if (left >= 0) return;
		const message = `The answers of this batch have more than ${MAX_MB} MB: ask for fewer rows, or in several batches`;
		throw new ServiceError("payload_too_large", message);
	};
}

const TIME_LIMIT_MS = 60_000;

const tags = ["Batch"];
const guard: Guard = { kind: "principal", scope: "stats:read" };
/** Each of its queries is guarded by itself, so a shared link shows no more by a batch. */
const running: Guard = { ...guard, share: "admitted" };

export function registerBatch(app: App, deps: { readonly clock: Clock }): void {
	const planned = (queries: readonly BatchQuery[]) =>
		planBatch(queries, (path) => app.patternOf("GET", app.prefix + path)?.slice(app.prefix.length));
	app.route({
		method: "POST",
		url: "/batch",
		config: { guard: running },
		schema: {
			tags,
			summary: "Run many reports in one request",
			body: BatchBody,
			response: { 200: BatchAnswers },
		},
		handler: async (request, reply) => {
			const { queries, options } = request.body;
			const plan = planned(queries);
			if (plan.errors.length > 0) {
				const detail = plan.errors.map(({ field, message }) => ({ field, message, type: "value_error" }));
				throw new ServiceError("validation_error", { detail });
			}
			const asker = currentAsker();
			const signal = deps.clock.deadline(TIME_LIMIT_MS, asker?.signal);
			const take = createAnswerBudget();
			const ask = (query: BatchQuery) => askRoute({ app, request, take }, query);
			// Queries that are still running when the batch ends are cancelled.
			const run = (onEnd?: RunBatchDeps["onEnd"]) =>
				askedBy(asker && { ...asker, signal }, () =>
					runBatch({ ask, signal, clock: deps.clock, ...(onEnd && { onEnd }) }, plan.groups.flat(), options),
				);
			const includeTiming = options.include_timing;
			const present = (result: BatchResult) => presentBatch(queries, result, includeTiming, deps.clock.now());
			if (!wantsLines(request.headers.accept)) return present(await run());
			return reply.type(LINES).send(linesOf(run, present, includeTiming));
		},
	});
	addRoute(app, "POST /batch/validate", {
		tags,
		summary: "Validate a batch without running it",
		body: BatchBody,
		guard,
		answer: ValidateAnswer,
		handler: async (request) => presentPlan(planned(request.body.queries), request.body.queries.length),
	});
}

/** Asks the route itself, so that a query of a batch is guarded, checked and answered as over the network. */
async function askRoute(
	{ app, request, take }: { app: App; request: FastifyRequest; take: (bytes: number) => void },
	query: BatchQuery,
): Promise<RouteAnswer> {
	try {
		// Nothing is asked for when there is no room left.
		take(0);
		const { url, ...call } = routeCall(query);
		const remoteAddress = request.ip;
		const headers = { "user-agent": request.headers["user-agent"] };
		const response = await actingAs(readerOf(request), () =>
			app.inject({ ...call, url: app.prefix + url, remoteAddress, headers }),
		);
		take(response.rawPayload.length);
		const body: unknown = response.json();
		if (response.statusCode === 200) return { status: "success", data: body };
		return { status: "error", error: (body as { readonly error: RouteError }).error };
	} catch (error) {
		const { code, message, detail } = receiveError(error, request);
		return { status: "error", error: { code, message, ...(detail && { detail: [...detail] }) } };
	}
}

/** The caller of a query: that of the batch, or the reader of a share link. */
function readerOf({ principal }: FastifyRequest): Reader {
	if (principal.kind === "anonymous") throw new Error("A batch is never asked without a credential");
	return principal;
}

function presentOutcome({ ms, ...outcome }: Outcome, includeTiming: boolean) {
	return { ...outcome, ...(includeTiming && { timing_ms: Math.round(ms) }) };
}

function presentBatch(queries: readonly BatchQuery[], result: BatchResult, includeTiming: boolean, nowMs: number) {
	const ordered = queries.flatMap(({ id }) => {
		const outcome = result.outcomes.get(id);
		return outcome === undefined ? [] : [[id, outcome] as const];
	});
	const count = (...wanted: Outcome["status"][]) => ordered.filter(([, { status }]) => wanted.includes(status)).length;
	const [successful, failed] = [count("success"), count("error")];
	return {
		batch_id: randomUUID(),
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
		timestamp: timestamp(nowMs),
	};
}

function overall(successful: number, failed: number) {
	if (failed === 0) return "completed" as const;
	return successful === 0 ? ("failed" as const) : ("partial" as const);
}

const presentFaults = (faults: Plan["errors"]) =>
	faults.map(({ queryId, message }) => ({ query_id: queryId, message }));

function presentPlan({ errors, warnings, groups }: Plan, queryCount: number) {
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

export type RouteAnswer =
	| { readonly status: "success"; readonly data: unknown }
	| { readonly status: "error"; readonly error: RouteError };

/** An error as answers tell it. */
interface RouteError {
	readonly code: string;
	readonly message: string;
	readonly detail?: FieldError[];
}

/** Result of a query and its milliseconds. */
type Outcome = (RouteAnswer | { readonly status: "dependency_failed" | "skipped" }) & { readonly ms: number };

interface BatchResult {
	/** By query id, in the order of the request. */
	readonly outcomes: ReadonlyMap<string, Outcome>;
	/** More than one query ran at once. */
	readonly wasParallel: boolean;
	readonly ms: number;
}

interface RunBatchDeps {
	/** Asks a query's route; never throws. */
	readonly ask: (query: BatchQuery) => Promise<RouteAnswer>;
	readonly clock: Pick<Clock, "monotonic">;
	/** Aborts at the deadline: running queries end with `gateway_timeout`. */
	readonly signal: AbortSignal;
	/** Hears of each query as it ends. */
	readonly onEnd?: (id: string, outcome: Outcome) => void;
}

const timedOut = new ServiceError("gateway_timeout", "The batch ended before this query");
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

	const timeUp = once(deps.signal, "abort");
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

function fateOf(
	query: BatchQuery,
	outcomes: ReadonlyMap<string, Outcome>,
	options: Pick<BatchOptions, "fail_fast" | "dry_run">,
): "run" | "wait" | "dependency_failed" | "skipped" {
	const before = query.depends_on.map((id) => outcomes.get(id)?.status);
	if (before.some((status) => status === "error" || status === "dependency_failed")) return "dependency_failed";
	const hasFailed = () => outcomes.values().some(({ status }) => status === "error");
	if (options.dry_run || before.includes("skipped") || (options.fail_fast && hasFailed())) return "skipped";
	return before.includes(undefined) ? "wait" : "run";
}
