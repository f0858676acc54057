import { texts } from "../../lib/language.ts";

/** Texts about why something changed, of the report and the screen. */
export const t = texts({
	en: {
		title: "Why?",
		line: "What moved the figure",
		explain: (percent: string) => `make up ${percent} of what moved.`,
		explains: (percent: string) => `makes up ${percent} of what moved.`,
		all: "All causes",
		even: "Everything moved alike.",
		filter: (value: string) => `Filter by ${value}`,
		now: (now: string, before: string) => `${now}, before ${before}`,
	},
	es: {
		title: "¿Por qué?",
		line: "Qué movió la cifra",
		explain: (percent: string) => `suman el ${percent} de lo que se movió.`,
		explains: (percent: string) => `supone el ${percent} de lo que se movió.`,
		all: "Todas las causas",
		even: "Todo se movió por igual.",
		filter: (value: string) => `Filtrar por ${value}`,
		now: (now: string, before: string) => `${now}, antes ${before}`,
	},
});
