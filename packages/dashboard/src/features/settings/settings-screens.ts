import { texts } from "../../lib/language.ts";
import type { SideGroup } from "../../ui/side-nav/side-nav.tsx";

const t = texts({
	en: {
		counted: "What is counted",
		told: "Who is told",
		looks: "Who may look",
		data: "Data",
		general: "General",
		install: "Installation",
		people: "People",
		sources: "Sources",
		channels: "Channels",
		segments: "Segments",
		blocklist: "Left-out addresses",
		alerts: "Alerts",
		reports: "Mail reports",
		webhooks: "Webhooks",
		sharing: "Shared links",
		access: "IP allowlist",
		exports: "Exports",
		keeping: "Keeping and deleting",
		activity: "Activity",
	},
	es: {
		counted: "Qué se cuenta",
		told: "Quién se entera",
		looks: "Quién puede mirar",
		data: "Datos",
		general: "General",
		install: "Instalación",
		people: "Personas",
		sources: "Fuentes",
		channels: "Canales",
		segments: "Segmentos",
		blocklist: "Direcciones excluidas",
		alerts: "Alertas",
		reports: "Informes por correo",
		webhooks: "Webhooks",
		sharing: "Enlaces compartidos",
		access: "Direcciones permitidas",
		exports: "Exportaciones",
		keeping: "Conservar y borrar",
		activity: "Actividad",
	},
});

/** The settings of a site in their order. */
export function settingsScreens(id: string): readonly SideGroup[] {
	const at = (below: string, label: string) => ({ to: `/sites/${id}/settings${below}`, label });
	return [
		{ links: [at("", t.general), at("/install", t.install), at("/people", t.people)] },
		{
			label: t.counted,
			links: [
				at("/sources", t.sources),
				at("/channels", t.channels),
				at("/segments", t.segments),
				at("/blocklist", t.blocklist),
			],
		},
		{ label: t.told, links: [at("/alerts", t.alerts), at("/reports", t.reports), at("/webhooks", t.webhooks)] },
		{ label: t.looks, links: [at("/sharing", t.sharing), at("/access", t.access)] },
		{ label: t.data, links: [at("/exports", t.exports), at("/data", t.keeping), at("/activity", t.activity)] },
	];
}
