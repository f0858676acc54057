import { remember } from "../../lib/remember.ts";

/** Light, dark, or as the system is. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const root = (): HTMLElement => document.documentElement;

/** Current theme; the server wrote it into the page from the cookie. */
export const currentTheme = (): Theme => themes.find((theme) => theme === root().dataset["theme"]) ?? "system";

/** Shows the page so, now and when it is loaded again. */
export function chooseTheme(theme: Theme): void {
	const name = theme === "system" ? "auto" : theme;
	root().dataset["theme"] = name;
	remember("footfall_theme", name);
}
