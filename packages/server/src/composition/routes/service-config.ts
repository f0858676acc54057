import packageInfo from "../../../package.json" with { type: "json" };
import type { ModelSettings } from "../../features/connecting/assistant/index.ts";
import type { ServiceConfig } from "../../features/operating/service-config/index.ts";
import type { ReadyConfig } from "../../platform/config/secret-key.ts";
import { languages } from "../../platform/http/pages/languages.ts";

/** The model that the operator has set up for the assistant; undefined when there is none. */
export function modelOf(config: ReadyConfig): ModelSettings | undefined {
	const { llmBaseUrl: baseUrl, llmModel: model, llmApiKey: apiKey, llmTimeoutSeconds: timeoutSeconds } = config;
	return baseUrl === undefined || model === undefined ? undefined : { baseUrl, model, apiKey, timeoutSeconds };
}

/** Public part of the settings. */
export const serviceConfig = (config: ReadyConfig): ServiceConfig => ({
	version: packageInfo.version,
	registration: config.registration,
	mail: config.smtpUrl === undefined ? "outbox" : "smtp",
	payments: config.stripeSecretKey === undefined ? "none" : "stripe",
	features: [
		...(config.provisioningEnabled ? (["provisioning"] as const) : []),
		...(modelOf(config) === undefined ? [] : (["assistant"] as const)),
		"billing",
		"imports",
		"bigquery",
		"lens",
		...(config.legacyApiUrl === undefined ? [] : (["migration"] as const)),
	],
	languages: [...languages],
	limits: {
		session_timeout_minutes: config.sessionTimeoutMinutes,
		max_amount: config.maxAmount,
		max_import_bytes: config.maxImportBytes,
	},
});
