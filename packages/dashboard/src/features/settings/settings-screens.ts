import { may } from "../../api/may.ts";
import { texts } from "../../lib/language.ts";
import type { SideGroup, SideLink } from "../../ui/side-nav/side-nav.tsx";
import type { PlanFeature } from "./plan-lock.tsx";

const t = texts({
	en: {
		counted: "Tracking",
		told: "Notifications",
		looks: "Access",
		data: "Data",
		general: "General",
		install: "Installation",
		people: "People",
		sources: "Attribution",
		channels: "Channels",
		segments: "Segments",
		blocklist: "Excluded IP addresses",
		alerts: "Alerts",
		insights: "Insights",
		reports: "Email reports",
		webhooks: "Webhooks",
		sharing: "Shared links",
		access: "IP allowlist",
		exports: "Exports",
		imports: "Imports",
		bigquery: "BigQuery",
		keeping: "Data retention",
		activity: "Activity",
		notInPlan: "not in the plan",
	},
	es: {
		counted: "Medición",
		told: "Avisos",
		looks: "Acceso",
		data: "Datos",
		general: "General",
		install: "Instalación",
		people: "Personas",
		sources: "Atribución",
		channels: "Canales",
		segments: "Segmentos",
		blocklist: "Direcciones IP excluidas",
		alerts: "Alertas",
		insights: "Hallazgos",
		reports: "Informes por correo",
		webhooks: "Webhooks",
		sharing: "Enlaces compartidos",
		access: "Lista de IP permitidas",
		exports: "Exportaciones",
		imports: "Importaciones",
		bigquery: "BigQuery",
		keeping: "Conservación de datos",
		activity: "Actividad",
		notInPlan: "no está en el plan",
	},
});

interface Reader {
	readonly role: string;
	readonly planHas: (feature: PlanFeature) => boolean;
}

/**
 * Settings of a site in their order. Screens that the role does not open are omitted; those that the plan lacks are
 * marked.
 */
export function settingsScreens(id: string, { role, planHas }: Reader): readonly SideGroup[] {
	const at = (below: string, label: string) => ({ to: `/sites/${id}/settings${below}`, label });
	const inPlan = (feature: PlanFeature, link: SideLink) => (planHas(feature) ? link : { ...link, lacks: t.notInPlan });
	const only = (mayOpen: boolean, link: SideLink) => (mayOpen ? [link] : []);
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
		{
			label: t.told,
			links: [
				at("/alerts", t.alerts),
				at("/insights", t.insights),
				...only(may("POST /mail-reports", role), at("/reports", t.reports)),
				inPlan("webhooks", at("/webhooks", t.webhooks)),
			],
		},
		{
			label: t.looks,
			links: [
				...only(may("POST /sites/{id}/share-links", role), at("/sharing", t.sharing)),
				...only(may("PUT /ip-allowlist/settings", role), inPlan("ip_allowlist", at("/access", t.access))),
			],
		},
		{
			label: t.data,
			links: [
				at("/imports", t.imports),
				at("/exports", t.exports),
				at("/bigquery", t.bigquery),
				at("/data", t.keeping),
				inPlan("audit", at("/activity", t.activity)),
			],
		},
	].filter(({ links }) => links.length > 0);
}
