/** Attribution settings of sites, in memory for the collector: one loader a slice, one counter of changes. */

export { type AttributionDirectory, createAttributionDirectory, type SettingsLoader } from "./attribution-directory.ts";
export {
	type AttributionChange,
	type AttributionChangeDeps,
	changeAttributionSettings,
} from "./change-attribution-settings.ts";
