export {
	adoptPreferences,
	languages,
	type Preferences,
	preferencesQuery,
	useChangePreferences,
} from "./preferences.ts";
export { chooseTheme, currentTheme, type Theme, themes } from "./theme.ts";
export { useWeekOrder } from "./week-order.ts";
