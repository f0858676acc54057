import { texts } from "../../lib/language.ts";
import type { SideGroup } from "../../ui/side-nav/side-nav.tsx";

const t = texts({
	en: {
		counted: "What is counted",
		told: "Who is told",
		looks: "Who may look",
		data: "Data",
		install: "Installation",
		webhooks: "Webhooks",
		reports: "Mail reports",
		access: "IP allowlist",
		exports: "Exports",
		people: "People",
		sources: "Sources",
		channels: "Channels",
		segments: "Segments",
		blocklist: "Left-out addresses",
		sharing: "Shared links",
	},
	es: {
		counted: "Qué se cuenta",
		told: "Quién se entera",
		looks: "Quién puede mirar",
		data: "Datos",
		install: "Instalación",
		webhooks: "Webhooks",
		reports: "Informes por correo",
		access: "Direcciones permitidas",
		exports: "Exportaciones",
		people: "Personas",
		sources: "Fuentes",
		channels: "Canales",
		segments: "Segmentos",
		blocklist: "Direcciones excluidas",
		sharing: "Enlaces compartidos",
	},
});

/** The settings of a site in their order. */
export function settingsScreens(id: string): readonly SideGroup[] {
	const at = (below: string, label: string) => ({ to: `/sites/${id}/settings${below}`, label });
	const groups: readonly SideGroup[] = [
		{ links: [at("/install", t.install), at("/people", t.people)] },
		{
			label: t.counted,
			links: [
				at("/sources", t.sources),
				at("/channels", t.channels),
				at("/segments", t.segments),
				at("/blocklist", t.blocklist),
			],
		},
		{ label: t.told, links: [at("/reports", t.reports), at("/webhooks", t.webhooks)] },
		{ label: t.looks, links: [at("/sharing", t.sharing), at("/access", t.access)] },
		{ label: t.data, links: [at("/exports", t.exports)] },
	];
	return groups.filter(({ links }) => links.length > 0);
}
