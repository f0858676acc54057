import type { Kind } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";

/** A figure that screens show, by the API's name. */
export interface Metric {
	readonly key: string;
	readonly label: string;
	readonly kind: Kind;
	/** Which way is good; `neither` is never coloured. */
	readonly good: "up" | "down" | "neither";
}

const t = texts({
	en: {
		entrances: "Visits",
		visitors: "Visitors",
		page_views: "Page views",
		bounce_rate: "Bounce rate",
		visit_duration: "Visit duration",
		pages_per_session: "Pages per visit",
		conversions: "Conversions",
		conversion_rate: "Conversion rate",
		revenue: "Revenue",
		average_order_value: "Average order value",
		microconversions: "Events",
		engaged_entrances: "Engaged visits",
		exits: "Exits",
		exit_rate: "Exit rate",
	},
	es: {
		entrances: "Visitas",
		visitors: "Visitantes",
		page_views: "Páginas vistas",
		bounce_rate: "Rebote",
		visit_duration: "Duración",
		pages_per_session: "Páginas por visita",
		conversions: "Conversiones",
		conversion_rate: "Tasa de conversión",
		revenue: "Ingresos",
		average_order_value: "Valor medio del pedido",
		microconversions: "Eventos",
		engaged_entrances: "Visitas con interés",
		exits: "Salidas",
		exit_rate: "Tasa de salida",
	},
});

const metric = (key: keyof typeof t, kind: Kind, good: Metric["good"] = "up"): Metric => ({
	key,
	label: t[key],
	kind,
	good,
});

/** All figures, by the name that the API gives them. */
export const metrics = {
	entrances: metric("entrances", "count"),
	visitors: metric("visitors", "count"),
	page_views: metric("page_views", "count"),
	bounce_rate: metric("bounce_rate", "rate", "down"),
	visit_duration: metric("visit_duration", "duration"),
	pages_per_session: metric("pages_per_session", "ratio"),
	conversions: metric("conversions", "count"),
	conversion_rate: metric("conversion_rate", "rate"),
	revenue: metric("revenue", "money"),
	average_order_value: metric("average_order_value", "money"),
	microconversions: metric("microconversions", "count"),
	engaged_entrances: metric("engaged_entrances", "count"),
	exits: metric("exits", "count", "neither"),
	exit_rate: metric("exit_rate", "rate", "neither"),
} as const satisfies Record<string, Metric>;

export type MetricKey = keyof typeof metrics;

/** The metric of a name from an address; visits when there is none. */
export const metricOf = (key: string | undefined): Metric =>
	(metrics as Readonly<Record<string, Metric>>)[key ?? ""] ?? metrics.entrances;
