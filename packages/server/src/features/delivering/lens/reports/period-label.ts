import type { Language } from "../words/numbers.ts";
import type { ReportRow } from "./reports-store.ts";

const locales: Readonly<Record<Language, string>> = { en: "en-GB", es: "es-ES" };

/** Name of a report's period: its month, or its first and last day. */
export function periodLabel(
	{ report_type: type, period_start: start, period_end: end }: ReportRow,
	language: Language,
): string {
	const [from, to] = [new Date(start), new Date(end)];
	const of = (options: Intl.DateTimeFormatOptions) =>
		new Intl.DateTimeFormat(locales[language], { timeZone: "UTC", ...options });
	return type === "monthly"
		? of({ month: "long", year: "numeric" }).format(from)
		: of({ day: "numeric", month: "long", year: "numeric" }).formatRange(from, to);
}
