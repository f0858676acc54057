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
		words: {
			general: "settings name currency time zone pause delete site",
			install: "script snippet tag tracker domain check page",
			people: "invite users members roles access team",
			sources: "utm parameters referrers payment pages",
			channels: "channel rules",
			segments: "filters audience",
			blocklist: "exclude ip my visits block",
			alerts: "notifications spike drop",
			insights: "anomalies findings weekly",
			reports: "weekly monthly summary mail",
			webhooks: "http post events integration",
			sharing: "share link embed public iframe",
			access: "ip restrict security",
			exports: "csv json parquet download",
			imports: "analytics matomo umami plausible access logs history",
			bigquery: "warehouse sql",
			keeping: "delete data retention privacy gdpr",
			activity: "audit log history changes",
		},
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
		words: {
			general: "ajustes nombre moneda zona horaria pausar eliminar sitio",
			install: "script fragmento etiqueta dominio comprobar página",
			people: "invitar usuarios miembros roles acceso equipo",
			sources: "utm parámetros referentes páginas de pago",
			channels: "reglas de canales",
			segments: "filtros audiencia",
			blocklist: "excluir ip mis visitas bloquear",
			alerts: "avisos pico caída",
			insights: "anomalías semanal",
			reports: "semanal mensual resumen correo",
			webhooks: "http post eventos integración",
			sharing: "compartir enlace incrustar público",
			access: "ip restringir seguridad",
			exports: "exportar csv json parquet descargar",
			imports: "importar analytics matomo umami plausible registros historial",
			bigquery: "almacén sql",
			keeping: "eliminar borrar datos retención privacidad rgpd",
			activity: "auditoría registro historial cambios",
		},
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
	const at = (below: string, name: keyof typeof t.words) => ({
		to: `/sites/${id}/settings${below}`,
		label: t[name],
		words: t.words[name],
	});
	const inPlan = (feature: PlanFeature, link: SideLink) => (planHas(feature) ? link : { ...link, lacks: t.notInPlan });
	const only = (mayOpen: boolean, link: SideLink) => (mayOpen ? [link] : []);
	return [
		{ links: [at("", "general"), at("/install", "install"), at("/people", "people")] },
		{
			label: t.counted,
			links: [
				at("/sources", "sources"),
				at("/channels", "channels"),
				at("/segments", "segments"),
				at("/blocklist", "blocklist"),
			],
		},
		{
			label: t.told,
			links: [
				at("/alerts", "alerts"),
				at("/insights", "insights"),
				...only(may("POST /mail-reports", role), at("/reports", "reports")),
				inPlan("webhooks", at("/webhooks", "webhooks")),
			],
		},
		{
			label: t.looks,
			links: [
				...only(may("POST /sites/{id}/share-links", role), at("/sharing", "sharing")),
				...only(may("PUT /ip-allowlist/settings", role), inPlan("ip_allowlist", at("/access", "access"))),
			],
		},
		{
			label: t.data,
			links: [
				at("/imports", "imports"),
				at("/exports", "exports"),
				at("/bigquery", "bigquery"),
				at("/data", "keeping"),
				inPlan("audit", at("/activity", "activity")),
			],
		},
	].filter(({ links }) => links.length > 0);
}
