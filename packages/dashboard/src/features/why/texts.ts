import { texts } from "../../lib/language.ts";

/** Texts about why something changed, of the report and the screen. */
export const t = texts({
	en: {
		title: "Why?",
		line: "Drivers of the change",
		explain: (percent: string) => `explain ${percent} of the change.`,
		explains: (percent: string) => `explains ${percent} of the change.`,
		all: "See what changed",
		even: "All values changed alike.",
		filter: (value: string) => `Filter by ${value}`,
		now: (now: string, before: string) => `${now}, previously ${before}`,
	},
	es: {
		title: "¿Por qué?",
		line: "Causas del cambio",
		explain: (percent: string) => `explican el ${percent} del cambio.`,
		explains: (percent: string) => `explica el ${percent} del cambio.`,
		all: "Ver qué ha cambiado",
		even: "Todos los valores cambiaron por igual.",
		filter: (value: string) => `Filtrar por ${value}`,
		now: (now: string, before: string) => `${now}, antes ${before}`,
	},
});
