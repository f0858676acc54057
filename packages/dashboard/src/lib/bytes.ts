import { language } from "./language.ts";

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** Bytes in the largest unit that fits: `48.2 MB`. */
export function bytes(value: number): string {
	const size = Math.min(units.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3));
	return new Intl.NumberFormat(language === "es" ? "es-ES" : "en-GB", {
		style: "unit",
		unit: units[size] ?? "byte",
		unitDisplay: size === 0 ? "long" : "short",
		maximumFractionDigits: size === 0 ? 0 : 1,
	}).format(value / 1000 ** size);
}
