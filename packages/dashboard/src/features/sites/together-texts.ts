import { plural, texts } from "../../lib/language.ts";

/** Words on all sites together. */
export const t = texts({
	en: {
		together: "All sites together",
		range: (sites: number) => `${plural(sites, "1 site", `${sites} sites`)}, last 30 days, against those before`,
		figures: "Figures of all sites",
		lists: { sites: "Sites", sources: "Sources", pages: "Pages", countries: "Countries" },
		none: "Nothing in these days.",
		manyCurrencies: "The sites sell in different currencies, so revenue is not added up.",
		most: (sites: number) => `Only the first ${sites} sites are added up.`,
	},
	es: {
		together: "Todos los sitios juntos",
		range: (sites: number) =>
			`${plural(sites, "1 sitio", `${sites} sitios`)}, últimos 30 días, frente a los anteriores`,
		figures: "Cifras de todos los sitios",
		lists: { sites: "Sitios", sources: "Fuentes", pages: "Páginas", countries: "Países" },
		none: "Nada en estos días.",
		manyCurrencies: "Los sitios venden en monedas distintas, así que los ingresos no se suman.",
		most: (sites: number) => `Solo se suman los primeros ${sites} sitios.`,
	},
});
