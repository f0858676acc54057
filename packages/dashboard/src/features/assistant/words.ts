import { exact, type Kind } from "../../lib/format.ts";
import { type Dimension, dimensionLabels, metrics, valueName } from "../site/index.ts";
import { t } from "./texts.ts";

type Cell = string | number | boolean | null;

/** Names that reports give to what the dashboard calls otherwise. */
const dimensionOf: Readonly<Record<string, Dimension>> = {
	channel: "channel_group",
	referrer: "referrer_domain",
	device: "device_type",
	by_device: "device_type",
	by_browser: "browser",
	by_os: "os",
	country_name: "country",
	event_type: "conversion_type",
};
const figures: Readonly<Record<string, { readonly label: string; readonly kind: Kind }>> = metrics;
const money = new Set(["avg_value"]);
const rates = new Set(["percentage", "share", "explained"]);

const dimensionNamed = (name: string): Dimension | undefined =>
	dimensionOf[name] ?? (Object.hasOwn(dimensionLabels, name) ? (name as Dimension) : undefined);

/** A field of a report in words; as the API calls it where the dashboard has none. */
export function fieldName(name: string): string {
	if (name === "metric") return t.figure;
	if (name === "value") return t.value;
	const known = Object.hasOwn(figures, name) ? figures[name] : undefined;
	const dimension = dimensionNamed(name);
	return known?.label ?? (dimension ? dimensionLabels[dimension] : name.replaceAll("_", " "));
}

/** How numbers of a field are written. */
export const kindOf = (name: string): Kind =>
	(Object.hasOwn(figures, name) ? figures[name]?.kind : undefined) ??
	(money.has(name) ? "money" : rates.has(name) ? "rate" : "ratio");

/** A title given by the service, in words of the dashboard: the report and its subject. */
export function titleName(title: string): string {
	const [report = "", ...rest] = title.split(": ");
	const named = t.reports[report] ?? report;
	return rest.length === 0 ? named : `${named}: ${fieldName(rest.join(": "))}`;
}

/** A cell in words. */
export function cellText(field: string, value: Cell, currency: string): string {
	if (typeof value === "number") {
		if (dimensionNamed(field) !== undefined) return valueName(field as Dimension, value);
		return Number.isInteger(value) && kindOf(field) === "ratio"
			? exact(value, "count")
			: exact(value, kindOf(field), currency);
	}
	if (typeof value === "boolean" || value === null) return value === null ? "–" : String(value);
	const dimension = dimensionNamed(field);
	return dimension === undefined || field === "country_name" ? value : valueName(dimension, value);
}
