import { noPassthroughRules } from "../../../analytics/attribution/passthrough-rules.ts";
import { noReferrerMappings } from "../../../analytics/attribution/referrer-mappings.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { once } from "../../../platform/lib/once.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type SettingsWatch, watchSettings } from "../../../platform/metadata/watch-settings.ts";
import type { AttributionDirectory, AttributionLoaders, AttributionSettings } from "./attribution-settings.ts";

/** What changes to attribution settings are counted under. */
export const ATTRIBUTION_TOPIC = "attribution";

const defaults: AttributionSettings = {
	channelRules: undefined,
	passthroughRules: noPassthroughRules,
	referrerMappings: noReferrerMappings,
};

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
	const parts = [
		createPart("channelRules", deps.loaders.channelRules),
		createPart("passthroughRules", deps.loaders.passthroughRules),
		createPart("referrerMappings", deps.loaders.referrerMappings),
	] as const;
	const [channelRules, passthroughRules, referrerMappings] = parts;
	const { metadata, clock, onError } = deps;
	const watch = await watchSettings({
		metadata,
		clock,
		topic: ATTRIBUTION_TOPIC,
		read: async (siteIds) => {
			for (const part of parts) await part.read(metadata, siteIds);
		},
		...(onError !== undefined && { onError }),
	});
	return {
		get: (siteId) => ({
			channelRules: channelRules.get(siteId),
			passthroughRules: passthroughRules.get(siteId),
			referrerMappings: referrerMappings.get(siteId),
		}),
		...watch,
	};
}

/** One part of the settings of every site that has any. */
function createPart<Name extends keyof AttributionSettings>(name: Name, load: AttributionLoaders[Name]) {
	let bySite = new Map<string, () => AttributionSettings[Name]>();
	return {
		get: (siteId: string): AttributionSettings[Name] => bySite.get(siteId)?.() ?? defaults[name],
		read: async (metadata: Metadata, siteIds: readonly string[] | undefined): Promise<void> => {
			const loaded = (await load?.(metadata, siteIds)) ?? new Map<string, () => AttributionSettings[Name]>();
			const next = siteIds === undefined ? new Map<string, () => AttributionSettings[Name]>() : new Map(bySite);
			for (const siteId of siteIds ?? []) next.delete(siteId);
			for (const [siteId, prepare] of loaded) next.set(siteId, once(prepare));
			bySite = next;
		},
	};
}
