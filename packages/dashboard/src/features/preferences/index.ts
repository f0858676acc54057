export {
	adoptPreferences,
	chooseTheme,
	currentTheme,
	languages,
	type Preferences,
	preferencesQuery,
	type Theme,
	themes,
	useChangePreferences,
	useWeekOrder,
} from "./preferences.ts";
