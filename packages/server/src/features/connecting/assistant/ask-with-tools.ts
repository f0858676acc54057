import { ServiceError } from "../../../platform/errors/service-error.ts";
import { parseJson } from "../../../platform/lib/is-record.ts";
import type { Asker, CallDeps } from "../mcp/index.ts";
import { askModel, type Completion, type ModelDeps, type ModelMessage } from "./model.ts";
import { type CallResult, callSiteTool, type SiteTool, toldOfAnswer, toldToModel } from "./site-tools.ts";

/** Requests to the model for one question; with the last one it has to answer. */
const MAX_ROUNDS = 6;
/** Reports that are read for one question. */
const MAX_CALLS = 12;
/** Tokens of one question, of all its rounds; beyond them the model has to answer. */
const MAX_TOKENS = 150_000;
/** Characters of the answer that people read. */
const ANSWER_CHARACTERS = 8000;

export interface LoopDeps extends ModelDeps {
	readonly calls: CallDeps;
	readonly siteTools: readonly SiteTool[];
}

interface Asked {
	/** Context of the model, the question last. */
	readonly messages: readonly ModelMessage[];
	readonly siteId: string;
	readonly asker: Asker;
	readonly signal: AbortSignal | undefined;
}

interface UsedTool extends CallResult {
	readonly durationMs: number;
}

export interface ModelAnswer {
	readonly text: string;
	readonly used: readonly UsedTool[];
	readonly inputTokens: number;
	readonly outputTokens: number;
}

/** Characters of a text that stand for a token where the endpoint does not count. */
const CHARACTERS_A_TOKEN = 4;

/**
 * Asks the model, calls what it asks for among the tools of the one site, and tells it the results, until it answers or its
 * bounds are reached: then it has to. Throws as `askModel` does, and `bad_gateway` when there is no answer in the end.
 */
export async function askWithTools(deps: LoopDeps, asked: Asked): Promise<ModelAnswer> {
	const tools = toldToModel(deps.siteTools);
	const messages = [...asked.messages];
	const used: UsedTool[] = [];
	const deadline = deps.clock.monotonic() + deps.llm.timeoutSeconds * 1000;
	let inputTokens = 0;
	let outputTokens = 0;
	for (let round = 1; ; round++) {
		const mayCall = round < MAX_ROUNDS && used.length < MAX_CALLS && inputTokens + outputTokens < MAX_TOKENS;
		const turn = { messages, tools, mayCall, deadline, signal: asked.signal };
		const completion = await askModel(deps, turn);
		inputTokens += completion.inputTokens || estimate(messages);
		outputTokens += completion.outputTokens || estimate(completion);
		if (!mayCall || completion.calls.length === 0) {
			return { text: answerOf(completion), used, inputTokens, outputTokens };
		}
		messages.push(...(await callAll(deps, asked, completion, used)));
	}
}

const estimate = (said: unknown): number => Math.ceil(JSON.stringify(said).length / CHARACTERS_A_TOKEN);

function answerOf({ text }: Completion): string {
	if (text === "") throw new ServiceError("bad_gateway", "The assistant's model gave no answer");
	return text.slice(0, ANSWER_CHARACTERS);
}

/** Calls tools one after the other and records them; resolves with the messages for the model. */
async function callAll(
	deps: LoopDeps,
	asked: Asked,
	completion: Completion,
	used: UsedTool[],
): Promise<ModelMessage[]> {
	const written = completion.calls.map((call, at) => ({ ...call, id: `call_${used.length + at + 1}` }));
	const said: ModelMessage = {
		role: "assistant",
		content: completion.text.slice(0, ANSWER_CHARACTERS),
		tool_calls: written.map(({ id, name, argumentText }) => {
			// Endpoints refuse what is no JSON, also where the model itself wrote it.
			return { id, type: "function", function: { name, arguments: isJson(argumentText) ? argumentText : "{}" } };
		}),
	};
	const told: ModelMessage[] = [];
	for (const call of written) {
		told.push({ role: "tool", tool_call_id: call.id, content: await callOne(deps, asked, call, used) });
	}
	return [said, ...told];
}

async function callOne(
	deps: LoopDeps,
	{ asker, siteId, signal }: Asked,
	call: Completion["calls"][number],
	used: UsedTool[],
): Promise<string> {
	if (used.length >= MAX_CALLS) return JSON.stringify({ failed: "No more reports for this question: answer now" });
	signal?.throwIfAborted();
	const begun = deps.clock.monotonic();
	const result = await callSiteTool(deps.calls, { asker, siteId }, call);
	used.push({ ...result, durationMs: Math.round(deps.clock.monotonic() - begun) });
	return toldOfAnswer(result.answer);
}

const isJson = (text: string): boolean => text.length <= ANSWER_CHARACTERS && typeof parseJson(text) === "object";
