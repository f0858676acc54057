/** Attribution settings of sites, in memory for the collector: one loader a slice, one counter of changes. */

export {
	type AttributionChange,
	type AttributionChangeDeps,
	type AttributionDirectory,
	activeRules,
	changeAttributionSettings,
	createAttributionDirectory,
} from "./attribution-settings.ts";
