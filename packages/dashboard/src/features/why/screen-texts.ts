import { texts } from "../../lib/language.ts";

/** Texts that the screen of causes alone has. */
export const own = texts({
	en: {
		metric: "Metric",
		against: (days: string) => `vs ${days}`,
		explained: (percent: string) => `${percent} of the change`,
		share: "Share of change",
		appeared: "new",
		vanished: "gone",
		unnamed: "(not set)",
		uncompared: "Choose a comparison to see changes.",
		compare: "Compare with previous period",
		nothing: "No change in this period.",
	},
	es: {
		metric: "Métrica",
		against: (days: string) => `vs. ${days}`,
		explained: (percent: string) => `${percent} del cambio`,
		share: "Parte del cambio",
		appeared: "nuevo",
		vanished: "desapareció",
		unnamed: "(sin valor)",
		uncompared: "Elige una comparación para ver los cambios.",
		compare: "Comparar con el periodo anterior",
		nothing: "Sin cambios en este periodo.",
	},
});
