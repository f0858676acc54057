import { texts } from "../../lib/language.ts";
import { type Metric, metrics, valueName } from "../site/index.ts";
import type { Column, List, ListKey } from "./lists.ts";

interface Words {
	readonly title: string;
	/** Noun for one row. */
	readonly one: string;
	/** Label of the row without a value. */
	readonly none: string;
	/** Why there may be no row, where it is not the period's fault. */
	readonly empty?: string;
}

const t = texts<Readonly<Record<ListKey, Words>>>({
	en: {
		channels: { title: "Channels", one: "Channel", none: "Unassigned" },
		sources: { title: "Sources", one: "Source", none: "None" },
		mediums: { title: "Medium", one: "Medium", none: "None" },
		campaigns: {
			title: "Campaigns",
			one: "Campaign",
			none: "No campaign",
			empty: "No tagged campaign links yet.",
		},
		terms: { title: "Terms", one: "Term", none: "No term", empty: "No links with utm_term yet." },
		contents: {
			title: "Ad content",
			one: "Ad content",
			none: "No ad content",
			empty: "No links with utm_content yet.",
		},
		referrers: { title: "Referrers", one: "Referrer", none: "No referrer" },
		pages: { title: "Pages", one: "Page", none: "Unknown" },
		"landing-pages": { title: "Landing pages", one: "Landing page", none: "Unknown" },
		"exit-pages": { title: "Exit pages", one: "Exit page", none: "Unknown" },
		"content-groups": {
			title: "Content groups",
			one: "Content group",
			none: "No group",
			empty: "No content groups yet. Set data-group on the script.",
		},
		countries: { title: "Countries", one: "Country", none: "Unknown" },
		devices: { title: "Devices", one: "Device", none: "Unknown" },
		browsers: { title: "Browsers", one: "Browser", none: "Unknown" },
		systems: { title: "Operating systems", one: "Operating system", none: "Unknown" },
		conversions: {
			title: "Goals",
			one: "Conversion",
			none: "Unnamed",
			empty: "No conversions yet. Track one with footfall.conv().",
		},
		microconversions: {
			title: "Events",
			one: "Event",
			none: "Unnamed",
			empty: "No events yet. Track one with footfall.micro().",
		},
		properties: {
			title: "Properties",
			one: "Property",
			none: "Unnamed",
			empty: "No properties yet.",
		},
	},
	es: {
		channels: { title: "Canales", one: "Canal", none: "Sin asignar" },
		sources: { title: "Fuentes", one: "Fuente", none: "Ninguna" },
		mediums: { title: "Medio", one: "Medio", none: "Ninguno" },
		campaigns: {
			title: "Campañas",
			one: "Campaña",
			none: "Sin campaña",
			empty: "Aún no hay enlaces de campaña.",
		},
		terms: {
			title: "Términos",
			one: "Término",
			none: "Sin término",
			empty: "Aún no hay enlaces con utm_term.",
		},
		contents: {
			title: "Anuncio",
			one: "Contenido de anuncio",
			none: "Sin contenido",
			empty: "Aún no hay enlaces con utm_content.",
		},
		referrers: { title: "Referentes", one: "Referente", none: "Sin referente" },
		pages: { title: "Páginas", one: "Página", none: "Desconocida" },
		"landing-pages": { title: "Entradas", one: "Página de entrada", none: "Desconocida" },
		"exit-pages": { title: "Salidas", one: "Página de salida", none: "Desconocida" },
		"content-groups": {
			title: "Grupos",
			one: "Grupo de contenido",
			none: "Sin grupo",
			empty: "Aún no hay grupos de contenido. Pon data-group en el script.",
		},
		countries: { title: "Países", one: "País", none: "Desconocido" },
		devices: { title: "Dispositivos", one: "Dispositivo", none: "Desconocido" },
		browsers: { title: "Navegadores", one: "Navegador", none: "Desconocido" },
		systems: { title: "Sistemas operativos", one: "Sistema operativo", none: "Desconocido" },
		conversions: {
			title: "Objetivos",
			one: "Conversión",
			none: "Sin nombre",
			empty: "Aún no hay conversiones. Registra una con footfall.conv().",
		},
		microconversions: {
			title: "Eventos",
			one: "Evento",
			none: "Sin nombre",
			empty: "Aún no hay eventos. Registra uno con footfall.micro().",
		},
		properties: {
			title: "Propiedades",
			one: "Propiedad",
			none: "Sin nombre",
			empty: "Aún no hay propiedades.",
		},
	},
});

const c = texts({
	en: { pages: "Pages", uses: "Uses", inGoals: "In conversions", inEvents: "In events" },
	es: { pages: "Páginas", uses: "Usos", inGoals: "En conversiones", inEvents: "En eventos" },
});

/** The words of a list. */
export const wordsOf = (list: List): Words => t[list.key];

/** A value as people read it; those that the service has no words for stay as they are. */
export function shownValue(list: List, value: string): string {
	if (value === "") return t[list.key].none;
	return list.field === undefined ? value : valueName(list.field, value);
}

const counted = (key: Column, label: string): Metric => ({ key, label, kind: "count", good: "up" });
const own: Readonly<Partial<Record<Column, Metric>>> = {
	avg_value: metrics.average_order_value,
	unique_pages: counted("unique_pages", c.pages),
	total_count: counted("total_count", c.uses),
	conversions_count: counted("conversions_count", c.inGoals),
	microconversions_count: counted("microconversions_count", c.inEvents),
};

/** The name of a column and how its figures are written. */
export function columnOf(list: List, column: Column): Metric {
	if (column === "count") return list.key === "conversions" ? metrics.conversions : metrics.microconversions;
	return own[column] ?? (metrics as Readonly<Partial<Record<Column, Metric>>>)[column] ?? metrics.entrances;
}
