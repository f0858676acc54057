import { remember } from "./remember.ts";

/** Languages that the dashboard is written in. */
export type Language = "en" | "es";

/** The reader's language: the server writes it into the page; another one is chosen by loading the page again. */
export const language: Language = document.documentElement.lang === "es" ? "es" : "en";

/** One text per name and language; a name that one language lacks, or whose arguments differ, is a compile error. */
export const texts = <T>(catalog: { en: T; es: NoInfer<T> }): T => catalog[language];

/** Keeps the language for the next page. */
export function rememberLanguage(wanted: Language): void {
	remember("footfall_lang", wanted);
}

/** Remembers the language and loads the page in it. */
export function chooseLanguage(wanted: Language): void {
	rememberLanguage(wanted);
	location.reload();
}

const plurals = new Intl.PluralRules(language);

/** The form for a number: `plural(n, "hit", "hits")`. */
export const plural = (count: number, one: string, other: string): string =>
	plurals.select(count) === "one" ? one : other;
