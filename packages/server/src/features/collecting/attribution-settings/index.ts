/** Attribution settings of sites, in memory for the collector: one loader a slice, one counter of changes. */

export {
	type AttributionChange,
	type AttributionChangeDeps,
	type AttributionDirectory,
	changeAttributionSettings,
	createAttributionDirectory,
	type SettingsLoader,
} from "./attribution-settings.ts";
