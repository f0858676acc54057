import type { IncomingHttpHeaders } from "node:http";
import { type Reply, serveLocally } from "./local-server.ts";

/** A tool that a scripted model wants called; arguments that are a text are sent as they are. */
export interface WantedCall {
	readonly name: string;
	readonly given?: object | string;
}

/** A step of a scripted model for a request. */
export type ModelStep =
	| { readonly say: string }
	| { readonly call: readonly WantedCall[] }
	| { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
	| { readonly body: string }
	| "hang"
	| "drop";

interface Asked {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: {
		readonly model: string;
		readonly messages: readonly {
			readonly role: string;
			readonly content: string;
			readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
		}[];
		readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: ToolParameters } }[];
		readonly tool_choice: string;
	};
}

interface ToolParameters {
	readonly properties: Readonly<Record<string, object>>;
	readonly additionalProperties: boolean;
}

/** An endpoint that speaks chat completions and does what its script says. */
export type ScriptedModel = Awaited<ReturnType<typeof openScriptedModel>>;

export async function openScriptedModel() {
	const asked: Asked[] = [];
	let next: (request: Asked) => ModelStep | Promise<ModelStep> = () => ({ say: "Nothing was asked of me." });
	const { port, close } = await serveLocally(async ({ path, headers, body }) => {
		const came: Asked = { path, headers, body: JSON.parse(body.toString()) };
		asked.push(came);
		return replyOf(await next(came));
	});
	return {
		/** Value of LLM_BASE_URL. */
		url: `http://127.0.0.1:${port}/v1`,
		asked,
		/** Sets the next steps: a list from which each request takes one, or a function of the request. */
		does(script: readonly ModelStep[] | ((request: Asked) => ModelStep | Promise<ModelStep>)): void {
			asked.length = 0;
			const steps = typeof script === "function" ? [] : [...script];
			next = typeof script === "function" ? script : () => steps.shift() ?? { status: 500, body: "the script is over" };
		},
		/** Tool results in the last question so far, as sent to the model. */
		results: (): unknown[] =>
			(asked.at(-1)?.body.messages ?? [])
				.filter(({ role }) => role === "tool")
				.map(({ content }) => JSON.parse(content)),
		close,
	};
}

function replyOf(step: ModelStep): Reply {
	if (typeof step === "string" || "status" in step || "body" in step) return step;
	const message = "say" in step ? { role: "assistant", content: step.say } : calling(step.call);
	return { body: { choices: [{ index: 0, message }], usage: { prompt_tokens: 100, completion_tokens: 10 } } };
}

const calling = (calls: readonly WantedCall[]) => ({
	role: "assistant",
	content: null,
	tool_calls: calls.map(({ name, given = {} }, at) => ({
		id: `their_${at}`,
		type: "function",
		function: { name, arguments: typeof given === "string" ? given : JSON.stringify(given) },
	})),
});
