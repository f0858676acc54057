import { MAX_CALLS_AT_ONCE } from "./bounds.ts";

/** One completion of the model. */
export interface Completion {
	readonly text: string;
	/** The tools that it wants called, as it wrote them. */
	readonly calls: readonly { readonly name: string; readonly argumentText: string }[];
	readonly inputTokens: number;
	readonly outputTokens: number;
}

/** Reads the answer of a chat-completions endpoint; undefined when it is none. Nothing in it is trusted. */
export function readCompletion(body: string): Completion | undefined {
	const answer = parse(body);
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

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const field = (value: unknown, name: string): unknown =>
	typeof value === "object" && value !== null && Object.hasOwn(value, name)
		? (value as Readonly<Record<string, unknown>>)[name]
		: undefined;

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
