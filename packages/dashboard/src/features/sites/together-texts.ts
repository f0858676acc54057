import { plural, texts } from "../../lib/language.ts";

/** Words on all sites together. */
export const t = texts({
	en: {
		together: "Combined view",
		range: (sites: number) => `${plural(sites, "1 site", `${sites} sites`)}, last 30 days vs previous period`,
		figures: "Metrics of all sites",
		lists: { sites: "Sites", sources: "Sources", pages: "Pages", countries: "Countries" },
		none: "No data in this period.",
		manyCurrencies: "Revenue is not shown because the sites use different currencies.",
		most: (sites: number) => `Includes only the first ${sites} sites.`,
	},
	es: {
		together: "Vista combinada",
		range: (sites: number) => `${plural(sites, "1 sitio", `${sites} sitios`)}, últimos 30 días vs. periodo anterior`,
		figures: "Métricas de todos los sitios",
		lists: { sites: "Sitios", sources: "Fuentes", pages: "Páginas", countries: "Países" },
		none: "No hay datos en este periodo.",
		manyCurrencies: "Los ingresos no se muestran porque los sitios usan monedas distintas.",
		most: (sites: number) => `Incluye solo los primeros ${sites} sitios.`,
	},
});
