/** Attribution settings of sites, in memory for the collector: with one counter of changes. */

export {
	type AttributionChangeDeps,
	type AttributionDirectory,
	changeAttributionSettings,
	createAttributionDirectory,
} from "./attribution-settings.ts";
export { toChannelRule } from "./store.ts";
