import type { languages } from "../../../../platform/http/pages/languages.ts";
import type { Unit } from "../rules/finding.ts";

export type Language = (typeof languages)[number];

export const locales: Readonly<Record<Language, string>> = { en: "en-GB", es: "es-ES" };

const devices: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
	en: { desktop: "desktop computers", mobile: "phones", tablet: "tablets" },
	es: { desktop: "ordenadores", mobile: "móviles", tablet: "tabletas" },
};

export type Numbers = ReturnType<typeof numbersIn>;

export function numbersIn(language: Language, currency: string) {
	const locale = locales[language];
	const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, useGrouping: true });
	const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
	const amount = new Intl.NumberFormat(locale, {
		minimumFractionDigits: 2,
		maximumFractionDigits: 2,
		useGrouping: true,
	});
	const names = new Intl.DisplayNames([locale], { type: "region", fallback: "code" });
	const money = (value: number) => `${amount.format(value)} ${currency}`;
	const percent = (value: number) => `${tenths.format(value)} %`;
	return {
		/** A count, a share in percent, or money. */
		value: (value: number, unit: Unit) =>
			unit === "currency" ? money(value) : unit === "percent" ? percent(value) : whole.format(value),
		/** A change in percent, without its sign. */
		percent: (value: number) => percent(Math.abs(value)),
		money,
		/** The name of a country, of what else the text itself. */
		country: (code: string) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code),
		device: (type: string) => devices[language][type] ?? type,
	};
}
