/** Attribution settings of sites, in memory for the collector: one loader a slice, one counter of changes. */

export { createAttributionDirectory } from "./attribution-directory.ts";
export type { AttributionDirectory, SettingsLoader } from "./attribution-settings.ts";
export {
	type AttributionChange,
	type AttributionChangeDeps,
	changeAttributionSettings,
} from "./change-attribution-settings.ts";
