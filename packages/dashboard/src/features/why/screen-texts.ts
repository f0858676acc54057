import { texts } from "../../lib/language.ts";

/** Texts that the screen of causes alone has. */
export const own = texts({
	en: {
		metric: "Metric",
		against: (days: string) => `against ${days}`,
		explained: (percent: string) => `${percent} of what moved`,
		share: "Of the change",
		appeared: "new",
		vanished: "gone",
		unnamed: "(not set)",
		uncompared: "Without a comparison nothing has changed.",
		compare: "Compare with the days before",
		nothing: "Nothing moved in these days.",
	},
	es: {
		metric: "Métrica",
		against: (days: string) => `frente a ${days}`,
		explained: (percent: string) => `${percent} de lo que se movió`,
		share: "Del cambio",
		appeared: "nuevo",
		vanished: "desapareció",
		unnamed: "(sin valor)",
		uncompared: "Sin comparación nada ha cambiado.",
		compare: "Comparar con los días anteriores",
		nothing: "Nada se movió en estos días.",
	},
});
