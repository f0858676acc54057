import { texts } from "../../lib/language.ts";
import { type Metric, metrics, valueName } from "../site/index.ts";
import type { Column, List, ListKey } from "./lists.ts";

interface Words {
	readonly title: string;
	/** What one row is. */
	readonly one: string;
	/** What the row without a value is called. */
	readonly none: string;
	/** Why there may be no row, where it is not the period's fault. */
	readonly empty?: string;
}

const t = texts<Readonly<Record<ListKey, Words>>>({
	en: {
		channels: { title: "Channels", one: "Channel", none: "Unassigned" },
		sources: { title: "Sources", one: "Source", none: "None" },
		mediums: { title: "Mediums", one: "Medium", none: "None" },
		campaigns: {
			title: "Campaigns",
			one: "Campaign",
			none: "No campaign",
			empty: "No visit came by a link with utm_campaign.",
		},
		terms: { title: "Terms", one: "Term", none: "No term", empty: "No visit came by a link with utm_term." },
		contents: {
			title: "Contents",
			one: "Content",
			none: "No content",
			empty: "No visit came by a link with utm_content.",
		},
		referrers: { title: "Referrers", one: "Referrer", none: "No referrer" },
		pages: { title: "Pages", one: "Page", none: "Unknown" },
		"landing-pages": { title: "Landing pages", one: "Landing page", none: "Unknown" },
		"exit-pages": { title: "Exit pages", one: "Exit page", none: "Unknown" },
		"content-groups": {
			title: "Content groups",
			one: "Content group",
			none: "No group",
			empty: "No page belongs to a group yet: the script's data-group names it.",
		},
		countries: { title: "Countries", one: "Country", none: "Unknown" },
		devices: { title: "Devices", one: "Device", none: "Unknown" },
		browsers: { title: "Browsers", one: "Browser", none: "Unknown" },
		systems: { title: "Systems", one: "System", none: "Unknown" },
		conversions: {
			title: "Goals",
			one: "Conversion",
			none: "Unnamed",
			empty: "No conversion yet: footfall.conv() reports one.",
		},
		microconversions: {
			title: "Events",
			one: "Event",
			none: "Unnamed",
			empty: "No event yet: footfall.micro() reports one.",
		},
		properties: {
			title: "Properties",
			one: "Property",
			none: "Unnamed",
			empty: "No conversion or event had properties.",
		},
	},
	es: {
		channels: { title: "Canales", one: "Canal", none: "Sin asignar" },
		sources: { title: "Fuentes", one: "Fuente", none: "Ninguna" },
		mediums: { title: "Medios", one: "Medio", none: "Ninguno" },
		campaigns: {
			title: "Campañas",
			one: "Campaña",
			none: "Sin campaña",
			empty: "Ninguna visita llegó por un enlace con utm_campaign.",
		},
		terms: {
			title: "Términos",
			one: "Término",
			none: "Sin término",
			empty: "Ninguna visita llegó por un enlace con utm_term.",
		},
		contents: {
			title: "Contenidos",
			one: "Contenido",
			none: "Sin contenido",
			empty: "Ninguna visita llegó por un enlace con utm_content.",
		},
		referrers: { title: "Referentes", one: "Referente", none: "Sin referente" },
		pages: { title: "Páginas", one: "Página", none: "Desconocida" },
		"landing-pages": { title: "Entradas", one: "Página de entrada", none: "Desconocida" },
		"exit-pages": { title: "Salidas", one: "Página de salida", none: "Desconocida" },
		"content-groups": {
			title: "Grupos",
			one: "Grupo de contenido",
			none: "Sin grupo",
			empty: "Ninguna página pertenece aún a un grupo: lo nombra data-group en el script.",
		},
		countries: { title: "Países", one: "País", none: "Desconocido" },
		devices: { title: "Dispositivos", one: "Dispositivo", none: "Desconocido" },
		browsers: { title: "Navegadores", one: "Navegador", none: "Desconocido" },
		systems: { title: "Sistemas", one: "Sistema", none: "Desconocido" },
		conversions: {
			title: "Objetivos",
			one: "Conversión",
			none: "Sin nombre",
			empty: "Aún no hay conversiones: las envía footfall.conv().",
		},
		microconversions: {
			title: "Eventos",
			one: "Evento",
			none: "Sin nombre",
			empty: "Aún no hay eventos: los envía footfall.micro().",
		},
		properties: {
			title: "Propiedades",
			one: "Propiedad",
			none: "Sin nombre",
			empty: "Ninguna conversión ni evento llevaba propiedades.",
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
