import { texts } from "../../lib/language.ts";

/** Words of the line of insights, which comes with the report; those of their screens come with these. */
export const t = texts({
	en: {
		strip: "New insights",
		none: "No new insights",
		more: "All insights",
		open: "Show",
		close: "Hide",
		severities: { red: "Serious", yellow: "Worth a look", green: "Good news" },
	},
	es: {
		strip: "Hallazgos nuevos",
		none: "Sin hallazgos nuevos",
		more: "Todos los hallazgos",
		open: "Mostrar",
		close: "Ocultar",
		severities: { red: "Grave", yellow: "Merece una mirada", green: "Buena noticia" },
	},
});
