import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { isShared } from "../../api/shared.ts";
import { weekdays } from "../../lib/format.ts";
import { type Language, rememberLanguage } from "../../lib/language.ts";
import { remember } from "../../lib/remember.ts";
import { actingQuery } from "../site/index.ts";

const firstDays = { monday: 0, saturday: 5, sunday: 6 } as const;

/** Weekdays in the order in which the reader's week has them; 0 is Monday. Until that is known they begin with Monday. */
export function useWeekOrder(): { readonly order: readonly number[]; readonly isKnown: boolean } {
	// Readers of a share link have no account, and so none.
	const { data, isPending } = useQuery({ ...preferencesQuery, enabled: !isShared });
	const first = firstDays[data?.week_start ?? "monday"];
	return { order: weekdays.map((_, day) => (first + day) % weekdays.length), isKnown: isShared || !isPending };
}

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

/** Preferences of the user for all browsers. */
export type Preferences = Answer<"GET /users/me/preferences">;

/** The languages to choose from, each with its own name. */
export const languages: readonly (readonly [Language, string])[] = [
	["en", "English"],
	["es", "Español"],
];

/** The reader's choices. */
export const preferencesQuery = queryOptions({ ...read("GET /users/me/preferences"), staleTime: 600_000 });

/** Changes some of them; the screen shows the change at once, and takes it back when the server refuses. */
export function useChangePreferences() {
	const queries = useQueryClient();
	const { queryKey } = preferencesQuery;
	return useMutation({
		mutationFn: async (body: Partial<Preferences>) => {
			const { is_impersonating: isActing } = await queries.ensureQueryData(actingQuery);
			// An impersonator may not store the choices of the user: they hold in this page alone.
			if (isActing) return { ...(await queries.ensureQueryData(preferencesQuery)), ...body };
			return call("PATCH /users/me/preferences", { body });
		},
		onMutate: async (change) => {
			await queries.cancelQueries({ queryKey });
			const before = queries.getQueryData(queryKey);
			if (before !== undefined) queries.setQueryData(queryKey, { ...before, ...change });
			return { before };
		},
		onError: (_error, _change, context) => queries.setQueryData(queryKey, context?.before),
		onSuccess: (after) => queries.setQueryData(queryKey, after),
	});
}

/** Applies the stored preferences in a browser without its own. Unset preferences change nothing. */
export function adoptPreferences({ language, theme }: Preferences): void {
	if (!document.cookie.includes("footfall_theme=") && theme !== "system") chooseTheme(theme);
	if (!document.cookie.includes("footfall_lang=") && language !== "en") rememberLanguage(language);
}
