import { country, day, weekdays } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { readablePath } from "../../lib/readable-path.ts";

const t = texts({
	en: {
		date: "Day",
		hour: "Hour",
		day_of_week: "Weekday",
		country: "Country",
		utm_source: "Source",
		utm_medium: "Medium",
		utm_campaign: "Campaign",
		utm_term: "Term",
		utm_content: "Ad content",
		device_type: "Device",
		browser: "Browser",
		os: "Operating system",
		channel_group: "Channel",
		path: "Page",
		landing_page: "Landing page",
		referrer_domain: "Referrer",
		content_grouping: "Content group",
		conversion_type: "Event type",
	},
	es: {
		date: "Día",
		hour: "Hora",
		day_of_week: "Día de la semana",
		country: "País",
		utm_source: "Fuente",
		utm_medium: "Medio",
		utm_campaign: "Campaña",
		utm_term: "Término",
		utm_content: "Contenido de anuncio",
		device_type: "Dispositivo",
		browser: "Navegador",
		os: "Sistema operativo",
		channel_group: "Canal",
		path: "Página",
		landing_page: "Página de entrada",
		referrer_domain: "Referente",
		content_grouping: "Grupo de contenido",
		conversion_type: "Tipo de evento",
	},
});

/** Dimensions of figures, by their API names. */
export type Dimension = keyof typeof t;

/** The names of the dimensions. */
export const dimensionLabels: Readonly<Record<Dimension, string>> = t;

const words: Readonly<Record<string, string>> = texts({
	en: {
		"": "(not set)",
		"(direct)": "Direct",
		"(none)": "None",
		Unknown: "Unknown",
		desktop: "Desktop",
		mobile: "Mobile",
		tablet: "Tablet",
		unknown: "Unknown",
	},
	es: {
		"": "(sin valor)",
		"(direct)": "Directo",
		"(none)": "Ninguno",
		Unknown: "Desconocido",
		desktop: "Ordenador",
		mobile: "Móvil",
		tablet: "Tableta",
		unknown: "Desconocido",
	},
});

/** True for dimensions whose values are paths. */
export const isPath = (dimension: Dimension): boolean => /path|page/.test(dimension);

/** A value of a dimension in words; filters keep the value itself. */
export function valueName(dimension: Dimension, value: string | number | null): string {
	if (value === null) return words["Unknown"] ?? "";
	if (dimension === "date") return day(String(value));
	if (dimension === "hour") return `${String(value).padStart(2, "0")}:00`;
	if (dimension === "day_of_week") return weekdays[Number(value) - 1] ?? String(value);
	const known = words[value];
	if (known !== undefined) return known;
	const text = String(value);
	return dimension === "country" ? country(text) : isPath(dimension) ? readablePath(text) : text;
}
