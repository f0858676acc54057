export { adoptPreferences, preferencesQuery, useChangePreferences } from "./preferences.ts";
export { chooseTheme, currentTheme, type Theme, themes } from "./theme.ts";
