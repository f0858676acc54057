import type { ModelSettings } from "../../features/connecting/assistant/index.ts";
import type { ReadyConfig } from "../../platform/config/secret-key.ts";

/** The model that the operator has set up for the assistant; undefined when there is none. */
export function modelOf(config: ReadyConfig): ModelSettings | undefined {
	const { llmBaseUrl: baseUrl, llmModel: model, llmApiKey: apiKey, llmTimeoutSeconds: timeoutSeconds } = config;
	return baseUrl === undefined || model === undefined ? undefined : { baseUrl, model, apiKey, timeoutSeconds };
}
