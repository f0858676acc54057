import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listenLocally } from "./local-server.ts";

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
		readonly max_tokens: number;
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
	const server = createServer(async (request, response) => {
		const { url: path = "", headers } = request;
		const came: Asked = { path, headers, body: JSON.parse(await text(request)) };
		asked.push(came);
		perform(await next(came), response);
	});
	const { port, close } = await listenLocally(server);
	return {
		/** Value of LLM_BASE_URL. */
		url: `http://127.0.0.1:${port}/v1`,
		asked,
		/** Sets the next steps: a list from which each request takes one, or a function of the request. */
		does(script: readonly ModelStep[] | ((request: Asked) => ModelStep | Promise<ModelStep>)): void {
			asked.length = 0;
			if (typeof script === "function") {
				next = script;
				return;
			}
			const steps = [...script];
			next = () => steps.shift() ?? { status: 500, body: "the script is over" };
		},
		/** Tool results in the last question so far, as sent to the model. */
		results: (): unknown[] =>
			(asked.at(-1)?.body.messages ?? [])
				.filter(({ role }) => role === "tool")
				.map(({ content }) => JSON.parse(content)),
		close,
	};
}

function perform(step: ModelStep, response: ServerResponse): void {
	if (step === "hang") return;
	if (step === "drop") {
		response.socket?.destroy();
		return;
	}
	if ("status" in step || "body" in step) {
		const { status, headers } = "status" in step ? step : { status: 200, headers: {} };
		response.writeHead(status, headers).end(step.body ?? "");
		return;
	}
	const message = "say" in step ? { role: "assistant", content: step.say } : calling(step.call);
	const answer = { choices: [{ index: 0, message }], usage: { prompt_tokens: 100, completion_tokens: 10 } };
	response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
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
