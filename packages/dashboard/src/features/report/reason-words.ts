import { texts } from "../../lib/language.ts";

const t = texts<Readonly<Record<string, string>>>({
	en: {
		invalid_json: "unreadable",
		invalid_account: "for no active site",
		invalid_domain: "wrong domain",
		invalid_token: "script too old",
		invalid_amount: "amount no number",
		other_currency: "other currency",
		blocklist_ip: "blocked address",
		rate_limit: "too many at once",
		quota_exceeded: "beyond the plan",
	},
	es: {
		invalid_json: "ilegibles",
		invalid_account: "sin sitio activo",
		invalid_domain: "dominio incorrecto",
		invalid_token: "script caducado",
		invalid_amount: "importe no numérico",
		other_currency: "otra moneda",
		blocklist_ip: "dirección bloqueada",
		rate_limit: "demasiados a la vez",
		quota_exceeded: "fuera del plan",
	},
});

/** Why hits are refused, in two or three words; a reason without words keeps its name. */
export const reasonWords = (reason: string): string => t[reason] ?? reason;
