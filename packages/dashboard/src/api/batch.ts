import { asFailure, Failure, failureOf } from "../lib/failure.ts";
import type { Answer, Query, Route } from "./client.ts";
import { unwrap } from "./client.ts";
import { send } from "./session.ts";

/** Reports that may be asked together with others. */
export type Report = Extract<
	Route,
	`GET /stats/${string}` | "POST /stats/query" | "POST /stats/funnel" | "POST /stats/explain"
>;
/** Input of a report request. */
export type ReportInput<R extends Report> = R extends `POST ${string}`
	? Query<R> & import("./api.generated.ts").Routes[R]["body"]
	: Query<R>;

interface Waiting {
	readonly endpoint: string;
	readonly params: object;
	readonly signal: AbortSignal | undefined;
	readonly isLater: boolean;
	readonly resolve: (answer: unknown) => void;
	readonly reject: (error: Error) => void;
}

/** As many as one request may hold. */
const largest = 50;
let waiting: Waiting[] = [];

/**
 * Requests a report. Requests made in the same tick are sent as one batch, and each answer arrives as soon as it is
 * ready. Requests with `isLater` are sent after those answers: figures before explanations, visible parts before hidden
 * ones.
 * @throws {Failure} with the API's code.
 */
export function ask<R extends Report>(
	route: R,
	params: ReportInput<R>,
	signal?: AbortSignal,
	isLater = route === "POST /stats/explain",
): Promise<Answer<R>> {
	return new Promise<unknown>((resolve, reject) => {
		if (waiting.length === 0) queueMicrotask(() => setTimeout(flush));
		waiting.push({ endpoint: route.slice(route.indexOf(" ") + 1), params, signal, isLater, resolve, reject });
	}) as Promise<Answer<R>>;
}

async function flush(): Promise<void> {
	const all = waiting;
	waiting = [];
	for (const turn of [false, true]) await runAll(all.filter(({ isLater }) => isLater === turn));
}

/** Resolves when all that somebody still waited for is answered. */
async function runAll(questions: readonly Waiting[]): Promise<void> {
	const wanted = questions.filter(({ signal }) => !signal?.aborted);
	const requests = [];
	for (let at = 0; at < wanted.length; at += largest) requests.push(run(wanted.slice(at, at + largest)));
	await Promise.all(requests);
}

/** Sends one request; it is aborted when no caller waits for its answers any more. */
async function run(questions: readonly Waiting[]): Promise<void> {
	const controller = new AbortController();
	const left = new Map(questions.map((question, index) => [`q${index}`, question]));
	for (const [id, { signal, reject }] of left) {
		signal?.addEventListener("abort", () => {
			left.delete(id);
			reject(new DOMException("Nobody waits any more", "AbortError"));
			if (left.size === 0) controller.abort();
		});
	}
	try {
		const queries = questions.map(({ endpoint, params }, index) => ({
			id: `q${index}`,
			endpoint,
			params: stripped(params),
		}));
		const response = await send("/api/v1/batch", {
			method: "POST",
			headers: { "Content-Type": "application/json", Accept: "application/x-ndjson" },
			body: JSON.stringify({ queries }),
			signal: controller.signal,
		});
		if (!response.ok) throw await failureOf(response);
		for await (const line of linesOf(response)) settle(left, JSON.parse(line));
		throw new Failure("The answer was cut off.", { status: 0, code: "offline" });
	} catch (error) {
		for (const { reject } of left.values()) reject(asFailure(error));
	}
}

interface Line {
	readonly id?: string;
	readonly status?: string;
	readonly data?: unknown;
	readonly error?: { readonly code?: string; readonly message?: string; readonly status?: number };
}

function settle(left: Map<string, Waiting>, line: Line): void {
	const question = line.id === undefined ? undefined : left.get(line.id);
	if (question === undefined || line.id === undefined) return;
	left.delete(line.id);
	if (line.status === "success") question.resolve(unwrap(line.data));
	else
		question.reject(
			new Failure(line.error?.message ?? "", {
				status: line.error?.status ?? 500,
				code: line.error?.code ?? "internal_error",
			}),
		);
}

async function* linesOf(response: Response): AsyncGenerator<string> {
	if (response.body === null) return;
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	let rest = "";
	for (let part = await reader.read(); !part.done; part = await reader.read()) {
		const lines = (rest + part.value).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) if (line !== "") yield line;
	}
	if (rest !== "") yield rest;
}

const stripped = (params: object) =>
	Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
