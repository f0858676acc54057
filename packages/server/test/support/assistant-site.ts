import { type McpSite, openMcpSite } from "./mcp-site.ts";
import { requestOf } from "./request-of.ts";
import { openScriptedModel, type ScriptedModel } from "./scripted-model.ts";
import type { testApp } from "./test-app.ts";

/** The sites of `McpSite` in a service whose assistant asks a scripted model. */
export interface AssistantSite extends McpSite {
	readonly model: ScriptedModel;
	/** Asks about `shop`, as ann unless somebody else is named. */
	ask(message: string, more?: object, headers?: Readonly<Record<string, string>>): Promise<Reply>;
	/** Another request of hers, such as `GET /assistant/sessions?account_id=shop`. */
	call(route: string, headers?: Readonly<Record<string, string>>, payload?: object): Promise<Reply>;
	close(): Promise<void>;
}

/** Answer of the service. */
export interface Reply {
	readonly status: number;
	readonly headers: Readonly<Record<string, unknown>>;
	// biome-ignore lint/suspicious/noExplicitAny: tests compare it with literals
	readonly body: any;
}

/** Opens both. */
export async function openAssistantSite(options: Parameters<typeof testApp>[0] = {}): Promise<AssistantSite> {
	const model = await openScriptedModel();
	const env = { LLM_BASE_URL: model.url, LLM_MODEL: "scripted", LLM_API_KEY: "sk-operator-key" };
	const site = await openMcpSite({ ...options, env: { ...env, ...options.env } });
	const call: AssistantSite["call"] = async (route, headers = site.ann.headers, body) => {
		const answer = await site.app.inject(requestOf(route, { headers, body }));
		return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
	};
	return {
		...site,
		model,
		call,
		ask: (message, more = {}, headers) =>
			call("POST /assistant/chat", headers, { message, account_id: "shop", ...more }),
		close: async () => {
			await site.app.close();
			await model.close();
		},
	};
}
