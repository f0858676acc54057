import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { isRecord, parseJson } from "../../../platform/lib/is-record.ts";
import type { GuardedFetch, OutboundAnswer } from "../../../platform/outbound/guarded-fetch.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";

/** Calls that are taken from one answer of the model. */
const MAX_CALLS_AT_ONCE = 6;
/** Tokens of one answer of the model. */
const ANSWER_TOKENS = 1500;
/** Bytes of what the model's endpoint sends. */
const MODEL_BYTES = 512 * 1024;

/** Where the model is, and which it is. */
export interface ModelSettings {
	/** Up to and with `/v1`, without a slash at its end. */
	readonly baseUrl: string;
	readonly apiKey: string | undefined;
	readonly model: string;
	/** For the answer to a question, all rounds included. */
	readonly timeoutSeconds: number;
}

interface ModelCall {
	readonly id: string;
	readonly type: "function";
	readonly function: { readonly name: string; readonly arguments: string };
}

/** Messages to the model, in the terms of chat completions. */
export type ModelMessage =
	| { readonly role: "system" | "user"; readonly content: string }
	| { readonly role: "assistant"; readonly content: string; readonly tool_calls?: readonly ModelCall[] }
	| { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

export interface ModelTool {
	readonly type: "function";
	readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

interface Turn {
	readonly messages: readonly ModelMessage[];
	readonly tools: readonly ModelTool[];
	/** False: it has to answer. */
	readonly mayCall: boolean;
	/** Moment of `clock.monotonic()` at which the question's time is over. */
	readonly deadline: number;
	readonly signal: AbortSignal | undefined;
}

export interface ModelDeps {
	readonly clock: Clock;
	readonly llm: ModelSettings;
	readonly fetch: Pick<GuardedFetch, "send">;
}

/**
 * Asks the model once. Throws `gateway_timeout`, `bad_gateway`, and `service_unavailable` if the endpoint's own limit
 * is reached. Errors contain no message text.
 */
export async function askModel({ clock, llm, fetch }: ModelDeps, turn: Turn): Promise<Completion> {
	const timeoutMs = Math.ceil(turn.deadline - clock.monotonic());
	if (timeoutMs <= 0) throw timedOut();
	const { messages, tools, mayCall, signal } = turn;
	const body = {
		model: llm.model,
		messages,
		tools,
		tool_choice: mayCall ? "auto" : "none",
		max_tokens: ANSWER_TOKENS,
		temperature: 0,
		stream: false,
	};
	const answer = await fetch
		.send({
			url: `${llm.baseUrl}/chat/completions`,
			method: "POST",
			headers: {
				"content-type": "application/json",
				accept: "application/json",
				...(llm.apiKey !== undefined && { authorization: `Bearer ${llm.apiKey}` }),
			},
			body: JSON.stringify(body),
			timeoutMs,
			maxBytes: MODEL_BYTES,
			...(signal && { signal }),
		})
		.catch((error: unknown) => {
			throw unreachable(error);
		});
	return completionOf(answer);
}

function completionOf({ status, headers, body }: OutboundAnswer): Completion {
	if (status === 429) {
		const message = "The assistant's model takes no more questions at the moment";
		const retryAfter = secondsIn(headers["retry-after"]);
		throw new ServiceError("service_unavailable", { message, retryAfter, isOurs: false });
	}
	if (status !== 200) {
		throw new ServiceError("bad_gateway", `The assistant's model answered with the status ${status}`);
	}
	const completion = readCompletion(body);
	if (completion === undefined) {
		throw new ServiceError("bad_gateway", "The assistant's model gave an unreadable answer");
	}
	return completion;
}

const timedOut = (cause?: unknown) =>
	new ServiceError("gateway_timeout", { message: "The assistant's model did not answer in time", cause });

function unreachable(error: unknown): unknown {
	if (!(error instanceof OutboundError)) return error;
	if (error.failure === "timeout") return timedOut(error);
	return new ServiceError("bad_gateway", { message: "The assistant's model cannot be reached", cause: error });
}

/** Seconds of a `Retry-After`, a minute where it has none that make sense. */
const secondsIn = (header = ""): number => (/^\d{1,4}$/.test(header) ? Math.max(1, Number(header)) : 60);

export interface Completion {
	readonly text: string;
	/** The tools that it wants called, as it wrote them. */
	readonly calls: readonly { readonly name: string; readonly argumentText: string }[];
	readonly inputTokens: number;
	readonly outputTokens: number;
}

/** Reads the answer of a chat-completions endpoint; undefined when it is none. Nothing in it is trusted. */
function readCompletion(body: string): Completion | undefined {
	const answer = parseJson(body);
	const choices = field(answer, "choices");
	const message = field(Array.isArray(choices) ? choices[0] : undefined, "message");
	if (typeof message !== "object" || message === null) return undefined;
	const usage = field(answer, "usage");
	return {
		text: withoutThoughts(textOf(field(message, "content"))),
		calls: callsIn(field(message, "tool_calls")),
		inputTokens: countOf(field(usage, "prompt_tokens")),
		outputTokens: countOf(field(usage, "completion_tokens")),
	};
}

const field = (value: unknown, name: string): unknown =>
	isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Content is a text, or a list of parts some of which are texts. */
function textOf(content: unknown): string {
	if (typeof content === "string") return content;
	const parts = Array.isArray(content) ? content.map((part) => field(part, "text")) : [];
	return parts.filter((part) => typeof part === "string").join("");
}

/** Some models write down what they think before they answer. */
const withoutThoughts = (text: string): string => text.replace(/^\s*<think>[\s\S]*?(<\/think>|$)/, "").trim();

function callsIn(calls: unknown): Completion["calls"] {
	if (!Array.isArray(calls)) return [];
	return calls.slice(0, MAX_CALLS_AT_ONCE).map((call) => {
		const called = field(call, "function");
		const given = field(called, "arguments");
		return {
			name: String(field(called, "name") ?? "").slice(0, 64),
			argumentText: typeof given === "string" ? given : JSON.stringify(given ?? {}),
		};
	});
}

const countOf = (value: unknown): number =>
	typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? Math.min(value, 10_000_000) : 0;
