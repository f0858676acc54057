import { openMcpSite } from "./mcp-site.ts";
import { requestOf } from "./request-of.ts";
import { openScriptedModel } from "./scripted-model.ts";
import type { testApp } from "./test-app.ts";

type Headers = Readonly<Record<string, string>>;

/** The sites of `openMcpSite` in a service whose assistant asks a scripted model. */
export async function openAssistantSite(options: Parameters<typeof testApp>[0] = {}) {
	const model = await openScriptedModel();
	const env = { LLM_BASE_URL: model.url, LLM_MODEL: "scripted", LLM_API_KEY: "sk-operator-key" };
	const site = await openMcpSite({ ...options, env: { ...env, ...options.env } });
	/** A request of ann unless somebody else is named, such as `GET /assistant/sessions?account_id=shop`. */
	const call = async (route: string, headers: Headers = site.ann.headers, body?: object) => {
		const answer = await site.app.inject(requestOf(route, { headers, body }));
		return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
	};
	return {
		...site,
		model,
		call,
		/** Asks about `shop`. */
		ask: (message: string, more: object = {}, headers?: Headers) =>
			call("POST /assistant/chat", headers, { message, account_id: "shop", ...more }),
		close: async () => {
			await site.app.close();
			await model.close();
		},
	};
}
