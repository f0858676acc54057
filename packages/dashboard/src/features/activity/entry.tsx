import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import type { Answer } from "../../api/client.ts";
import { time } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { withView } from "../../lib/view.ts";
import { Item } from "../../ui/items/items.tsx";
import { changed, useSiteSearch } from "../site/index.ts";
import { settingLabel } from "../site-settings/index.ts";
import { actionWords } from "./action-words.ts";
import styles from "./activity.module.css";
import { changesOf, isNothing, type Told } from "./changes.ts";
import { t } from "./texts.ts";

/** Labels of other fields whose own name is not readable. */
const names = texts<Readonly<Record<string, string>>>({
	en: {
		plan_tier: "Plan",
		email: "Email",
		url: "URL",
		event_types: "Events",
		account_ids: "Sites",
		site_ids: "Sites",
		filters: "Conditions",
		frequency: "Frequency",
		sessions_terminated: "Sessions ended",
		ip_or_cidr: "Address or range",
		is_shared: "Shared",
		has_password: "Password",
		may_filter: "Allow filters",
		embed_origins: "Websites that may embed it",
		notify_email: "Email notification",
		notify_slack: "Slack notification",
		notify_webhook: "Webhook notification",
		email_recipients: "Recipients",
		threshold_value: "Threshold",
		threshold_direction: "Direction",
		cooldown_minutes: "Cool-down (minutes)",
		source_pattern: "Source",
		medium_pattern: "Medium",
		campaign_pattern: "Campaign",
		custom_param: "Parameter",
		maps_to: "Maps to",
		date_from: "From",
		date_to: "To",
	},
	es: {
		role: "Rol",
		domain: "Dominio",
		domains: "Dominios",
		email: "Correo",
		reason: "Motivo",
		scopes: "Permisos",
		url: "URL",
		event_types: "Eventos",
		description: "Descripción",
		account_ids: "Sitios",
		site_ids: "Sitios",
		all_sites: "Todos los sitios",
		kind: "Tipo",
		pattern: "Patrón",
		pattern_type: "Tipo de patrón",
		filters: "Condiciones",
		recipients: "Destinatarios",
		frequency: "Frecuencia",
		sessions_terminated: "Sesiones cerradas",
		ip_or_cidr: "Dirección o rango",
		is_shared: "Compartida",
		has_password: "Contraseña",
		may_filter: "Permitir filtros",
		embed_origins: "Webs que pueden incrustarlo",
		lists: "Listas",
		expires_at: "Caduca",
		alert_type: "Tipo de alerta",
		metric: "Métrica",
		condition_type: "Condición",
		threshold_value: "Umbral",
		threshold_direction: "Sentido",
		baseline_period: "Referencia",
		comparison_window: "Ventana",
		custom_condition: "Condición personalizada",
		cooldown_minutes: "Pausa posterior (minutos)",
		notify_email: "Aviso por correo",
		notify_slack: "Aviso por Slack",
		notify_webhook: "Aviso por webhook",
		email_recipients: "Destinatarios",
		headers: "Cabeceras",
		channel_name: "Canal",
		source_pattern: "Fuente",
		medium_pattern: "Medio",
		campaign_pattern: "Campaña",
		priority: "Prioridad",
		color: "Color",
		date: "Día",
		text: "Texto",
		date_from: "Desde",
		date_to: "Hasta",
		display_name: "Nombre visible",
		export_type: "Exportación",
		format: "Formato",
		estimated_rows: "Filas estimadas",
		match_type: "Comparación",
		referrer_pattern: "Referente",
		custom_param: "Parámetro",
		maps_to: "Se asigna a",
		label: "Etiqueta",
	},
});

/** The name of a field of an entry; one without words is read as it is written. */
function fieldName(field: string): string {
	const words = field.replaceAll("_", " ");
	return settingLabel(field) ?? names[field] ?? words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

/** An entry of the audit log. */
type LogEntry = Answer<"GET /audit/logs">["logs"][number];

interface EntryProps {
	readonly entry: LogEntry;
	/** Where entries of many sites stand together. */
	readonly namesSite: boolean;
}

/** One log entry: user, action, time, address and changed fields. */
export function Entry({ entry, namesSite }: EntryProps) {
	const told = changesOf(entry.details);
	const through = Number(entry.details["impersonated_by"]);
	const facts = [
		time(entry.created_at),
		...(namesSite && entry.account_id !== null ? [entry.account_id] : []),
		...(entry.ip_address === null ? [] : [entry.ip_address]),
		...(through > 0 ? [t.through(through)] : []),
	];
	return (
		<Item
			title={
				<span className={styles.sentence}>
					<Who entry={entry} /> {actionWords(entry.action)}
					{namesThing(entry) && <span className="muted"> ({entry.resource_id})</span>}
				</span>
			}
			facts={facts.join(" · ")}
		>
			{told.length > 0 && <Details told={told} />}
		</Item>
	);
}

/** Changes are shown open. The fields of a new record are collapsed, as they have no old values. */
function Details({ told }: { readonly told: readonly Told[] }) {
	const lines = (
		<dl className={styles.changes}>
			{told.map((one) => (
				<Line key={one.field} told={one} />
			))}
		</dl>
	);
	const isChange = (one: Told) => one.kind === "change" && !isNothing(one.before);
	if (told.some(isChange) || told.length === 1) return lines;
	return (
		<details className={styles.details}>
			<summary>{t.details}</summary>
			{lines}
		</details>
	);
}

/** The ids of the site and of the author say nothing new, and long ids say nothing to people. */
const namesThing = ({ resource_id: id, account_id: site, user_id: author }: LogEntry): boolean =>
	id !== null && id !== site && id !== String(author) && id.length < 20;

/** The author; a click lists what they did. */
function Who({ entry: { user_id: id, user_email: email, user_name: name } }: Pick<EntryProps, "entry">) {
	const search = useSiteSearch();
	if (id === null) return <strong>{t.system}</strong>;
	const shown = name ?? email;
	const view = withView(withView(search.view, "by", [String(id)]), "who", [shown]);
	return (
		<Link to="." search={changed(search, { view, page: undefined })} className={styles.who} title={t.onlyBy(email)}>
			{shown}
		</Link>
	);
}

function Line({ told }: { readonly told: Told }) {
	return (
		<div className={styles.line}>
			<dt>{fieldName(told.field)}</dt>
			<dd>
				{told.kind === "fact" ? (
					valueText(told.value)
				) : (
					<>
						{!isNothing(told.before) && (
							<>
								<span className="visually-hidden">{t.was} </span>
								<span className={styles.before}>{valueText(told.before)}</span>
								<ArrowRight size={14} aria-hidden="true" className={styles.arrow} />
							</>
						)}
						<span className="visually-hidden">{t.is} </span>
						<span>{valueText(told.after)}</span>
					</>
				)}
			</dd>
		</div>
	);
}

/** A value in words: yes and no, nothing, lists with commas. */
function valueText(value: unknown): string {
	if (isNothing(value)) return t.nothing;
	if (typeof value === "boolean") return value ? t.yes : t.no;
	if (Array.isArray(value)) return value.map(valueText).join(", ");
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}
