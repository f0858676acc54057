import packageInfo from "../../../package.json" with { type: "json" };
import type { ServiceConfig } from "../../features/operating/service-config/index.ts";
import type { ReadyConfig } from "../../platform/config/secret-key.ts";
import { languages } from "../../platform/http/pages/languages.ts";
import { modelOf } from "./model-of.ts";

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
