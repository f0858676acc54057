import {
	type CompiledSiteRules,
	compileSiteRules,
	noSiteRules,
	type SiteRules,
} from "../../../analytics/attribution/site-rules.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type SettingsWatch, watchSettings } from "../../../platform/metadata/watch-settings.ts";
import type { AttributionDirectory, AttributionLoaders } from "./attribution-settings.ts";

/** Topic that counts changes of attribution settings. */
export const ATTRIBUTION_TOPIC = "attribution";

const defaults = compileSiteRules(noSiteRules);

interface AttributionDirectoryDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly loaders: AttributionLoaders;
	/** Told when a check fails; the settings read before stay in use. */
	readonly onError?: (error: unknown) => void;
}

/** Reads the settings of all sites, and keeps them fresh. */
export async function createAttributionDirectory(
	deps: AttributionDirectoryDeps,
): Promise<AttributionDirectory & SettingsWatch> {
	const { metadata, clock, onError, loaders } = deps;
	const rules = new Map<string, SiteRules>();
	/** Rules are compiled when a hit first needs them, so that a start does not wait for expressions that no hit uses. */
	const compiled = new Map<string, CompiledSiteRules>();
	const rulesOf = (siteId: string): SiteRules => rules.get(siteId) ?? noSiteRules;
	const watch = await watchSettings({
		metadata,
		clock,
		topic: ATTRIBUTION_TOPIC,
		read: async (siteIds) => {
			const channelRules = await loaders.channelRules?.(metadata, siteIds);
			const passthroughRules = await loaders.passthroughRules?.(metadata, siteIds);
			const referrerMappings = await loaders.referrerMappings?.(metadata, siteIds);
			for (const siteId of siteIds ?? [...rules.keys()]) {
				rules.delete(siteId);
				compiled.delete(siteId);
			}
			for (const list of [channelRules, passthroughRules, referrerMappings]) {
				for (const siteId of list?.keys() ?? []) {
					rules.set(siteId, {
						channelRules: channelRules?.get(siteId) ?? [],
						passthroughRules: passthroughRules?.get(siteId) ?? [],
						referrerMappings: referrerMappings?.get(siteId) ?? [],
					});
				}
			}
		},
		...(onError !== undefined && { onError }),
	});
	return {
		get: (siteId) => {
			if (!rules.has(siteId)) return defaults;
			const known = compiled.get(siteId) ?? compileSiteRules(rulesOf(siteId));
			compiled.set(siteId, known);
			return known;
		},
		rules: rulesOf,
		...watch,
	};
}
