import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { GuardedFetch, OutboundAnswer } from "../../../platform/outbound/guarded-fetch.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import { ANSWER_TOKENS, MODEL_BYTES } from "./bounds.ts";
import { type Completion, readCompletion } from "./read-completion.ts";

/** Where the model is, and which it is. */
export interface ModelSettings {
	/** Up to and with `/v1`, without a slash at its end. */
	readonly baseUrl: string;
	readonly apiKey: string | undefined;
	readonly model: string;
	/** For the answer to a question, all rounds included. */
	readonly timeoutSeconds: number;
}

/** A call that the model asks for; its arguments are as it wrote them. */
export interface ModelCall {
	readonly id: string;
	readonly type: "function";
	readonly function: { readonly name: string; readonly arguments: string };
}

/** Messages to the model, in the terms of chat completions. */
export type ModelMessage =
	| { readonly role: "system" | "user"; readonly content: string }
	| { readonly role: "assistant"; readonly content: string; readonly tool_calls?: readonly ModelCall[] }
	| { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

/** A tool in the form for the model. */
export interface ModelTool {
	readonly type: "function";
	readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

/** One request to the model. */
export interface Turn {
	readonly messages: readonly ModelMessage[];
	readonly tools: readonly ModelTool[];
	/** False: it has to answer. */
	readonly mayCall: boolean;
	/** Moment of `clock.monotonic()` at which the question's time is over. */
	readonly deadline: number;
	readonly signal: AbortSignal | undefined;
}

/** Dependencies of asking the model. */
export interface ModelDeps {
	readonly clock: Clock;
	readonly llm: ModelSettings;
	/** The way to the operator's own addresses. */
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
		throw new ServiceError("bad_gateway", { message: `The assistant's model answered with the status ${status}` });
	}
	const completion = readCompletion(body);
	if (completion === undefined) {
		throw new ServiceError("bad_gateway", { message: "The assistant's model gave an unreadable answer" });
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
