import { texts } from "../../lib/language.ts";

/** Words of the ways to take figures elsewhere. */
export const t = texts({
	en: {
		link: "Link to this view",
		curl: "curl command",
		csv: "CSV of the data",
		sql: "SQL of the metric",
		sqlAsked: "SQL of the query",
		question: "Question for an assistant",
		copied: (what: string) => `Copied: ${what}`,
		failed: "The browser didn't allow copying.",
		asks: (about: string, name: string, id: string, days: string) =>
			`Look at “${about}” of the site ${name} (${id}), ${days}`,
		comparedTo: (days: string) => `, compared with ${days}`,
		underFilters: (filters: string) => `, with the filters ${filters}`,
		segment: (name: string) => `segment ${name}`,
		wants: ". What stands out?",
		wantsChange: ". What stands out, and which values explain the change?",
	},
	es: {
		link: "Enlace a esta vista",
		curl: "Orden de curl",
		csv: "CSV de los datos",
		sql: "SQL de la métrica",
		sqlAsked: "SQL de la consulta",
		question: "Pregunta para un asistente",
		copied: (what: string) => `Copiado: ${what}`,
		failed: "El navegador no permitió copiar.",
		asks: (about: string, name: string, id: string, days: string) =>
			`Mira «${about}» del sitio ${name} (${id}), ${days}`,
		comparedTo: (days: string) => `, en comparación con ${days}`,
		underFilters: (filters: string) => `, con los filtros ${filters}`,
		segment: (name: string) => `segmento ${name}`,
		wants: ". ¿Qué llama la atención?",
		wantsChange: ". ¿Qué llama la atención y qué valores explican el cambio?",
	},
});
