import { texts } from "../../lib/language.ts";

const t = texts<Readonly<Record<string, string>>>({
	en: {
		invalid_json: "invalid data",
		invalid_domain: "other domain",
		invalid_token: "outdated script",
		other_currency: "other currency",
		blocklist_ip: "excluded IP address",
		rate_limit: "rate limit",
		quota_exceeded: "plan limit",
	},
	es: {
		invalid_json: "datos no válidos",
		invalid_domain: "otro dominio",
		invalid_token: "script antiguo",
		other_currency: "otra moneda",
		blocklist_ip: "dirección IP excluida",
		rate_limit: "límite de frecuencia",
		quota_exceeded: "límite del plan",
	},
});

/** Why hits are refused, in two or three words; a reason without words keeps its name. */
export const reasonWords = (reason: string): string => t[reason] ?? reason;
